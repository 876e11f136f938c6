import StubModel
import TrackingModel
import TrackingPatterns
import TrackingServer

/// A condition on events, requests, or both, for orders and counts across kinds.
///
/// ```swift
/// verifier.wait(for: .inOrder([.request(.post, "/orders").responded(201), .named("order_placed")]))
/// ```
///
/// Write it like an ``EventPattern`` or a `RequestPattern`, or convert one with the initializer. `and` and `not` stay within a
/// kind: `.named("heartbeat").not()` matches other events, but no request.
public struct EntryPattern: Sendable {
  /// `nil` when no event matches.
  package let events: EventPattern?
  /// `nil` when no request matches.
  let requests: RequestPattern?
  let problem: PatternProblem?
  /// Known matches, which replace the comparison; `nil` for a pattern that compares.
  private let known: (@Sendable (JournalEntry) -> Bool)?
  /// A noun phrase with an article that replaces the conditions.
  private let givenWords: String?

  private init(
    events: EventPattern?, requests: RequestPattern?, problem: PatternProblem? = nil,
    known: (@Sendable (JournalEntry) -> Bool)? = nil, words: String? = nil
  ) {
    givenWords = words
    self.events = events
    self.requests = requests
    self.problem = problem ?? Self.problem(of: events, or: requests)
    self.known = known
  }

  /// Of two kinds, one may match.
  private static func problem(of events: EventPattern?, or requests: RequestPattern?) -> PatternProblem? {
    guard let events else { return requests?.problem.map(PatternProblem.init) }
    guard let requests else { return events.problem }
    return .any(of: [events.problem, requests.problem.map(PatternProblem.init)])
  }
}

extension EntryPattern: ExpressibleByEventPattern {
  /// Creates a pattern that matches events.
  public init(_ pattern: EventPattern) { self.init(events: pattern, requests: nil) }
}

extension EntryPattern: ExpressibleByRequestPattern {
  /// Creates a pattern that matches requests.
  public init(_ pattern: RequestPattern) { self.init(events: nil, requests: pattern) }
}

extension EntryPattern {
  /// Matches entries that match this pattern and another one, which must be of the same kind.
  public func and(_ other: EntryPattern) -> EntryPattern {
    let events = events.flatMap { left in other.events.map { left.and($0) } }
    let requests = requests.flatMap { left in other.requests.map { left.and($0) } }
    let isEmpty = events == nil && requests == nil
    return EntryPattern(
      events: events, requests: requests,
      problem: .all(of: [problem, other.problem]) ?? (isEmpty ? .impossible("an event is never a request") : nil))
  }

  /// Matches entries that match this pattern, another one, or both: `.named("order_failed").or(.request(.post, "/orders").responded(in: 500...599))`.
  public func or(_ other: EntryPattern) -> EntryPattern {
    EntryPattern(
      events: events.map { left in other.events.map { left.or($0) } ?? left } ?? other.events,
      requests: requests.map { left in other.requests.map { left.or($0) } ?? left } ?? other.requests,
      problem: .any(of: [problem, other.problem]))
  }

  /// Matches entries of the same kind that don't match this pattern.
  public func not() -> EntryPattern {
    EntryPattern(events: events?.not(), requests: requests?.not(), problem: problem?.ofNegation)
  }

  /// Matches events without params other than the pattern's; see ``EventPattern/exact()``.
  public func exact() -> EntryPattern {
    EntryPattern(events: events?.exact(), requests: requests, problem: problem)
  }

  /// Matches events whose sender writes all values as text; see ``EventPattern/lenient()``.
  public func lenient() -> EntryPattern {
    EntryPattern(events: events?.lenient(), requests: requests, problem: problem)
  }

  /// Matches events from one process: `.named("timeline_refreshed").from("ShopWidget")`.
  ///
  /// Invalid for a pattern that includes requests: the process that sent a network request isn't known.
  public func from(_ process: String) -> EntryPattern {
    let advice =
      "the process of a request isn't known: match a header field that the process sets, and write `from` before `or`"
    return EntryPattern(
      events: events?.from(process), requests: requests, problem: problem ?? (requests == nil ? nil : .invalid(advice)))
  }

  /// Matches requests with a response of this status; without a status, with any response.
  public func responded(_ status: Int? = nil) -> EntryPattern {
    EntryPattern(events: events, requests: requests?.responding(in: status.map { $0...$0 }), problem: problem)
  }

