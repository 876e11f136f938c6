import TrackingServer

/// A number of matches of a pattern.
struct CountCheck: CheckForm {
  let count: EventCount
  let pattern: EntryPattern
  /// Whether the test has written a count of `next`, which is one match.
  var isOfNext = false

  var patterns: [EntryPattern] { [pattern] }
  var absent: [EntryPattern] { count.least == 0 ? [pattern] : [] }
  var problem: String? {
    isOfNext ? "`next` is for one match, so it has no count: wait for each." : count.problem ?? patternProblem
  }
  var bound: EventCount? { count }
  var description: String { "\(pattern), \(count)" }

  func mapping(_ pattern: (EntryPattern) -> EntryPattern) -> any CheckForm {
    CountCheck(count: count, pattern: pattern(self.pattern))
  }

  func evaluation(in setting: CheckContext) -> any Evaluation { CountEvaluation(count, of: pattern) }
}

extension TrackingCheck<CheckOutcome> {
  /// A number of matches of a pattern: `.count(1...3, of: .named("purchase"))`.
  public static func count(_ count: some EventCountConvertible, of pattern: EntryPattern) -> TrackingCheck<CheckOutcome>
  {
    TrackingCheck<CheckOutcome>(CountCheck(count: count.eventCount, pattern: pattern))
  }
}

extension TrackingCheck {
  /// The question of a number of such events or requests.
  package func counted<Entry>(_ count: EventCount) -> TrackingCheck<CheckOutcome> where Value == Entry? {
    TrackingCheck<CheckOutcome>(
      CountCheck(count: count, pattern: form.patterns[0], isOfNext: form.scope == .entriesAndMatches))
  }
}

/// Counts the entries of a pattern.
struct CountEvaluation: Evaluation {
  let count: EventCount
  let pattern: EntryPattern
  let countsOn: Bool
  private(set) var matched: [JournalEntry] = []
  private var doubts: [UndecidedEntry] = []

  /// - Parameter countsOn: Whether all entries that have arrived are counted, and not only the first that suffice.
  init(_ count: EventCount, of pattern: EntryPattern, countsOn: Bool = true) {
    self.count = count
    self.pattern = pattern
    self.countsOn = countsOn
  }

  /// A bound that entries may exceed which can't be read doesn't hold.
  var state: CheckState {
    let state = count.state(at: matched.count)
    return state == .holding && count.state(at: matched.count + doubts.count) == .broken ? .broken : state
  }

  var doubtful: [JournalEntry] { doubts.map(\.entry) }

  mutating func take(_ entry: JournalEntry) -> Bool {
    guard countsOn || !state.isFinal else { return false }
    switch pattern.match(entry) {
    case .no: return false
    case .undecided(let reason): doubts.append(UndecidedEntry(entry: entry, reason: reason))
    case .yes: matched.append(entry)
    }
    return true
  }

  func explanation(of entries: [JournalEntry], on scale: Timescale) -> Explanation {
    var notes = Dictionary(uniqueKeysWithValues: matched.map { ($0.number, "matches") })
    if state == .broken, matched.count <= count.most ?? .max, let doubt = doubts.first {
      for doubt in doubts { notes[doubt.entry.number] = "undecided" }
      let matches = matched.count == 0 ? "" : " For certain it arrived \(CountText.times(matched.count))."
      return Explanation(
        kind: .tooMany, result: doubt.sentence(scale.place(of: doubt.entry)) + matches, notes: notes,
        about: doubts.map(\.entry))
    }
    guard state == .broken, let most = count.most, matched.count > most else {
      return Explanation(
        kind: .tooFew, result: ResultText.received(matched.map(\.number), among: entries, of: pattern.kinds),
        notes: notes, missing: [Explanation.Missing(title: "", pattern: pattern)])
    }
    for extra in matched.dropFirst(most) { notes[extra.number] = "too many" }
    let first = scale.place(of: matched[most])
    let result =
      matched.count == 1
      ? "It arrived: \(first)."
      : "It arrived \(CountText.times(matched.count)); the first one too many is \(first)."
    // All of them: which one is wrong, its line tells.
    return Explanation(kind: .tooMany, result: result, notes: notes, about: matched)
  }
}
