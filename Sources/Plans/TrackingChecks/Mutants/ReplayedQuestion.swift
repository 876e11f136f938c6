import TrackingModel
import TrackingQuestions
import TrackingServer
import TrackingVerifier

/// A question that is asked again of changed timelines, by the same reading as the test's wait.
struct ReplayedQuestion {
  /// The answer to a question.
  struct Answer {
    var isGood: Bool
    var matched: [JournalEntry] = []
    /// The question as it continues after its answer.
    var later: Reading?

    func hasSameMatches(as other: Answer) -> Bool { matched.map(\.number) == other.matched.map(\.number) }
  }

  let kept: KeptQuestion
  private let test: KeptTest
  private let table: PatternTable
  /// The question with known matches; `nil` for a check of another module.
  private let question: AskedQuestion?
  private let kinds: EntryKinds
  /// The names of the events that it looks at; `nil` for all.
  let eventNames: [String]?
  /// The indices of the entries that it can look at, and the first that arrived after its answer.
  private let range: Range<Int>
  private let end: Int

  init(_ kept: KeptQuestion, in test: KeptTest) {
    self.kept = kept
    self.test = test
    table = PatternTable(of: kept, runsClosures: test.runsClosures)
    question = table.question
    let form = question?.verification.form
    if case .steps(let check) = kept.subject {
      kinds = check.looksAtRequests ? [.events, .requests] : .events
    } else {
      kinds = question?.verification.kinds ?? []
    }
    eventNames = if let form { form.kinds.contains(.events) ? form.interest.eventNames : [] } else { nil }
    let entries = test.entries
    func index(_ number: Int) -> Int { entries.firstIndex { $0.number >= number } ?? entries.count }
    // An answer may have been sent after the mark to a request from before it.
    let first = question?.verification.ordersAnswers ?? false ? 0 : index(kept.origin.entry)
    let last = test.resets.indices.contains(kept.resets) ? index(test.resets[kept.resets]) : entries.count
    end = min(index(kept.end), last)
    range = first..<max(first, form?.bound == nil ? end : last)
    for index in range where isOfInterest(entries[index]) { table.add(kept.seen(entries[index])) }
    if form?.bound != nil, !table.isComplete { table.freeze() }
  }

  /// Whether it can't be asked again without closures that mustn't run.
  var isFrozen: Bool { table.isFrozen }

  private func isOfInterest(_ entry: JournalEntry) -> Bool {
    kinds.contains(entry)
      && entry.event.map { event in eventNames?.contains { $0.isSameText(as: event.event.name) } ?? true } ?? true
  }

  private var scope: QuestionScope { question?.verification.form.scope ?? .entries }

  var looksAtRequests: Bool { kinds.contains(.requests) }

  /// Whether its answer depends on entries.
  var includesEntries: Bool { scope.includesEntries }

  /// Whether its answer depends on what other questions have matched.
  var dependsOnMatches: Bool { scope == .entriesAndMatches }

  /// Whether further matches after the answer count.
  var isBounded: Bool { !isFrozen && question?.verification.form.bound != nil }

  /// Whether one of its patterns matches an entry, or it asks for all entries.
  func looksFor(_ number: Int) -> Bool {
    guard let row = table.row(of: number) else { return false }
    return question.map { !$0.verification.form.patterns.isEmpty && row.contains(true) } ?? true
  }

  /// The rows of changed entries, if the answer may be another one; `nil` if that needs a closure that mustn't run.
  func rows(of change: TimelineChange) -> [Int: PatternTable.Row]?? {
    let touched = change.edits.filter { range.contains($0.index) && kinds.contains(test.entries[$0.index]) }
    guard !touched.isEmpty else { return .some(nil) }
    var rows: [Int: PatternTable.Row] = [:]
    var isChanged = !change.isReplacement
    for edit in touched {
      let original = test.entries[edit.index].number
      let none = table.patterns.map { _ in false as Bool? }
      for (entry, source) in edit.entries {
        let row =
          source.map { table.row(of: test.entries[$0].number) ?? table.row(of: kept.seen(entry), nearTo: nil) }
          ?? table.row(of: kept.seen(entry), nearTo: change.isReadable ? original : nil)
        if isBounded || isFrozen, row.contains(nil) { return nil }
        rows[entry.number] = row
        isChanged = isChanged || row != table.row(of: original) ?? none
      }
    }
    if isFrozen { return isChanged ? nil : .some(nil) }
    // Only patterns see more of an entry than that it is there.
    let seesContent = question.map { $0.verification.form.patterns.isEmpty && !dependsOnMatches } ?? true
    return .some(isChanged || seesContent ? rows : nil)
  }

