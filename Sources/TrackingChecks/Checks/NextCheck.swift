import TrackingPatterns
import TrackingServer

struct NextCheck: CheckKind {
  let pattern: EntryPattern
  private var context = CheckContext()
  private(set) var matched: [JournalEntry] = []
  /// The pattern's entries that earlier waits have matched.
  private(set) var taken: [JournalEntry] = []

  init(pattern: EntryPattern) {
    self.pattern = pattern
  }

  var patterns: [EntryPattern] { [pattern] }
  var words: Headline { "the next match of \(pattern.words)" }
  var scope: CheckScope { .entriesAndMatches }

  func mapping(_ pattern: (EntryPattern) -> EntryPattern) -> any CheckKind {
    NextCheck(pattern: pattern(self.pattern))
  }

  func begun(in context: CheckContext) -> any CheckKind {
    var check = self
    check.context = context
    return check
  }

  /// Also passes late if a later wait has matched the entry.
  var continuing: any CheckKind { CountCheck(oneOf: pattern) }
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

// MARK: - Reading

extension NextCheck {
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

  func explain(_ finding: Finding) -> Explanation {
    guard let last = taken.last else { return finding.missing(pattern) }
    var explanation = finding.missing(pattern, word: "No other")
    for entry in taken { explanation.notes[entry.number] = "matched before" }
    guard taken.count > 1 else {
      let wait = context.matcher(of: last).map { "the wait at \($0)" } ?? "an earlier wait"
      explanation.reason = "; #\(last.number) was matched by \(wait)"
      return explanation
    }
    let places = taken.map { "#\($0.number)\(context.matcher(of: $0).map { " by the wait at \($0)" } ?? "")" }
    explanation.reason = "; earlier waits matched \(ResultText.numbers(taken.map(\.number)))"
    explanation.details = "Matched before: \(CountText.list(places))."
    return explanation
  }
}
