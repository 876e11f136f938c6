import TrackingServer

/// The facts that a check depends on beside the timeline: its origin, and what the verifier's earlier waits have found.
package struct CheckContext: Sendable {
  /// The place before which entries are ignored.
  let origin: JournalMark
  /// The problems that an earlier failure has reported.
  let reported: ReportedProblems
  /// The matches of the verifier's waits; `nil` if there are none.
  let ledger: (any WaitMatches)?
  /// The line for which the check matches entries while it is evaluated; with `nil`, it only looks.
  let location: CodeLocation?

  package init(
    origin: JournalMark = .beginning, reported: ReportedProblems = .none, ledger: (any WaitMatches)? = nil,
    location: CodeLocation? = nil
  ) {
    (self.origin, self.reported, self.ledger, self.location) = (origin, reported, ledger, location)
  }

  /// Matches an entry; `false` if an earlier wait has matched it.
  func claim(_ entry: JournalEntry) -> Bool {
    guard let ledger else { return true }
    return location.map { ledger.match([entry], at: $0) } ?? ledger.isFree(entry)
  }

  /// The entries that no wait has matched.
  func unmatched(_ entries: [JournalEntry]) -> [JournalEntry] { ledger?.unmatched(entries) ?? entries }

  /// The line of the wait that has matched an entry: `CartTests.swift:31`.
  func matcher(of entry: JournalEntry) -> String? { ledger?.matcher(of: entry) }

  /// The stubs that weren't used yet.
  var unusedStubs: [UnusedStub] { ledger?.unusedStubs() ?? [] }
}

/// The matches of a test's waits, as checks see them: a ledger, which knows checks in turn.
package protocol WaitMatches: Sendable {
  /// The stubs that weren't used yet.
  var unusedStubs: @Sendable () -> [UnusedStub] { get }

  /// Notes the matched entries, and the line of the wait; `false` if a wait had matched one of them.
  func match(_ entries: [JournalEntry], at location: CodeLocation) -> Bool

  /// Whether no wait has matched an entry.
  func isFree(_ entry: JournalEntry) -> Bool

  /// The entries that count as extras.
  func unmatched(_ entries: [JournalEntry]) -> [JournalEntry]

  /// The line of the wait that has matched an entry first: `CartTests.swift:31`.
  func matcher(of entry: JournalEntry) -> String?
}

/// Problems that a failure has reported, so that `stop()` does not report them again.
package struct ReportedProblems: Sendable {
  private var numbers: Set<Int> = []
  private var lost: Set<LostEvents> = []
  /// The numbers of events that break a rule, by the rule's words.
  private var offenders: [String: Set<Int>] = [:]

  package static let none = ReportedProblems()

  package mutating func add(_ rejections: [RejectedSubmission], _ requests: [RecordedRequest], _ lost: [LostEvents]) {
    numbers.formUnion(rejections.map(\.number))
    numbers.formUnion(requests.map(\.number))
    self.lost.formUnion(lost)
  }

  package mutating func add(_ events: [JournalEntry], against expectation: String) {
    offenders[expectation, default: []].formUnion(events.map(\.number))
  }

  func contains(_ number: Int, against expectation: String) -> Bool {
    offenders[expectation]?.contains(number) ?? false
  }

  func new(_ rejections: [RejectedSubmission]) -> [RejectedSubmission] {
    rejections.filter { !numbers.contains($0.number) }
  }

  func new(_ requests: [RecordedRequest]) -> [RecordedRequest] { requests.filter { !numbers.contains($0.number) } }

  func new(_ lost: [LostEvents]) -> [LostEvents] { lost.filter { !self.lost.contains($0) } }
}