  /// Asks the question of the unchanged timeline, and runs closures with the entries that the test has shown them.
  func askAgain(in ledger: SharedLedger?) -> Answer {
    let answer = ask(of: TimelineChange(edits: []), [:], in: ledger)
    table.close()
    if let answer, !isFrozen { return answer }
    table.freeze()
    return Answer(isGood: kept.isGood ?? true)
  }

  /// Asks the question of the changed timeline.
  ///
  /// - Parameters:
  ///   - rows: The rows of the changed entries.
  ///   - wasGood: Whether the unchanged timeline was as it should be, so that only the changed entries need a look.
  /// - Returns: The answer; `nil` if it depends on a closure that mustn't run.
  func ask(
    of change: TimelineChange, _ rows: [Int: PatternTable.Row], in ledger: SharedLedger?, wasGood: Bool = false
  ) -> Answer? {
    guard !isFrozen, includesEntries else { return Answer(isGood: kept.isGood ?? true) }
    let names = wasGood ? change.subjects(in: test.entries).names : []
    let isOfExpectation = if case .expectation = kept.subject { true } else { false }
    func timeline(to end: Int) -> RecordedTimeline {
      let entries = change.entries(of: test.entries, in: range.lowerBound..<max(range.lowerBound, end)) { entry in
        switch scope {
        case .eachEntry where wasGood: false
        case .equalEntries where wasGood: entry.event.map { names.contains(TextKey($0.event.name)) } ?? true
        default: isOfInterest(entry)
        }
      }
      return RecordedTimeline(entries.map(kept.seen), lost: test.lost, redelivered: test.redelivered)
    }
    return table.with(rows) {
      var answer = answer(about: timeline(to: isOfExpectation ? range.upperBound : end), in: ledger)
      if isBounded { answer.later?.read(timeline(to: range.upperBound)) }
      return answer
    }
  }

  private func answer(about timeline: RecordedTimeline, in ledger: SharedLedger?) -> Answer {
    let setting = QuestionSetting(origin: kept.origin, ledger: ledger, location: nil)
    switch kept.subject {
    case .steps(let check):
      return Answer(isGood: check.holds(timeline.entries.compactMap { TimelineStep($0) }))
    case .expectation(let asked):
      guard let question else { return Answer(isGood: true) }
      var reading = Reading(expecting: question, from: .now)
      reading.read(timeline)
      let (count, bound) = (reading.matched.count, asked.verification.form.bound ?? .atLeast(0))
      let isInverted = bound.least == 0 && bound.most != nil
      return Answer(isGood: isInverted ? count <= bound.most ?? .max : count >= bound.least, later: reading)
    case .wait(_, let began, _):
      guard let question else { return Answer(isGood: true) }
      var reading = Reading(question, in: setting, from: began)
      reading.read(timeline)
      let isGood = reading.state(at: .now).isGood
      // A silent question that fails matches nothing.
      let matched = question.isSilent && !isGood ? [] : reading.matched
      return Answer(isGood: isGood, matched: matched, later: isGood ? reading.countingOn : nil)
    case .stop:
      guard let question else { return Answer(isGood: true) }
      var reading = Reading(
        question, in: setting, asOf: Timescale(began: .now, deadline: .now + .clamping(seconds: .infinity)))
      reading.read(timeline)
      return Answer(isGood: reading.evaluation.state.isGood)
    }
  }
}
