import TrackingModel
import TrackingServer
import TrackingSockets

/// The entries that the waits of a verifier have matched, and the questions that continue after their waits have returned.
///
/// Its results follow from the journal and from the matches alone, so they don't depend on who asks, or when.
final class MatchLedger: Sendable {
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

  /// Those of several entries that no wait has matched, that no bound has room for, and that did not answer a failed wait late.
  @Sendable func unmatched(_ entries: [JournalEntry]) -> [JournalEntry] {
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

/// A question that continues after its wait has returned: a count whose bound may be exceeded, or a question whose wait timed out.
struct Watch: Sendable {
  private enum Kind: Sendable {
    case bound(EntryPattern, most: Int?, counted: Int)
    case late(any Evaluation, restart: @Sendable () -> any Evaluation)
  }

  /// Distinguishes it from the watches from before a reset.
  let id: Int
  let question: Question
  let scale: Timescale
  /// Whether it belongs to an expectation, which XCTest waits for, and which counts from the first match.
  let isOfExpectation: Bool
  /// Whether the late answer has been reported.
  var isReported = false
  /// The number of the first entry that was not looked at.
  private(set) var next: Int
  private let first: Int
  private var kind: Kind
  /// The matches since the wait has returned.
  private var matches: [JournalEntry] = []
  /// The moment that answered a question whose wait had timed out; also `nil` if the answer isn't an entry.
  private(set) var answer: TimelineMoment?
  private(set) var isAnswered = false

  private static let ids = Locked(0)

  private init(_ question: Question, _ scale: Timescale, next: Int, _ kind: Kind, isOfExpectation: Bool = false) {
    id = Self.ids.withLock { ids in
      ids += 1
      return ids
    }
    self.question = question
    self.scale = scale
    self.next = next
    first = next
    self.kind = kind
    self.isOfExpectation = isOfExpectation
  }

  /// A count that a wait found to hold.
  init(_ wait: Wait, bound: EventCount) {
    self.init(
      wait.question, wait.scale, next: wait.next,
      .bound(wait.question.pattern, most: bound.most, counted: wait.evaluation.matched.count))
  }

  /// A count that XCTest waits for.
  init(expecting question: Question, _ count: EventCount, of pattern: EntryPattern) {
    self.init(
      question, Timescale(began: .now, deadline: .now), next: question.origin.entry,
      .bound(pattern, most: count.most, counted: 0), isOfExpectation: true)
  }

  /// A question whose wait timed out.
  init(late wait: Wait) {
    let form = wait.question.verification.form
    self.init(
      wait.question, wait.scale, next: wait.next,
      .late(
        form.continuing(wait.evaluation),
        restart: { [makeEvaluation = wait.makeEvaluation] in form.continuing(makeEvaluation()) }))
  }

  /// Reads the entries that have arrived.
  mutating func read(_ journal: Journal) {
    switch kind {
    case .bound(let pattern, _, _):
      // Requests may match by answers that were added since.
      if pattern.interest.revisions { (next, matches) = (first, []) }
      for entry in journal.entries(from: next) {
        next = entry.number + 1
        if pattern.matches(entry) { matches.append(entry) }
      }
    case .late(var evaluation, let restart):
      guard !isAnswered else { return }
      let verification = question.verification
      if verification.ordersAnswers {
        // Answers that were sent since may belong to earlier requests.
        evaluation = restart()
        let moments = verification.moments(of: journal, since: question.origin)
        for moment in moments where verification.kinds.contains(moment.entry) && !isAnswered {
          if evaluation.take(moment), evaluation.state.isGood { (answer, isAnswered) = (moment.ofAnswer, true) }
        }
      } else {
        for entry in journal.entries(from: next) where !isAnswered {
          next = entry.number + 1
          guard verification.kinds.contains(entry), evaluation.take(entry), evaluation.state.isGood else { continue }
          (answer, isAnswered) = (TimelineMoment(entry: entry, isAnswer: false), true)
        }
      }
      evaluation.look(at: journal)
      isAnswered = isAnswered || evaluation.state.isGood
      kind = .late(evaluation, restart: restart)
    }
  }

  /// The matches that the bound has no room for.
  var extras: [JournalEntry] {
    guard case .bound(_, let most?, let counted) = kind else { return [] }
    return Array(matches.dropFirst(max(most - counted, 0)))
  }

  /// The numbers of the entries that the question accounts for: those that the bound has room for, or a late answer's.
  var allowed: Set<Int> {
    switch kind {
    case .bound(_, let most, let counted):
      Set(matches.prefix(most.map { max($0 - counted, 0) } ?? .max).map(\.number))
    case .late(let evaluation, _): Set(isAnswered ? evaluation.matched.map(\.number) : [])
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
