import TrackingModel
import TrackingServer

/// The entries that the waits of a verifier have matched, and the questions that continue after their waits have returned.
///
/// Its results follow from the journal and from the matches alone, so they don't depend on who asks, or when.
final class MatchLedger: EarlierMatches {
  private struct State {
    /// The entries that answers and failures of waits were made of, with the places of these waits in `matchers`.
    var matched: [Int: Int] = [:]
    var matchers: [CodeLocation] = []
    /// Extras that a failure has reported.
    var reported: Set<Int> = []
    var watches: [Watch] = []
    /// Findings from before a reset, which the stop reports.
    var findings: [LateFinding] = []
    var problems = ReportedProblems()
  }

  /// Whether this thread or task runs a pattern for a watch: a test's closure may use the verifier, and must not lead back here.
  @TaskLocal private static var isReading = false

  private let journal: Journal
  private let notes: (any InspectorNotes)?
  private let state = Locked(State())

  /// A sentence for each of the verifier's stubs that wasn't used yet.
  let unusedStubs: @Sendable () -> [String]

  /// - Parameter notes: The notes for the inspector.
  init(
    of journal: Journal, notes: (any InspectorNotes)? = nil, unusedStubs: @escaping @Sendable () -> [String] = { [] }
  ) {
    self.journal = journal
    self.notes = notes
    self.unusedStubs = unusedStubs
  }

  /// The numbers of the entries that waits have matched.
  var matched: Set<Int> { state.withLock { Set($0.matched.keys) } }

  /// Notes the entries of an answer, and the line of the wait.
  func match(_ entries: [JournalEntry], at location: CodeLocation) {
    guard !entries.isEmpty else { return }
    state.withLock { state in
      let matcher = state.matchers.count
      state.matchers.append(location)
      for entry in entries where state.matched[entry.number] == nil { state.matched[entry.number] = matcher }
    }
    note(entries.map(\.number))
  }

  /// Notes an entry that no wait has matched; `false` if one has.
  func claim(_ entry: JournalEntry, at location: CodeLocation) -> Bool {
    let isFirst = state.withLock { state in
      guard state.matched[entry.number] == nil else { return false }
      state.matched[entry.number] = state.matchers.count
      state.matchers.append(location)
      return true
    }
    if isFirst { note([entry.number]) }
    return isFirst
  }

  /// Whether no wait has matched an entry.
  func isFree(_ entry: JournalEntry) -> Bool { state.withLock { $0.matched[entry.number] == nil } }

  /// The line of the wait that has matched an entry first: `CartTests.swift:31`.
  func matcher(of entry: JournalEntry) -> String? {
    state.withLock { state in state.matched[entry.number].map { state.matchers[$0] } }?.shortText
  }

  private func note(_ numbers: @autoclosure () -> [Int]) {
    guard let notes, notes.isObserved else { return }
    notes.match(numbers(), true)
  }

  /// Continues a question whose wait has returned.
  func watch(_ watch: Watch) {
    state.withLock { $0.watches.append(watch) }
  }

  /// The entries that count as extras: not matched by a wait, not allowed by a count, and not a late answer.
  func unmatched(_ entries: [JournalEntry]) -> [JournalEntry] {
    let (watches, matched) = read()
    let allowed = watches.reduce(into: matched) { $0.formUnion($1.allowed) }
    return entries.filter { !allowed.contains($0.number) }
  }

  /// The late findings that were not reported yet.
  func takeFindings() -> [LateFinding] {
    let (watches, matched) = read()
    return state.withLock { state in
      var findings = state.findings
      state.findings = []
      for (index, watch) in watches.enumerated() where state.watches.indices.contains(index) {
        let extras = watch.extras.filter { !matched.contains($0.number) && !state.reported.contains($0.number) }
        if !watch.question.isSilent, !extras.isEmpty {
          state.reported.formUnion(extras.map(\.number))
          findings.append(.exceeded(watch, extras))
        }
        if watch.isAnswered, !watch.isReported { findings.append(.answered(watch)) }
        if watch.isAnswered { state.watches[index].isReported = true }
      }
      return findings
    }
  }

  /// Forgets all matches, and keeps the findings until then for the stop.
  func reset() {
    let findings = takeFindings()
    state.withLock { $0 = State(findings: findings, problems: $0.problems) }
  }

  // MARK: Problems that failures have reported

  var reportedProblems: ReportedProblems { state.withLock { $0.problems } }

  func report(_ rejections: [RejectedSubmission], _ requests: [RecordedRequest], _ lost: [LostEvents]) {
    state.withLock { $0.problems.add(rejections, requests, lost) }
  }

  /// Notes events whose failure has been reported.
  func report(_ events: [JournalEntry], against rule: any EventRule) {
    state.withLock { $0.problems.add(events, against: rule.expectation) }
  }

  // MARK: -

  /// Lets each watch read what has arrived, with no lock held: patterns are the test's own code.
  ///
  /// Of threads that read at once, the one that has read furthest is believed; all of them find the same.
  private func read() -> ([Watch], matched: Set<Int>) {
    var watches = state.withLock { $0.watches }
    if !Self.isReading {
      Self.$isReading.withValue(true) {
        for index in watches.indices { watches[index].read(journal) }
      }
    }
    return state.withLock { state in
      for (index, watch) in watches.enumerated()
      where state.watches.indices.contains(index) && state.watches[index].id == watch.id
        && state.watches[index].next <= watch.next
      {
        let isReported = state.watches[index].isReported
        state.watches[index] = watch
        state.watches[index].isReported = isReported
      }
      return (state.watches, state.reported.union(state.matched.keys))
    }
  }
}

/// A finding about a question after its wait had returned.
enum LateFinding: Sendable {
  /// It was answered after the deadline.
  case answered(Watch)
  /// More entries arrived than the bound allows.
  case exceeded(Watch, [JournalEntry])
}
