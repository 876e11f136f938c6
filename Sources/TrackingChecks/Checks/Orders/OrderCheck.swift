import TrackingServer

struct OrderCheck: CheckKind {
  let patterns: [EntryPattern]

  var listsPatterns: Bool { true }
  var problem: String? { orderProblem }
  var description: String { "\(EntryKinds.counted(patterns)) in order" }

  func mapping(_ pattern: (EntryPattern) -> EntryPattern) -> any CheckKind {
    OrderCheck(patterns: patterns.map(pattern))
  }

  func evaluation(in context: CheckContext) -> any Evaluation {
    OrderEvaluation(patterns, since: context.origin)
  }
}

extension TrackingCheck<CheckOutcome> {
  /// Passes if the patterns match one after the other, whatever arrives in between: `.inOrder([.named("cart_shown"), .named("purchase")])`.
  ///
  /// The order is that of arrival. A request arrives when its head and body have been received. A pattern for a response, such as
  /// `RequestPattern.responded(_:)`, matches at the moment the response is sent. An empty list fails at once.
  public static func inOrder(_ patterns: [EntryPattern]) -> TrackingCheck<CheckOutcome> {
    TrackingCheck<CheckOutcome>(OrderCheck(patterns: patterns))
  }
}

/// Matches each pattern with the first moment after the previous match: if any moments pass the check, these do.
struct OrderEvaluation: Evaluation {
  private let patterns: [EntryPattern]
  private let origin: JournalMark
  private var found: [TimelineMoment]

  init(_ patterns: [EntryPattern], since origin: JournalMark, found: [TimelineMoment] = []) {
    self.patterns = patterns
    self.origin = origin
    self.found = found
  }

  var state: CheckState { found.count == patterns.count ? .met : .open }
  var matched: [JournalEntry] { found.map(\.entry) }

  mutating func take(_ moment: TimelineMoment) -> Bool {
    guard found.count < patterns.count, patterns[found.count].matches(moment) else { return false }
    found.append(moment)
    return true
  }

  func headline(_ facts: VerdictFacts) -> Headline { headline(facts, of: "\(EntryKinds.counted(patterns)) in order") }

  func headline(_ facts: VerdictFacts, of words: String) -> Headline {
    guard found.count < patterns.count else { return "Expected \(words), and they arrived" }
    let missing: Headline = "Expected \(words), but \(ResultText.subject(found.count, of: patterns[found.count]))"
    guard let last = found.last, let early = early(in: facts.entries, facts.scale.deadline) else {
      return "\(missing) didn't arrive\(facts.time)\(facts.instead)"
    }
    let place = CountText.ordinal(found.count)
    return "\(missing) \(early.verb) before the \(place) (#\(early.entry.number) before #\(last.entry.number))"
  }

  func explanation(of entries: [JournalEntry], on scale: Timescale) -> Explanation {
    let count = patterns.count
    var explanation = Explanation(kind: .wrongOrder)
    for (index, moment) in found.enumerated() { explanation.note(moment, "\(index + 1) of \(count)") }
    guard found.count < count else { return explanation }
    if let last = found.last, let early = early(in: entries, scale.deadline) {
      explanation.note(early, "too early")
      explanation.about = [early.entry]
      if let crossing = ResultText.crossing(early, last) {
        explanation.details = "\(crossing), or check with `inAnyOrder`."
      }
      return explanation
    }
    explanation.kind = .tooFew
    explanation.missing = [
      Explanation.Missing(title: "The \(CountText.ordinal(found.count + 1))", pattern: patterns[found.count])
    ]
    return explanation
  }

  /// Returns the last match of the next pattern that came before the last match found.
  private func early(in entries: [JournalEntry], _ deadline: ContinuousClock.Instant) -> TimelineMoment? {
    found.last.flatMap { lastMoment(of: patterns[found.count], in: entries, before: $0, deadline) }
  }

  private func lastMoment(
    of pattern: EntryPattern, in entries: [JournalEntry], before last: TimelineMoment,
    _ deadline: ContinuousClock.Instant
  ) -> TimelineMoment? {
    TimelineMoment.all(of: entries, since: origin).last { moment in
      moment.instant <= deadline && moment < last && pattern.matches(moment)
        && !found.contains { $0.isResponse == moment.isResponse && $0.entry.number == moment.entry.number }
    }
  }
}
