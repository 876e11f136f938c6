import TrackingServer

/// One match directly after the other, each of its pattern, with nothing of their kinds between.
struct ConsecutiveQuestion: QuestionForm {
  let patterns: [EntryPattern]

  var isOrdered: Bool { true }
  /// All entries of the patterns' kinds, because they separate others.
  var interest: JournalInterest { JournalInterest(in: kinds, revisions: JournalInterest(of: patterns).revisions) }
  var description: String { "\(kinds.counted(patterns.count)) in order, with nothing between" }

  func mapping(_ pattern: (EntryPattern) -> EntryPattern) -> any QuestionForm {
    ConsecutiveQuestion(patterns: patterns.map(pattern))
  }

  func evaluation(in setting: QuestionSetting) -> any Evaluation { ConsecutiveEvaluation(patterns) }
}

extension Verification {
  /// One match directly after the other, each of its pattern, with nothing of their kinds between: requests do not separate events unless a pattern
  /// asks for requests.
  ///
  /// A request that matches a pattern by its answer is between others where its answer was sent, every other one where it arrived.
  public static func consecutive(_ patterns: [EntryPattern]) -> Verification {
    Verification(ConsecutiveQuestion(patterns: patterns))
  }
}

/// Looks for entries that follow each other directly, each of its pattern.
///
/// Only entries of the kinds that the patterns ask for are between others.
private struct ConsecutiveEvaluation: Evaluation {
  private let patterns: [EntryPattern]
  /// The moments since the earliest run that is not broken off began.
  private var recent: [TimelineMoment] = []
  /// The lengths of the runs that end with the last entry, the longest first.
  private var runs: [Int] = []
  private var found: [TimelineMoment] = []
  /// The longest run that was broken off, and the moment that did it.
  private var longest: (run: [TimelineMoment], next: TimelineMoment)?

  init(_ patterns: [EntryPattern]) {
    self.patterns = patterns
  }

  var state: QuestionState { found.count == patterns.count ? .met : .open }
  var matched: [JournalEntry] { found.map(\.entry) }

  mutating func take(_ entry: JournalEntry) -> Bool {
    isPlacedByAnswer(entry) ? false : add(TimelineMoment(entry: entry, isAnswer: false))
  }

  mutating func take(answerTo request: JournalEntry) -> Bool {
    isPlacedByAnswer(request) ? add(TimelineMoment(entry: request, isAnswer: true)) : false
  }

  /// Whether an entry has the place of its answer, because it matches a pattern by it.
  private func isPlacedByAnswer(_ entry: JournalEntry) -> Bool {
    guard entry.request?.sending != nil else { return false }
    return patterns.contains { $0.matches(TimelineMoment(entry: entry, isAnswer: true)) }
  }

  private mutating func add(_ moment: TimelineMoment) -> Bool {
    guard state == .open else { return false }
    let before = runs
    runs = before.compactMap { patterns[$0].matches(moment.entry) ? $0 + 1 : nil }
    if let run = before.first, runs.first != run + 1, run > longest?.run.count ?? 0 {
      longest = (recent.suffix(run), moment)
    }
    if patterns[0].matches(moment.entry) { runs.append(1) }
    recent.append(moment)
    recent.removeFirst(recent.count - (runs.first ?? 0))
    if runs.first == patterns.count { found = recent }
    return !runs.isEmpty
  }

  func explanation(of entries: [JournalEntry], on scale: Timescale) -> Explanation {
    var gapped = OrderEvaluation(patterns)
    for moment in TimelineMoment.all(of: entries, since: .beginning) where moment.instant <= scale.deadline {
      _ = gapped.take(moment)
    }
    let isBrokenOff = longest.map { $0.run.count >= recent.count } ?? false
    let run = isBrokenOff ? longest?.run ?? [] : recent
    let inOrder = gapped.explanation(of: entries, on: scale)
    // An entry that arrived only before the run has not failed to arrive.
    guard !run.isEmpty, isBrokenOff || inOrder.kind != .wrongOrder else { return inOrder }

    let subject = ResultText.subject(run.count, of: patterns[run.count])
    var explanation = Explanation(kind: .unexpectedExtra, result: "")
    for (index, moment) in run.enumerated() { explanation.note(moment, "\(index + 1) of \(patterns.count)") }
    if isBrokenOff, let next = longest?.next {
      explanation.result =
        "In place of \(subject.prefix(1).lowercased())\(subject.dropFirst()), #\(next.entry.number) arrived, \(scale.time(of: next))."
      explanation.note(next, "between")
    } else {
      explanation.result = "\(subject) \(scale.neverArrived)."
    }
    explanation.result +=
      run.count == 1
      ? " No two arrived in a row."
      : " At most the first \(run.count) arrived in a row: \(ResultText.numbers(run.map(\.entry.number)))."
    if gapped.state == .open {
      explanation.kind = inOrder.kind
      explanation.missing = [
        Explanation.Missing(title: "The \(CountText.ordinal(run.count + 1))", pattern: patterns[run.count])
      ]
    }
    return explanation
  }
}