  /// Matches requests with a response of one of these statuses.
  public func responded(in statuses: ClosedRange<Int>) -> EntryPattern {
    EntryPattern(events: events, requests: requests?.responding(in: statuses), problem: problem)
  }
}

// MARK: - Matching

extension EntryPattern {
  package func matches(_ entry: JournalEntry) -> Bool {
    if case .yes = match(entry) { true } else { false }
  }

  /// Compares an entry as it is now: without a response that is known, but not sent yet.
  func match(_ entry: JournalEntry) -> RequestMatch { match(entry) { ParsedRequest($0) } }

  /// Compares an entry that a check ignores if it matches: with its response as soon as that is known.
  func ignores(_ entry: JournalEntry) -> RequestMatch { match(entry) { ParsedRequest(withKnownResponse: $0) } }

  /// Whether an entry that a check doesn't ignore yet may be ignored because of its response, which isn't known.
  func awaitsResponse(of entry: JournalEntry) -> Bool {
    guard problem == nil, known == nil, readsResponse, let request = entry.request, !request.hasResponse else {
      return false
    }
    return requests?.isPending(ParsedRequest(request, response: .unknown)) ?? false
  }

  private func match(_ entry: JournalEntry, _ parsed: (RecordedRequest) -> ParsedRequest) -> RequestMatch {
    guard problem == nil else { return .no }
    if let known { return known(entry) ? .yes([:]) : .no }
    switch entry {
    case .event(let recorded):
      guard let events else { return .no }
      // Skip the comparison for events with another name.
      if let name = events.name, !recorded.event.name.isSameText(as: name) { return .no }
      return events.mismatch(of: recorded.event, from: recorded.process) == nil ? .yes([:]) : .no
    case .request(let request): return requests?.match(parsed(request)) ?? .no
    case .rejection: return .no
    }
  }

  /// Returns the pattern under other words, such as "a beacon with ev: buy".
  package func called(_ words: String) -> EntryPattern {
    EntryPattern(events: events, requests: requests, problem: problem, known: known, words: words)
  }

  /// Returns the pattern with known matches, so that the test's closures don't run again.
  package func knowing(_ matches: @escaping @Sendable (JournalEntry) -> Bool) -> EntryPattern {
    EntryPattern(events: events, requests: requests, problem: problem, known: matches, words: givenWords)
  }

  /// Whether an entry matches regardless of the test's closures; `nil` if it depends on them.
  package func matchesWithoutClosures(_ entry: JournalEntry) -> Bool? {
    guard problem == nil else { return false }
    switch entry {
    case .event(let recorded):
      guard let events else { return false }
      return events.hasClosure
        ? events.matchesWithoutClosures(recorded.event, from: recorded.process) : matches(entry)
    case .request: return requests?.code == nil ? matches(entry) : nil
    case .rejection: return false
    }
  }

  /// Whether the entry matches from this moment on: the response if the pattern matches by it, otherwise the arrival.
  func matches(_ moment: TimelineMoment) -> Bool {
    if case .yes = match(moment) { true } else { false }
  }

  func match(_ moment: TimelineMoment) -> RequestMatch {
    if moment.isResponse, requests?.dependsOnResponse != true { return .no }
    let match = match(moment.entry)
    if case .no = match { return .no }
    return self.moment(of: moment.entry).isResponse == moment.isResponse ? match : .no
  }

  /// Returns the moment from which an entry matches.
  func moment(of entry: JournalEntry) -> TimelineMoment {
    TimelineMoment(
      entry: entry, isResponse: entry.request.map { requests?.isMatchedByResponse(in: $0) ?? false } ?? false)
  }

  /// The kinds of which every entry matches.
  var wholeKinds: EntryKinds {
    EntryKinds([
      events?.acceptsEverything == true ? .events : [], requests?.acceptsEverything == true ? .requests : [],
    ])
  }

  var kinds: EntryKinds {
    EntryKinds(arrayLiteral: events == nil ? [] : .events, requests == nil ? [] : .requests)
  }

  /// The entries that can match, so that others don't wake a wait.
  var interest: JournalInterest {
    JournalInterest(
      eventNames: events == nil ? [] : events?.name.map { [$0] }, requests: requests != nil,
      revisions: readsResponse)
  }

