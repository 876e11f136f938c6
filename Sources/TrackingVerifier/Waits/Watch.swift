import TrackingModel
import TrackingServer

/// A question that continues after its wait has returned: a count whose bound may be exceeded, or a question whose wait timed out.
struct Watch: Sendable {
  private enum Kind: Sendable {
    /// A count: the number of matches that the wait has counted, and those of them that are read again.
    case bound(EntryPattern, most: Int?, counted: Int, known: Set<Int>)
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
    let (pattern, matched) = (wait.question.pattern, wait.evaluation.matched)
    // Requests that the wait has read may match by answers that are sent later.
    let readsAgain = pattern.interest.revisions
    self.init(
      wait.question, wait.scale, next: readsAgain ? wait.question.origin.entry : wait.next,
      .bound(
        pattern, most: bound.most, counted: matched.count, known: readsAgain ? Set(matched.map(\.number)) : []))
  }

  /// A count that XCTest waits for.
  init(expecting question: Question, _ count: EventCount, of pattern: EntryPattern) {
    self.init(
      question, Timescale(began: .now, deadline: .now), next: question.origin.entry,
      .bound(pattern, most: count.most, counted: 0, known: []), isOfExpectation: true)
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
    case .bound(let pattern, _, _, let known):
      // Requests may match by answers that were added since.
      if pattern.interest.revisions { (next, matches) = (first, []) }
      for entry in journal.entries(from: next) {
        next = entry.number + 1
        if !known.contains(entry.number), pattern.matches(entry) { matches.append(entry) }
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
    guard case .bound(_, let most?, let counted, _) = kind else { return [] }
    return Array(matches.dropFirst(max(most - counted, 0)))
  }

  /// The numbers of the entries that the question accounts for: those that the bound has room for, or a late answer's.
  var allowed: Set<Int> {
    switch kind {
    case .bound(_, let most, let counted, _):
      Set(matches.prefix(most.map { max($0 - counted, 0) } ?? .max).map(\.number))
    case .late(let evaluation, _): Set(isAnswered ? evaluation.matched.map(\.number) : [])
    }
  }
}
