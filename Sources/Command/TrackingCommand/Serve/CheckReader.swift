import Foundation
import StubModel
import TrackingJSON
import TrackingModel
import TrackingPatterns
import TrackingPlan
import TrackingChecks
import TrackingServer

/// A check as JSON, from a test in a language other than Swift.
///
/// ```json
/// {"event": "purchase", "params": {"total": 120}, "count": 1, "timeout": 5, "since": "m3"}
/// ```
struct RunnerCheck {
  let check: TrackingCheck<CheckOutcome>
  /// The mark after which entries count; `nil` for the start.
  let since: String?
  /// In seconds; `nil` for the default.
  let timeout: TimeInterval?

  /// - Throws: The path of the invalid member, and what it should be.
  init(_ root: JSONNode) throws(JSONError) {
    check = try JSONCheck.all[JSONCheck.forms.check(root)].make(root)
    since = try root["since"]?.string()
    timeout = try root["timeout"]?.number()
  }
}

// Readers of values that have their forms.

extension JSONNode {
  func entry() throws(JSONError) -> EntryPattern { try self["event"] != nil ? EntryPattern(event()) : request() }

  private func event() throws(JSONError) -> EventPattern {
    let name = try member("event").string()
    let params = try self["params"]?.literals() ?? []
    var pattern: EventPattern =
      params.isEmpty ? .named(name) : .named(name, params: Dictionary(params.map { (.custom(key: $0), $1) }) { $1 })
    if let member = try self["paramsSchema"] {
      let value = try member.value()
      let schema: ParamsSchema
      do throws(PlanError) {
        schema = try ParamsSchema(member.tree)
      } catch {
        throw member.error([error.path, error.reason].filter { !$0.isEmpty }.joined(separator: ": "))
      }
      pattern = pattern.and(
        .satisfying(
          member.tree["title"]?.string ?? "params that are valid against \(value)",
          differences: { event in
            schema.violations(by: event.params).map {
              .rule(path: $0.path, keyword: $0.keyword, found: $0.value, reason: $0.reason)
            }
          }))
    }
    return pattern
  }

  /// The requests described by `request` (the path may have a query), `query`, `requestHeaders` and `body`; missing members match everything.
  func requestPattern() throws(JSONError) -> RequestPattern {
    let member = try member("request")
    let (method, parts) = try member.requestLine()
    var query = Dictionary(try self["query"]?.literals() ?? []) { $1 }
    for item in ReceivedFields(parts.count > 1 ? parts[1] : "").items {
      guard query.updateValue(.equal(to: item.value), forKey: item.name) == nil else {
        throw member.error("the query has \(item.name) twice")
      }
    }
    return .request(
      method, .template(parts[0]), query: query.isEmpty ? nil : .subset(query),
      headers: Dictionary(try requestFields().map { ($0.name, .equal(to: $0.value)) }) { $1 },
      body: try self["body"].map { (body) throws(JSONError) in .jsonSubset(.equal(to: try body.value())) })
  }

  /// The method, and the path followed by its query, if any: `POST /orders?page=2`.
  private func requestLine() throws(JSONError) -> (method: ReceivedRequest.Method, parts: [String]) {
    let text = try string()
    let words = text.hasPrefix("/") ? [text] : text.split(separator: " ", maxSplits: 1).map(String.init)
    return (
      words.count == 1 ? .any : ReceivedRequest.Method(rawValue: words[0]),
      words[words.count - 1].split(separator: "?", maxSplits: 1).map(String.init)
    )
  }

  private func requestFields() throws(JSONError) -> [NamedText] {
    try self["requestHeaders"]?.members().map { (field) throws(JSONError) in
      NamedText(name: field.name, value: try field.node.string())
    } ?? []
  }

  /// Requests with only the parts that ``requestPattern()`` requires; more if the path ends in any number of segments, or the query has a number.
  func exampleRequests() throws(JSONError) -> [ReceivedRequest] {
    let (method, parts) = (try requestPattern().single?.method ?? .any, try member("request").requestLine().parts)
    let items = try self["query"]?.values() ?? [:]
    let queries = Set(
      [Self.text, Self.otherText].map { text in
        parts.dropFirst() + items.map { "\(Self.encoded($0))=\(Self.encoded(text($1)))" }
      })
    let body = try self["body"].map { Data($0.tree.text(.compact).utf8) } ?? Data()
    // Each open segment gets a text that no stub names.
    let path = parts[0].split(separator: "/", omittingEmptySubsequences: false)
      .map { $0.hasPrefix(":") || $0 == "*" ? "%00" : String($0) }.joined(separator: "/")
    let headers = MessageHeaders(lines: try requestFields())
    return ([path] + (parts[0].hasSuffix("/*") ? ["\(path)/%00"] : [])).flatMap { path in
      queries.map { query in
        ReceivedRequest(
          method: method, path: path, queryText: query.joined(separator: "&"), headers: headers, body: body)
      }
    }
  }

  private static func text(_ value: TrackingValue) -> String { value.stringValue ?? "\(value)" }

  /// Another spelling of a number, which a query's item may have as well.
  private static func otherText(_ value: TrackingValue) -> String {
    switch value {
    case .int, .unsigned, .double: "\(value)".contains("e") ? "\(value)".uppercased() : "\(value)e0"
    default: text(value)
    }
  }

  private static func encoded(_ text: String) -> String {
    String(decoding: PercentEncoding.encoded(Array(text.utf8)), as: UTF8.self)
  }

  private func request() throws(JSONError) -> EntryPattern {
    let pattern = EntryPattern(try requestPattern())
    guard let responded = try self["responded"] else { return pattern }
    if responded.tree.bool == true { return pattern.responded() }
    guard responded.isObject else { return pattern.responded(try responded.integer()) }
    let (least, most) = try responded.bounds()
    // The pattern refuses a bound that isn't a status.
    let first = least ?? min(100, most ?? 100)
    return pattern.responded(in: first...(most ?? max(599, first)))
  }

  func patterns() throws(JSONError) -> [EntryPattern] {
    try elements().map { (element) throws(JSONError) in try element.entry() }
  }

  func ignored() throws(JSONError) -> [EntryPattern] { try self["ignoring"]?.patterns() ?? [] }

  func literals() throws(JSONError) -> [(String, ValueMatcher)] {
    try values().map { ($0, .equal(to: $1)) }
  }

  /// `2`, or `{"atLeast": 1, "atMost": 3}`.
  func eventCount() throws(JSONError) -> EventCount {
    guard isObject else { return try integer().eventCount }
    switch try bounds() {
    case (let least?, let most?): return EventCount(least: least, most: most)
    case (nil, let most?): return .atMost(most)
    case (let least, nil): return .atLeast(least ?? 0)
    }
  }

  /// `atLeast`, `atMost` or both.
  private func bounds() throws(JSONError) -> (least: Int?, most: Int?) {
    let (least, most) = (try self["atLeast"]?.integer(), try self["atMost"]?.integer())
    guard least ?? 0 <= most ?? .max else { throw error("atLeast is above atMost") }
    return (least, most)
  }
}
