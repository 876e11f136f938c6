import TrackingServer

/// Counts the entries of a pattern.
struct CountEvaluation: Evaluation {
  let count: EventCount
  let pattern: EntryPattern
  /// Claims a match for this wait; `false` when an earlier wait has matched it, for `next`.
  private let claim: (@Sendable (JournalEntry) -> Bool)?
  let countsOn: Bool
  private(set) var matched: [JournalEntry] = []

  /// - Parameter countsOn: Whether all entries that have arrived are counted, and not only the first that suffice.
  init(
    _ count: EventCount, of pattern: EntryPattern, countsOn: Bool = true,
    claim: (@Sendable (JournalEntry) -> Bool)? = nil
  ) {
    self.count = count
    self.pattern = pattern
    self.countsOn = countsOn
    self.claim = claim
  }

  var state: QuestionState { count.state(at: matched.count) }

  mutating func take(_ entry: JournalEntry) -> Bool {
    guard countsOn || !state.isFinal, pattern.matches(entry), claim?(entry) ?? true else { return false }
    matched.append(entry)
    return true
  }

  func explanation(of entries: [JournalEntry], on scale: Timescale) -> Explanation {
    var notes = Dictionary(uniqueKeysWithValues: matched.map { ($0.number, "matches") })
    guard state == .broken, let most = count.most, matched.count > most else {
      return Explanation(
        kind: .tooFew, result: ResultText.received(matched.map(\.number), among: entries, of: pattern.kinds),
        notes: notes, missing: [("", pattern)])
    }
    for extra in matched.dropFirst(most) { notes[extra.number] = "too many" }
    let first = scale.place(of: matched[most])
    let result =
      matched.count == 1
      ? "It arrived: \(first)."
      : "It arrived \(CountText.times(matched.count)); the first one too many is \(first)."
    return Explanation(kind: .tooMany, result: result, notes: notes)
  }
}
