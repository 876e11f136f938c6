import TrackingServer

struct NextCheck: CheckKind {
  let pattern: EntryPattern

  var patterns: [EntryPattern] { [pattern] }
  var description: String { "the next match of \(pattern)" }
  var scope: CheckScope { .entriesAndMatches }

  func mapping(_ pattern: (EntryPattern) -> EntryPattern) -> any CheckKind {
    NextCheck(pattern: pattern(self.pattern))
  }

  func evaluation(in context: CheckContext) -> any Evaluation { NextEvaluation(of: pattern, in: context) }

  /// Also passes late if a later wait has matched the entry.
  func continuing(_ evaluation: any Evaluation) -> any Evaluation {
    CountEvaluation(oneOf: pattern)
  }
}

extension TrackingCheck {
  /// Matches the first event or request that no earlier wait has matched: `verifier.wait(for: .next(.named("added_to_cart")))`.
  ///
  /// Two taps followed by two waits for the next event need two events; without `next`, both waits match the first.
  public static func next<Entry>(_ check: TrackingCheck) -> TrackingCheck where Value == Entry? {
    TrackingCheck(NextCheck(pattern: check.kind.patterns[0]), value: check.makeValue)
  }
}

extension TrackingCheck<CheckOutcome> {
  package static func nextOne(_ pattern: EntryPattern) -> TrackingCheck<CheckOutcome> {
    TrackingCheck<CheckOutcome>(NextCheck(pattern: pattern))
  }
}

private struct NextEvaluation: Evaluation {
  let pattern: EntryPattern
  private let context: CheckContext
  private(set) var matched: [JournalEntry] = []
  /// The pattern's entries that earlier waits have matched.
  private(set) var taken: [JournalEntry] = []

  init(of pattern: EntryPattern, in context: CheckContext) {
    self.pattern = pattern
    self.context = context
  }

  var state: CheckState { matched.isEmpty ? .open : .met }

  mutating func take(_ moment: TimelineMoment) -> Bool {
    guard matched.isEmpty, pattern.matches(moment) else { return false }
    let entry = moment.entry
    guard context.claim(entry) else {
      taken.append(entry)
      return false
    }
    matched = [entry]
    return true
  }

  func headline(_ facts: VerdictFacts) -> Headline {
    guard let last = taken.last else { return facts.missing(pattern) }
    let wait = context.matcher(of: last).map { "the wait at \($0)" } ?? "an earlier wait"
    let instead: Headline =
      taken.count == 1
      ? "; #\(last.number) was matched by \(wait)"
      : "; earlier waits matched \(ResultText.numbers(taken.map(\.number)))"
    var facts = facts
    facts.instead = instead
    return facts.missing(pattern, word: "No other")
  }

  func explanation(of entries: [JournalEntry], on scale: Timescale) -> Explanation {
    var explanation = Explanation(kind: .tooFew, missing: [Explanation.Missing(title: "", pattern: pattern)])
    for entry in taken { explanation.notes[entry.number] = "matched before" }
    if taken.count > 1 {
      let places = taken.map { entry in
        "#\(entry.number)\(context.matcher(of: entry).map { " by the wait at \($0)" } ?? "")"
      }
      explanation.details = "Matched before: \(CountText.list(places))."
    }
    return explanation
  }
}
