import Foundation
import RecordingTools
import StubRecording
@_spi(TrackingCommand) import TrackingPlan
import TrackingPlanKit
@_spi(TrackingCommand) import TrackingQuestions
import TrackingServer

/// A question that a test in another language than Swift asks, read from JSON.
///
/// ```json
/// {"event": "purchase", "params": {"total": 120}, "count": 1, "timeout": 5, "since": "m3"}
/// ```
struct RunnerQuestion {
  let verification: Verification
  /// The name of the mark after which entries count; `nil` for the beginning.
  let since: String?
  /// Seconds to wait; `nil` for the usual time.
  let timeout: TimeInterval?

  /// - Throws: The member that is wrong, with its path and what it should be.
  init(_ root: JSONNode) throws(RecordingError) {
    let kind = try root.oneMember(of: Kind.allCases.map(\.rawValue))
    let form = Kind(rawValue: kind.name) ?? .event
    try root.allow(["since", "timeout"] + form.members)
    verification = try form.verification(root, kind.node)
    since = try root["since"]?.string()
    timeout = try root["timeout"]?.seconds()
  }

  /// A kind of question, by the member that begins it.
  private enum Kind: String, CaseIterable {
    case event, request, inOrder, inAnyOrder, consecutive, none, noDuplicates, nothingElse, next, plan, delivery

    /// The members that the question may have, besides those of all questions.
    var members: [String] {
      switch self {
      case .event, .request: Entry.members + ["count"]
      case .none: [rawValue, "within", "before"]
      case .inOrder, .inAnyOrder, .consecutive, .noDuplicates, .nothingElse, .next, .plan, .delivery: [rawValue]
      }
    }

    func verification(_ root: JSONNode, _ value: JSONNode) throws(RecordingError) -> Verification {
      switch self {
      case .event, .request:
        let entry = try Entry(root, besides: ["count", "since", "timeout"])
        guard let count = try root["count"]?.eventCount() else { return entry.question }
        return .count(count, of: entry.pattern)
      case .next: return try Entry(value).next
      case .inOrder: return .inOrder(try value.order())
      case .inAnyOrder: return .inAnyOrder(try value.order())
      case .consecutive: return .consecutive(try value.order())
      case .none: return try absence(root, of: try Entry(value).pattern)
      case .noDuplicates:
        try value.allow(["within", "ignoring"])
        return .noDuplicates(within: try value.member("within").seconds(), ignoring: try value.ignored())
      case .nothingElse:
        try value.allow(["ignoring"])
        return .nothingElse(ignoring: try value.ignored())
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

    private func absence(_ root: JSONNode, of pattern: EntryPattern) throws(RecordingError) -> Verification {
      guard let end = try root["before"] else { return .none(of: pattern, within: try root["within"]?.seconds()) }
      if let within = try root["within"] { throw within.error("is there besides before; an absence has one end") }
      return .none(of: pattern, before: try Entry(end).pattern)
    }
  }
}

/// An event or a request that a question is about.
private enum Entry {
  case event(EventPattern)
  case request(RequestPattern, Answered)

  /// The answer that a request should get.
  enum Answered {
    case notAsked
    case any
    case status(Int)
    case statuses(ClosedRange<Int>)
  }

  static let members = ["event", "params", "paramsSchema", "request", "query", "body", "answered"]

  init(_ json: JSONNode, besides others: [String] = []) throws(RecordingError) {
    let isEvent = try json.oneMember(of: ["event", "request"]).name == "event"
    try json.allow(
      (isEvent ? ["event", "params", "paramsSchema"] : ["request", "query", "body", "answered"]) + others)
    self = isEvent ? .event(try Self.event(json)) : try Self.request(json)
  }

