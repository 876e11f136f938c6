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
  /// A request has the place of its arrival, and that of its answer if a pattern matches it by the answer, as in ``inOrder(_:)``. A request that is itself
  /// among the matches doesn't separate them.
  public static func consecutive(_ patterns: [EntryPattern]) -> Verification {
    Verification(ConsecutiveQuestion(patterns: patterns))
  }
}

/// Looks for moments that follow each other directly, each of its pattern.
///
/// Only entries of the kinds that the patterns ask for are between others.
private struct ConsecutiveEvaluation: Evaluation {
  /// Matches that nothing has separated so far.
  private struct Run {
    var found: [TimelineMoment]
    /// The arrivals among them that separate them unless an answer to the same request follows, each with the number of matches before it.
    var pending: [(arrival: TimelineMoment, matches: Int)] = []
  }

  private let patterns: [EntryPattern]
  private var runs: [Run] = []
  private var found: [TimelineMoment] = []
  /// The longest run that was broken off, and the moment that did it.
  private var longest: (run: [TimelineMoment], next: TimelineMoment)?

  init(_ patterns: [EntryPattern]) {
    self.patterns = patterns
  }

  var state: QuestionState { found.count == patterns.count ? .met : .open }
  var matched: [JournalEntry] { found.map(\.entry) }

  mutating func take(_ entry: JournalEntry) -> Bool { add(TimelineMoment(entry)) }

  mutating func take(answerTo request: JournalEntry) -> Bool {
    isMatchedByAnswer(request) ? add(TimelineMoment(entry: request, isAnswer: true)) : false
  }

  /// Whether the answer to a request has been sent, and makes the request match a pattern.
  private func isMatchedByAnswer(_ entry: JournalEntry) -> Bool {
    guard entry.request?.sending != nil else { return false }
    return patterns.contains { $0.matches(TimelineMoment(entry: entry, isAnswer: true)) }
  }

  private mutating func add(_ moment: TimelineMoment) -> Bool {
    guard state == .open else { return false }
    for index in runs.indices.reversed() {
      guard let next = separator(extending: &runs[index], with: moment) else { continue }
      let run = runs.remove(at: index).found.prefix(next.matches)
      if run.count > longest?.run.count ?? 0 { longest = (Array(run), next.arrival) }
    }
    if patterns[0].matches(moment) { runs.append(Run(found: [moment])) }
    if let run = runs.first(where: { $0.found.count == patterns.count }) { found = run.found }
    return !runs.isEmpty
  }

  /// Adds the next moment to a run.
  ///
  /// - Returns: The moment that separates the run, and the number of matches before it; `nil` if the run continues.
  private func separator(
    extending run: inout Run, with moment: TimelineMoment
  ) -> (arrival: TimelineMoment, matches: Int)? {
    let number = moment.entry.number
    if patterns[run.found.count].matches(moment) {
      run.found.append(moment)
      run.pending.removeAll { $0.arrival.entry.number == number }
      return run.found.count == patterns.count ? run.pending.first : nil
    }
    if moment.isAnswer {
      return run.found.contains { $0.entry.number == number } ? nil : (moment, run.found.count)
    }
    guard isMatchedByAnswer(moment.entry) else { return (moment, run.found.count) }
    run.pending.append((moment, run.found.count))
    return nil
  }

  func explanation(of entries: [JournalEntry], on scale: Timescale) -> Explanation {
    let open = runs.map(\.found).max { $0.count < $1.count } ?? []
    guard let (run, next) = longest, run.count >= open.count else {
      return OrderEvaluation(patterns, found: open).explanation(of: entries, on: scale)
    }
    var inOrder = OrderEvaluation(patterns)
    for moment in TimelineMoment.all(of: entries, since: .beginning) where moment.instant <= scale.deadline {
      _ = inOrder.take(moment)
    }
    let subject = ResultText.subject(run.count, of: patterns[run.count], article: "the")
    let verb = next.isLaterAnswer ? "was" : "arrived,"
    var explanation = Explanation(
      kind: .unexpectedExtra,
      result: "In place of \(subject), #\(next.entry.number) \(verb) \(scale.time(of: next))."
        + (run.count == 1
          ? " No two arrived in a row."
          : " At most the first \(run.count) arrived in a row: \(ResultText.numbers(run.map(\.entry.number)))."))
    for (index, moment) in run.enumerated() { explanation.note(moment, "\(index + 1) of \(patterns.count)") }
    explanation.note(next, "between")
    explanation.about = [next.entry]
    if inOrder.state == .open {
      explanation.kind = inOrder.explanation(of: entries, on: scale).kind
      explanation.missing = [
        Explanation.Missing(title: "The \(CountText.ordinal(run.count + 1))", pattern: patterns[run.count])
      ]
    }
    return explanation
  }
}
