import TrackingServer

/// A check's input besides the timeline: its start, and the findings of the verifier's earlier waits.
package struct CheckContext: Sendable {
  /// Earlier entries are ignored.
  let origin: JournalMark
  let reported: ReportedProblems
  /// The matches of the verifier's waits, if any.
  let ledger: (any WaitMatches)?
  /// The line for which the check records matches; `nil` to record none.
  let location: CodeLocation?
  /// Whether refused submissions of other sessions may hold the events of the app under test.
  let countsOtherSessions: Bool

  package init(
    origin: JournalMark = .beginning, reported: ReportedProblems = .none, ledger: (any WaitMatches)? = nil,
    location: CodeLocation? = nil, countsOtherSessions: Bool = false
  ) {
    (self.origin, self.reported, self.ledger, self.location) = (origin, reported, ledger, location)
    self.countsOtherSessions = countsOtherSessions
  }

  /// Records an entry as matched; `false` if an earlier wait has matched it.
  func claim(_ entry: JournalEntry) -> Bool {
    guard let ledger else { return true }
    return location.map { ledger.match([entry], at: $0) } ?? ledger.isFree(entry)
  }

  func unmatched(_ entries: [JournalEntry]) -> [JournalEntry] { ledger?.unmatched(entries) ?? entries }

  /// The line of the wait that matched an entry: `CartTests.swift:31`.
  func matcher(of entry: JournalEntry) -> String? { ledger?.matcher(of: entry) }

  var unusedStubs: [UnusedStub] { ledger?.unusedStubs() ?? [] }
}

/// The matches of a test's waits; implemented by the ledger, which depends on checks.
package protocol WaitMatches: Sendable {
  var unusedStubs: @Sendable () -> [UnusedStub] { get }

  /// Records matched entries and the line of the wait; `false` if an earlier wait has matched one of them.
  func match(_ entries: [JournalEntry], at location: CodeLocation) -> Bool

  /// Whether no wait has matched an entry.
  func isFree(_ entry: JournalEntry) -> Bool

  func unmatched(_ entries: [JournalEntry]) -> [JournalEntry]

  /// The line of the first wait that matched an entry: `CartTests.swift:31`.
  func matcher(of entry: JournalEntry) -> String?
}

/// Problems that a failure has reported, so that `stop()` doesn't report them again.
package struct ReportedProblems: Sendable {
  private var numbers: Set<Int> = []
  private var lost: Set<LostEvents> = []
  /// The numbers of events that break a rule, by the rule's words.
  private var offenders: [String: Set<Int>] = [:]

  package static let none = ReportedProblems()

  package mutating func add(
    _ rejections: [RejectedSubmission], _ requests: [RecordedRequest], _ lost: [LostEvents],
    incomplete: [JournalEntry] = []
  ) {
    numbers.formUnion(incomplete.map(\.number))
    numbers.formUnion(rejections.map(\.number))
    numbers.formUnion(requests.map(\.number))
    self.lost.formUnion(lost)
  }

  package mutating func add(_ events: [JournalEntry], against expectation: String) {
    offenders[expectation, default: []].formUnion(events.map(\.number))
  }

  func contains(_ rejection: RejectedSubmission) -> Bool { numbers.contains(rejection.number) }

  func contains(_ number: Int, against expectation: String) -> Bool {
    offenders[expectation]?.contains(number) ?? false
  }

  func isNew(_ event: RecordedEvent) -> Bool { !numbers.contains(event.number) }

  func new(_ rejections: [RejectedSubmission]) -> [RejectedSubmission] {
    rejections.filter { !numbers.contains($0.number) }
  }

  package func new(_ requests: [RecordedRequest]) -> [RecordedRequest] {
    requests.filter { !numbers.contains($0.number) }
  }

  func new(_ lost: [LostEvents]) -> [LostEvents] { lost.filter { !self.lost.contains($0) } }
}