  private static func event(_ json: JSONNode) throws(RecordingError) -> EventPattern {
    let name = try json.member("event").string()
    let params = try json["params"]?.members() ?? []
    var pattern: EventPattern = params.isEmpty ? .named(name) : .named(name, params: literals(params))
    if let member = try json["paramsSchema"] {
      let schema: ParamsSchema
      do throws(PlanError) {
        schema = try ParamsSchema(member.value)
      } catch {
        throw member.error([error.path, error.reason].filter { !$0.isEmpty }.joined(separator: ": "))
      }
      pattern = pattern.and(
        .satisfying("params that are valid against \(member.value)") { event in
          schema.isValid(.object(Dictionary(event.params.map { ($0.key.key, $0.value) }) { $1 }))
        })
    }
    return pattern
  }

  private static func request(_ json: JSONNode) throws(RecordingError) -> Entry {
    let member = try json.member("request")
    let words = try member.string().split(separator: " ", maxSplits: 1).map(String.init)
    guard let path = words.last, path.hasPrefix("/") else {
      throw member.mismatch("a method and a path such as \"POST /orders\"")
    }
    let query = try json["query"]?.members() ?? []
    return .request(
      .request(
        words.count == 1 ? nil : HTTPRequest.Method(rawValue: words[0]), path,
        query: query.isEmpty
          ? nil : .subset(Dictionary(uniqueKeysWithValues: query.map { ($0.name, $0.node.literal) })),
        body: try json["body"].map { .jsonSubset($0.literal) }),
      try json["answered"].map(answered) ?? .notAsked)
  }

  private static func answered(_ member: JSONNode) throws(RecordingError) -> Answered {
    switch member.value {
    case .bool(true): return .any
    case .object:
      try member.allow(["atLeast", "atMost"])
      let (least, most) = (try member["atLeast"]?.count() ?? 100, try member["atMost"]?.count() ?? 599)
      guard least <= most else { throw member.error("atLeast is above atMost") }
      return .statuses(least...most)
    default: return .status(try member.count("a status"))
    }
  }

  private static func literals(_ members: [(name: String, node: JSONNode)]) -> [TrackingParam: ValueMatcher] {
    Dictionary(members.map { (.custom(key: $0.name), $0.node.literal) }) { $1 }
  }

  /// The entry in a list of entries.
  var pattern: EntryPattern {
    switch self {
    case .event(let pattern): EntryPattern(pattern)
    case .request(let pattern, let answered):
      switch answered {
      case .notAsked: EntryPattern(pattern)
      case .any: EntryPattern(pattern).answered()
      case .status(let status): EntryPattern(pattern).answered(status)
      case .statuses(let statuses): EntryPattern(pattern).answered(in: statuses)
      }
    }
  }

  /// The question for one entry.
  var question: Verification { .first(pattern) }

  /// The question for one that no earlier question has matched.
  var next: Verification { .firstFree(pattern) }
}

extension JSONNode {
  fileprivate func patterns() throws(RecordingError) -> [EntryPattern] {
    var patterns: [EntryPattern] = []
    for element in try elements() { patterns.append(try Entry(element).pattern) }
    return patterns
  }

  fileprivate func order() throws(RecordingError) -> [EntryPattern] {
    let patterns = try patterns()
    guard !patterns.isEmpty else { throw error("expected at least one event or request") }
    return patterns
  }

  fileprivate func ignored() throws(RecordingError) -> [EntryPattern] { try self["ignoring"]?.patterns() ?? [] }

  /// A matcher of exactly this value.
  fileprivate var literal: ValueMatcher { .equal(to: value) }

  /// `2`, or `{"atLeast": 1, "atMost": 3}`.
  fileprivate func eventCount() throws(RecordingError) -> EventCount {
    guard isObject else { return .times(try count("a number, or {\"atLeast\": 1}")) }
    try allow(["atLeast", "atMost"])
    switch (try self["atLeast"]?.count(), try self["atMost"]?.count()) {
    case (let least?, let most?) where least <= most: return least...most
    case (.some, .some): throw error("atLeast is above atMost")
    case (let least?, nil): return .atLeast(least)
    case (nil, let most?): return .atMost(most)
    case (nil, nil): throw error("expected atLeast, atMost or both")
    }
  }
}
