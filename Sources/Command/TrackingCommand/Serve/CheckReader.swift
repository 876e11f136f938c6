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
    let kind = try root.oneMember(of: Kind.allCases.map(\.rawValue))
    let form = Kind(rawValue: kind.name) ?? .event
    try root.allow(["since", "timeout"] + form.members)
    check = try form.check(root, kind.node)
    since = try root["since"]?.string()
    let end = try root["timeout"]
    timeout = try end?.seconds()
    if let end, let timeout, let listening = check.kind.listening {
      throw end.error("\(listening.subject) has no timeout; \(listening.json(within: timeout))")
    }
  }

  /// A kind of check; its name is the member that selects it.
  enum Kind: String, CaseIterable {
    case event, request, inOrder, inAnyOrder, consecutive, none, noDuplicates, nothingElse, next, plan, delivery

    /// The members of the check, in addition to those of all checks.
    var members: [String] {
      switch self {
      case .event, .request: JSONNode.entryMembers + ["count", "within"]
      case .none: [rawValue, "within", "before"]
      case .inOrder, .inAnyOrder, .consecutive, .noDuplicates, .nothingElse, .next, .plan, .delivery: [rawValue]
      }
    }

    func check(_ root: JSONNode, _ value: JSONNode) throws(JSONError) -> TrackingCheck<CheckOutcome> {
      switch self {
      case .event, .request:
        let pattern = try root.entry(besides: ["count", "within", "since", "timeout"])
        let (count, within) = (try root["count"]?.eventCount(), try root["within"])
        if let within, count?.least != 0 {
          throw within.error("only a count that may be 0 has \"within\", such as \"count\": 0; write \"timeout\"")
        }
        let seconds = try within?.seconds()
        return count.map { .count($0, of: pattern, within: seconds) } ?? .first(pattern)
      case .next: return .firstFree(try value.entry())
      case .inOrder: return .inOrder(try value.order())
      case .inAnyOrder: return .inAnyOrder(try value.order())
      case .consecutive: return .consecutive(try value.order())
      case .none: return try absence(root, of: try value.entry())
      case .noDuplicates:
        guard value.isObject else { throw value.mismatch(#"an object such as {"within": 1}"#) }
        try value.allow(["within", "ignoring"])
        return .noDuplicates(within: try value.member("within").secondsAboveZero(), ignoring: try value.ignored())
      case .nothingElse:
        guard value.isObject else { throw value.mismatch(#"an object such as {"within": 1}"#) }
        try value.allow(["within", "ignoring"])
        return .nothingElse(within: try value["within"]?.seconds(), ignoring: try value.ignored())
      case .plan:
        if value.isObject {
          try value.allow(["ignoring"])
          return .plan(ignoring: try value.ignored())
        }
        try value.isTrue()
        return .plan
      case .delivery:
        try value.isTrue()
        return .delivery
      }
    }

    private func absence(_ root: JSONNode, of pattern: EntryPattern) throws(JSONError) -> TrackingCheck<
      CheckOutcome
    > {
      guard let end = try root["before"] else {
        guard let within = try root["within"] else {
          let time = try root["timeout"]?.seconds() ?? 1
          throw try (root["timeout"] ?? root).error(
            "an absence ends: write \"within\": \(ListeningTime.literal(time)), in seconds, or \"before\": {\"event\": …}"
          )
        }
        return .none(of: pattern, within: try within.seconds())
      }
      if let within = try root["within"] { throw within.error("is there besides before; an absence has one end") }
      return .none(of: pattern, before: try end.entry())
    }
  }
}

extension ListeningTime {
  /// The members to write in place of a timeout.
  fileprivate func json(within seconds: TimeInterval) -> String {
    guard self.seconds == nil else { return "\"within\" ends it" }
    let member = "\"within\": \(Self.literal(seconds))"
    return switch kind {
    case .absence: "write \(member)"
    case .count: "write \(member) beside \"count\""
    case .nothingElse: "write {\"nothingElse\": {\(member)}}"
    }
  }
}

extension JSONNode {
  fileprivate static let entryMembers = [
    "event", "params", "paramsSchema", "request", "query", "requestHeaders", "body", "responded",
  ]

  fileprivate func entry(besides others: [String] = []) throws(JSONError) -> EntryPattern {
    let isEvent = try oneMember(of: ["event", "request"]).name == "event"
    try allow(Self.entryMembers.filter { ["event", "params", "paramsSchema"].contains($0) == isEvent } + others)
    return isEvent ? EntryPattern(try event()) : try request()
  }

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
    let words = try string().split(separator: " ", maxSplits: 1).map(String.init)
    guard let path = words.last, path.hasPrefix("/"), words.count == 1 || words[0].isToken else {
      throw mismatch("a method and a path such as \"POST /orders\"")
    }
    return (
      words.count == 1 ? .any : ReceivedRequest.Method(rawValue: words[0]),
      path.split(separator: "?", maxSplits: 1).map(String.init)
    )
  }

  private func requestFields() throws(JSONError) -> [NamedText] {
    try self["requestHeaders"]?.members().map { (field) throws(JSONError) in
      NamedText(name: field.name, value: try field.node.string())
    } ?? []
  }

  /// Requests with only the parts that ``requestPattern()`` requires; two if the path ends in any number of segments.
  func exampleRequests() throws(JSONError) -> [ReceivedRequest] {
    let (method, parts) = (try requestPattern().single?.method ?? .any, try member("request").requestLine().parts)
    let query = try self["query"]?.values().map { name, value in
      "\(Self.encoded(name))=\(Self.encoded(value.stringValue ?? "\(value)"))"
    }
    let body = try self["body"].map { Data($0.tree.text(.compact).utf8) } ?? Data()
    // Each open segment gets a text that no stub names.
    let path = parts[0].split(separator: "/", omittingEmptySubsequences: false)
      .map { $0.hasPrefix(":") || $0 == "*" ? "%00" : String($0) }.joined(separator: "/")
    let headers = MessageHeaders(lines: try requestFields())
    return ([path] + (parts[0].hasSuffix("/*") ? ["\(path)/%00"] : [])).map { path in
      ReceivedRequest(
        method: method, path: path, queryText: (parts.dropFirst() + (query ?? [])).joined(separator: "&"),
        headers: headers,
        body: body)
    }
  }

  private static func encoded(_ text: String) -> String {
    String(decoding: PercentEncoding.encoded(Array(text.utf8)), as: UTF8.self)
  }

  private func request() throws(JSONError) -> EntryPattern {
    let pattern = EntryPattern(try requestPattern())
    guard let responded = try self["responded"] else { return pattern }
    if responded.tree.bool == true { return pattern.responded() }
    guard responded.isObject else { return pattern.responded(try responded.count("a status")) }
    let (least, most) = try responded.bounds()
    // The pattern refuses a bound that isn't a status.
    let first = least ?? min(100, most ?? 100)
    return pattern.responded(in: first...(most ?? max(599, first)))
  }

  fileprivate func patterns() throws(JSONError) -> [EntryPattern] {
    try elements().map { (element) throws(JSONError) in try element.entry() }
  }

  fileprivate func order() throws(JSONError) -> [EntryPattern] {
    let patterns = try patterns()
    guard !patterns.isEmpty else { throw error("expected at least one event or request") }
    return patterns
  }

  fileprivate func ignored() throws(JSONError) -> [EntryPattern] { try self["ignoring"]?.patterns() ?? [] }

  func literals() throws(JSONError) -> [(String, ValueMatcher)] {
    try values().map { ($0, .equal(to: $1)) }
  }

  /// `2`, or `{"atLeast": 1, "atMost": 3}`.
  fileprivate func eventCount() throws(JSONError) -> EventCount {
    guard isObject else { return try count("a number, or {\"atLeast\": 1}").eventCount }
    switch try bounds() {
    case (let least?, let most?): return EventCount(least: least, most: most)
    case (nil, let most?): return .atMost(most)
    case (let least, nil): return .atLeast(least ?? 0)
    }
  }

  /// `atLeast`, `atMost` or both.
  private func bounds() throws(JSONError) -> (least: Int?, most: Int?) {
    try allow(["atLeast", "atMost"])
    let (least, most) = (try self["atLeast"]?.count(), try self["atMost"]?.count())
    guard least != nil || most != nil else { throw error("expected atLeast, atMost or both") }
    guard least ?? 0 <= most ?? .max else { throw error("atLeast is above atMost") }
    return (least, most)
  }
}
