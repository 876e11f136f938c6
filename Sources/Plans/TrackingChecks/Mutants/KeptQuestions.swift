import TrackingModel
import TrackingQuestions
import TrackingServer
import TrackingVerifier

/// The questions that a test has asked, until the stop asks them again of mutants of its timeline.
final class KeptQuestions: QuestionLog {
  private struct State {
    var questions: [KeptQuestion] = []
    /// The entries that resets have removed.
    var removed: [JournalEntry] = []
    var resets: [Int] = []
  }

  private let state = Locked(State())
  private let journal: Journal
  /// Whether closures of the test may run again.
  private let runsClosures: Bool

  init(of journal: Journal, runsClosures: Bool) {
    self.journal = journal
    self.runsClosures = runsClosures
  }

  /// Adds a wait that has ended.
  ///
  /// Its closure isn't kept, because it may capture what belongs to the caller. So it is asked now, on the caller's thread or actor.
  func add(_ reading: Reading, isGood: Bool, where condition: (TrackingEvent) -> Bool) {
    let question = reading.question
    guard !question.isOfCheck else { return }
    let answers =
      question.hasCondition && runsClosures ? answers(of: condition, to: question, until: reading.next) : [:]
    add(.wait(question, began: reading.scale.began, ended: .now), of: question) { kept in
      kept.looked = reading.next
      kept.isGood = isGood
      kept.matched = reading.matched.map(\.number)
      // Whether the test checks an outcome isn't known.
      kept.returned = question.isSilent ? .required : .discardable
      kept.closureAnswers = answers
    }
  }

  private func answers(
    of condition: (TrackingEvent) -> Bool, to question: AskedQuestion, until end: Int
  ) -> [TrackingEvent: Bool] {
    var answers: [TrackingEvent: Bool] = [:]
    for entry in journal.entries(since: question.origin) where entry.number < end {
      guard let event = entry.event?.event, question.verification.form.patterns.contains(where: { $0.matches(entry) })
      else { continue }
      for event in [event] + Mutant.nearest(of: event) where answers[event] == nil { answers[event] = condition(event) }
    }
    return answers
  }

  func add(expecting question: AskedQuestion) { add(.expectation(question), of: question) }

  func add(atStop question: AskedQuestion) { add(.stop(question), of: question) { $0.isGood = true } }

  func add(_ check: StepCheck, since origin: JournalMark, words: String, at location: CodeLocation) {
    add(.steps(check), since: origin, words, location) { $0.isGood = true }
  }

  private func add(
    _ subject: KeptQuestion.Subject, of question: AskedQuestion, _ complete: (inout KeptQuestion) -> Void = { _ in }
  ) {
    add(subject, since: question.origin, question.words, question.location, complete)
  }

  private func add(
    _ subject: KeptQuestion.Subject, since origin: JournalMark, _ words: String, _ location: CodeLocation,
    _ complete: (inout KeptQuestion) -> Void
  ) {
    let end = journal.nextNumber
    state.withLock { state in
      var kept = KeptQuestion(
        subject: subject, origin: origin, location: location, words: words, end: end, resets: state.resets.count)
      complete(&kept)
      state.questions.append(kept)
    }
  }

  /// Notes that the test has required the answer of its last question at a line.
  func require(at location: CodeLocation) {
    state.withLock { state in
      guard let index = state.questions.lastIndex(where: { $0.location.isSame(as: location) }) else { return }
      state.questions[index].returned = .required
    }
  }

  /// Keeps the entries that a reset removes from the journal.
  func reset(since beginning: JournalMark) {
    let entries = Array(journal.entries(since: beginning))
    let next = journal.nextNumber
    state.withLock { state in
      state.removed += entries
      state.resets.append(next)
    }
  }

  func report(
    on testName: String, since beginning: JournalMark, unchecked: JournalMark, hasFailed: Bool
  ) -> TrackingValue? {
    guard let test = take(name: testName, since: beginning, unchecked: unchecked), !hasFailed else { return nil }
    return MutationAnalysis.report(on: test).value
  }

  /// The test so far; the questions are forgotten.
  ///
  /// - Parameter unchecked: The place up to which an earlier stop has looked. What arrived before it belongs to the test only if a wait has asked
  ///   since then.
  /// - Returns: The test; `nil` if nothing has arrived or been asked since that stop.
  func take(name: String, since beginning: JournalMark, unchecked: JournalMark? = nil) -> KeptTest? {
    let taken = state.withLock { state in
      defer { state = State() }
      return state
    }
    let hasWaits = taken.questions.contains { if case .stop = $0.subject { false } else { true } }
    let entries = Array(journal.entries(since: hasWaits ? beginning : unchecked ?? beginning))
    guard hasWaits || !(entries.isEmpty && taken.removed.isEmpty) else { return nil }
    return KeptTest(
      name: name, entries: taken.removed + entries, questions: taken.questions, resets: taken.resets,
      lost: journal.lostEvents(since: beginning), redelivered: journal.redeliveries(since: beginning),
      runsClosures: runsClosures)
  }
}

extension CodeLocation {
  fileprivate func isSame(as other: CodeLocation) -> Bool {
    line == other.line && column == other.column && "\(fileID)" == "\(other.fileID)"
  }
}
