import TrackingServer

/// The first match of a pattern that no earlier wait has matched.
struct NextCheck: CheckForm {
  let pattern: EntryPattern

  var patterns: [EntryPattern] { [pattern] }
  var description: String { "the next match of \(pattern)" }
  var scope: CheckScope { .entriesAndMatches }

  func mapping(_ pattern: (EntryPattern) -> EntryPattern) -> any CheckForm {
    NextCheck(pattern: pattern(self.pattern))
  }

  func evaluation(in setting: CheckContext) -> any Evaluation { NextEvaluation(of: pattern, in: setting) }

  /// A match of a later wait answers the question too.
  func continuing(_ evaluation: any Evaluation) -> any Evaluation {
    CountEvaluation(.atLeast(1), of: pattern, countsOn: false)
  }
}

extension TrackingCheck {
  /// The first event or request that no earlier wait has matched: `verifier.wait(for: .next(.named("added_to_cart")))`.
  ///
  /// Two taps and two waits for the next need two events, where two other waits are content with one.
  public static func next<Entry>(_ check: TrackingCheck) -> TrackingCheck where Value == Entry? {
    TrackingCheck(NextCheck(pattern: check.form.patterns[0]), value: check.makeValue)
  }
}

extension TrackingCheck<CheckOutcome> {
  /// The question of `next`, for any entries.
  package static func nextOne(_ pattern: EntryPattern) -> TrackingCheck<CheckOutcome> {
    TrackingCheck<CheckOutcome>(NextCheck(pattern: pattern))
  }
}

/// Matches the first entry of a pattern that is free.
private struct NextEvaluation: Evaluation {
  let pattern: EntryPattern
  private let setting: CheckContext
  private(set) var matched: [JournalEntry] = []
  /// The entries of the pattern that earlier waits have matched.
  private(set) var taken: [JournalEntry] = []

  init(of pattern: EntryPattern, in setting: CheckContext) {
    self.pattern = pattern
    self.setting = setting
  }

  var state: CheckState { matched.isEmpty ? .open : .met }

  mutating func take(_ entry: JournalEntry) -> Bool {
    guard matched.isEmpty, pattern.matches(entry) else { return false }
    guard setting.claim(entry) else {
      taken.append(entry)
      return false
    }
    matched = [entry]
    return true
  }

  func explanation(of entries: [JournalEntry], on scale: Timescale) -> Explanation {
    let missing = [Explanation.Missing(title: "", pattern: pattern)]
    guard !taken.isEmpty else {
      return Explanation(
        kind: .tooFew, result: ResultText.received([], among: entries, of: pattern.kinds), missing: missing)
    }
    let places = CountText.list(
      taken.map { entry in "#\(entry.number)\(setting.matcher(of: entry).map { " by the one at \($0)" } ?? "")" })
    return Explanation(
      kind: .tooFew,
      result: ResultText.received(taken.map(\.number), among: entries, of: pattern.kinds)
        + " Earlier waits have matched \(taken.count == 1 ? "it" : "them"): \(places).",
      notes: Dictionary(uniqueKeysWithValues: taken.map { ($0.number, "matched before") }), missing: missing)
  }
}