  /// Whether the pattern may match a request by its response.
  var readsResponse: Bool { requests?.dependsOnResponse ?? false }
}

// MARK: - Words

extension EntryPattern: CustomStringConvertible {
  /// A noun phrase for a match, such as `an event named "purchase"`.
  public var description: String { words.text }

  var words: Headline {
    if let givenWords { return "\(name: givenWords)" }
    guard let events, let requests else { return events?.words ?? requests?.words ?? "" }
    return "\(events.words) or \(requests.words)"
  }

  /// The noun without an article, as in `no event named "purchase"`.
  var noun: Headline { nouns.one }

  /// The plural noun, as in `3 events named "purchase"`.
  var plural: Headline { nouns.many }

  func counted(_ count: Int) -> Headline { "\(count) \(count == 1 ? noun : plural)" }

  /// A short reference: `"purchase"` for an event with that name, `POST /orders` for a request.
  var reference: Headline {
    let words = words
    for article in ["an event named ", "the request "] {
      if let rest = words.replacing(start: article, with: ""), Self.isAlone(rest) { return rest }
    }
    return words
  }

  /// Whether the pattern's words imply the names of its matches.
  var isSpecific: Bool { events.map { $0.name != nil } ?? false }

  private var nouns: (one: Headline, many: Headline) {
    var words = words
    if givenWords != nil, let noun = words.replacing(start: "a ", with: "") { return (noun, "matches of \(words)") }
    if words.text.hasSuffix("} in its body") { words.removeEnd(" in its body") }
    var text = words.text
    // The type implies the name.
    if text.hasSuffix(" satisfying the closure"), let name = text.firstRange(of: /\ \("[^"]*"\)/) {
      text.removeSubrange(name)
      words = "\(name: text)"
    }
    for (beginning, one, many) in Self.beginnings {
      guard let rest = words.replacing(start: beginning, with: ""), Self.isAlone(rest) else { continue }
      return ("\(one)\(rest)", "\(many)\(rest)")
    }
    if kinds == .events, let rest = words.replacing(start: "anything but ", with: "") {
      return ("event other than \(rest)", "events other than \(rest)")
    }
    return kinds == .events && !text.hasPrefix("(") && Self.isAlone(words)
      ? ("event \(words)", "events \(words)") : ("match of \(words)", "matches of \(words)")
  }

  private static let beginnings = [
    ("an event", "event", "events"), ("any event", "event", "events"), ("the request", "request", "requests"),
    ("a request", "request", "requests"),
  ]

  /// Whether the words contain only one pattern, because a second one would lack its article.
  private static func isAlone(_ words: Headline) -> Bool {
    let text = words.text
    return ["an event ", "any event", "the request ", "a request ", "anything but "].allSatisfy { !text.contains($0) }
  }
}

// MARK: - Requests

extension RequestPattern {
  /// Whether the response, not the arrival, makes a request match.
  func isMatchedByResponse(in request: RecordedRequest) -> Bool {
    dependsOnResponse && isMatchedByResponse(ParsedRequest(request))
  }

  /// Compares the pattern with a request, part by part; a match has no difference.
  func comparison(with request: RecordedRequest) -> StubComparison { comparison(with: ParsedRequest(request)) }

  /// Whether accepted submissions of events to a path seem to match.
  func mayMeanSubmissions(to path: String) -> Bool {
    let submission = ParsedRequest(ReceivedRequest(method: "POST", path: path))
    return conditions.contains { RequestPattern($0).mayMatch(submission, knowing: .head) }
  }
}

extension ParsedRequest {
  /// Creates a request with its response, if that has been sent.
  fileprivate convenience init(_ request: RecordedRequest) {
    self.init(request, response: request.sending == nil ? .none : .sent(status: request.status))
  }

  fileprivate convenience init(withKnownResponse request: RecordedRequest) {
    self.init(request, response: request.hasResponse ? .sent(status: request.status) : .none)
  }

  fileprivate convenience init(_ request: RecordedRequest, response: Response) {
    self.init(request.request, bodySize: request.bodySize, response: response)
  }
}

extension PatternProblem {
  fileprivate init(_ error: StubError) {
    self = error.isImpossible ? .impossible("\(error)", advice: error.advice) : .invalid("\(error)")
  }
}
