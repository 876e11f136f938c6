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
  }

  let kept: KeptQuestion
  private let entries: [JournalEntry]
  private let table: PatternTable
  /// The question with known matches.
  private let question: AskedQuestion
  /// The indices of the entries that it can look at, and the first that arrived after its answer.
  private let range: Range<Int>
  private let end: Int
  /// Whether it can't be asked again, because that needs a closure that mustn't run.
  private(set) var isFrozen = false

  init(_ kept: KeptQuestion, in test: KeptTest) {
    self.kept = kept
    entries = test.entries
    table = PatternTable(of: kept, runsClosures: test.runsClosures)
    question = table.question
    func index(_ number: Int) -> Int { test.entries.firstIndex { $0.number >= number } ?? test.entries.count }
    let verification = question.verification
    // An answer may have been sent after the mark to a request from before it.
    let first = verification.ordersAnswers ? 0 : index(kept.asked.origin.entry)
    let last = test.resets.indices.contains(kept.resets) ? index(test.resets[kept.resets]) : entries.count
    end = max(first, min(index(kept.end), last))
    range = first..<max(first, verification.form.bound == nil ? end : last)
    for index in range where isOfInterest(entries[index]) { table.add(kept.seen(entries[index])) }
  }

  private var form: any QuestionForm { question.verification.form }

  private func isOfInterest(_ entry: JournalEntry) -> Bool {
    form.kinds.contains(entry) && entry.event.map { form.interest.concerns(eventNamed: $0.event.name) } ?? true
  }

  /// Whether its answer depends on what other questions have matched.
  var dependsOnMatches: Bool { form.scope == .entriesAndMatches }

  /// Whether one of its patterns matches an entry, or it asks for all entries.
  func looksFor(_ number: Int) -> Bool {
    table.row(of: number).map { $0.contains(true) || question.verification.isSequence } ?? false
  }

  /// The rows of changed entries; `nil` if the answer can't be another one.
  func rows(of edits: [Int: [JournalEntry]]) -> [Int: PatternTable.Row]? {
    let touched = edits.filter { range.contains($0.key) && form.kinds.contains(entries[$0.key]) }
    guard form.scope.includesEntries, !touched.isEmpty else { return nil }
    var rows: [Int: PatternTable.Row] = [:]
    // Only patterns see more of an entry than that it is there.
    var isChanged = form.patterns.isEmpty && !dependsOnMatches
    for (index, changed) in touched {
      isChanged = isChanged || changed.count != 1
      for entry in changed {
        let row = table.row(of: kept.seen(entry))
        rows[entry.number] = row
        isChanged = isChanged || row.contains(nil) || row != table.row(of: kept.seen(entries[index]))
      }
    }
    return isChanged ? rows : nil
  }

  /// Asks the question of the unchanged timeline, and runs closures with the entries that the test has shown them.
  mutating func askAgain(in ledger: SharedLedger) -> Answer {
    let answer = ask(of: [:], [:], in: ledger)
    table.close()
    isFrozen = answer == nil
    return answer ?? Answer(isGood: kept.isGood ?? true)
  }

  /// Asks the question of the changed timeline.
  ///
  /// - Parameters:
  ///   - rows: The rows of the changed entries.
  ///   - wasGood: Whether the unchanged timeline was as it should be, so that only the changed entries need a look.
  /// - Returns: The answer; `nil` if it depends on a closure that mustn't run.
  func ask(
    of edits: [Int: [JournalEntry]], _ rows: [Int: PatternTable.Row], in ledger: SharedLedger, wasGood: Bool = false
  ) -> Answer? {
    guard form.scope.includesEntries else { return Answer(isGood: kept.isGood ?? true) }
    guard !isFrozen else { return nil }
    let names = Set(edits.flatMap { [entries[$0]] + $1 }.compactMap { $0.event.map { TextKey($0.event.name) } })
    func isWanted(_ entry: JournalEntry) -> Bool {
      switch form.scope {
      case .eachEntry where wasGood: false
      case .equalEntries where wasGood: entry.event.map { names.contains(TextKey($0.event.name)) } ?? true
      default: isOfInterest(entry)
      }
    }
    func timeline(to end: Int) -> RecordedTimeline {
      RecordedTimeline(
        (range.lowerBound..<end).flatMap { index in
          (edits[index] ?? (isWanted(entries[index]) ? [entries[index]] : [])).map(kept.seen)
        })
    }
    return table.with(rows) {
      let setting = QuestionSetting(origin: kept.asked.origin, ledger: ledger, location: nil)
      var answer: Answer
      switch kept.manner {
      case .expectation:
        var reading = Reading(expecting: question, from: .now)
        reading.read(timeline(to: range.upperBound))
        let (count, bound) = (reading.matched.count, form.bound ?? .atLeast(0))
        let isInverted = bound.least == 0 && bound.most != nil
        return Answer(isGood: isInverted ? count <= bound.most ?? .max : count >= bound.least, later: reading)
      case .wait(let began, _):
        var reading = Reading(question, in: setting, from: began)
        reading.read(timeline(to: end))
        let isGood = reading.evaluation.state.isGood
        // A silent question that fails matches nothing.
        answer = Answer(isGood: isGood, matched: question.isSilent && !isGood ? [] : reading.matched)
        if isGood { answer.later = reading.countingOn }
        answer.later?.read(timeline(to: range.upperBound))
      case .stop:
        let scale = Timescale(began: .now, deadline: .now + .clamping(seconds: .infinity))
        var reading = Reading(question, in: setting, asOf: scale)
        reading.read(timeline(to: end))
        answer = Answer(isGood: reading.evaluation.state.isGood)
      }
      return answer
    }
  }
}
