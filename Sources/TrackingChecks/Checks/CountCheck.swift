import Foundation
import TrackingPatterns
import TrackingServer

/// A number of matches, or a single one.
struct CountCheck: CheckKind {
  let count: EventCount
  let pattern: EntryPattern
  /// The seconds that a count that may be 0 listens for; `nil` for the settling time after the last match.
  var seconds: TimeInterval?
  /// Whether the count is the single match of `next`.
  var isOfNext = false
  /// Whether one match is enough, so that later ones are neither counted nor extras.
  private(set) var isSingle = false
  private(set) var matched: [JournalEntry] = []
  private(set) var undecidedEntries: [UndecidedEntry] = []

  var patterns: [EntryPattern] { [pattern] }
  var absent: [EntryPattern] { count.least == 0 ? [pattern] : [] }
  var problem: String? {
    if isOfNext { return "`next` is for one match, so it has no count: wait for each." }
    return count.problem ?? withinProblem ?? listeningProblem(seconds) ?? patternProblem
  }
  var bound: EventCount? { isSingle ? nil : count }
  var words: Headline { isSingle ? pattern.words : "\(count.words(pattern))\(within(seconds))" }
  var listening: ListeningTime? { count.least == 0 ? ListeningTime(.count(count), within: seconds) : nil }

  private var withinProblem: String? {
    guard let seconds, listening == nil else { return nil }
    return
      "A count of 1 or more waits for its timeout: write `timeout: \(ListeningTime.literal(seconds))` in the call, not `within:`."
  }

  func times(of wait: WaitTimes) -> WaitTimes { listening?.times ?? wait }

  func mapping(_ pattern: (EntryPattern) -> EntryPattern) -> any CheckKind {
    CountCheck(count: count, pattern: pattern(self.pattern), seconds: seconds, isSingle: isSingle)
  }
}

extension CountCheck {
  init(oneOf pattern: EntryPattern) {
    self.init(count: .atLeast(1), pattern: pattern, isSingle: true)
  }
}

extension TrackingCheck<CheckOutcome> {
  /// Passes if a pattern matches a number of times: `.count(1...3, of: .named("purchase"))`.
  ///
  /// Only a count that may be 0 has `within:`, in place of a timeout: `.count(...2, of: .named("retried"), within: 5)` listens for 5 seconds from
  /// the start of the wait. Without it, such a count listens for the settling time after the last match.
  public static func count(
    _ count: some EventCountConvertible, of pattern: EntryPattern, within seconds: TimeInterval? = nil
  ) -> TrackingCheck<CheckOutcome> {
    TrackingCheck<CheckOutcome>(CountCheck(count: count.eventCount, pattern: pattern, seconds: seconds))
  }
}

extension TrackingCheck {
  package func counted<Entry>(_ count: EventCount) -> TrackingCheck<CheckOutcome> where Value == Entry? {
    TrackingCheck<CheckOutcome>(
      CountCheck(count: count, pattern: kind.patterns[0], isOfNext: kind.scope == .entriesAndMatches))
  }
}

// MARK: - Reading

extension CountCheck {
  var countsOn: Bool { !isSingle }

  /// Broken, too, if entries that can't be read might exceed the upper bound.
  var state: CheckState {
    let state = count.state(at: matched.count)
    return state == .holding && count.state(at: matched.count + undecidedEntries.count) == .broken ? .broken : state
  }

  var undecided: [JournalEntry] { undecidedEntries.map(\.entry) }

  mutating func take(_ moment: TimelineMoment) -> Bool {
    guard countsOn || !state.isFinal else { return false }
    switch pattern.match(moment) {
    case .no: return false
    case .undecided(let reason): undecidedEntries.append(UndecidedEntry(entry: moment.entry, reason: reason))
    case .yes: matched.append(moment.entry)
    }
    return true
  }

  private var extras: ArraySlice<JournalEntry> {
    state == .broken ? count.most.map { matched.dropFirst($0) } ?? [] : []
  }

  func explain(_ finding: Finding) -> Explanation {
    var explanation = decided(finding) ?? missing(finding)
    for entry in matched { explanation.note(pattern.moment(of: entry), "matches") }
    for extra in extras { explanation.note(pattern.moment(of: extra), "extra") }
    return explanation
  }

  /// Explains extra matches, or entries that might be; `nil` if there are neither.
  private func decided(_ finding: Finding) -> Explanation? {
    guard state == .broken else { return nil }
    let expected: Headline = "Expected \(count.words(pattern))"
    // Names the call site of every match: it tells which one is wrong.
    if let extra = extras.first {
      let numbers = ResultText.numbers(extras.map(\.number))
      let which = extras.count == 1 ? "#\(extra.number) is the extra one" : "the extra ones are \(numbers)"
      let isOnly = count.most == 0 && extras.count == 1
      return Explanation(
        kind: .tooMany,
        headline: isOnly
          ? "\(expected), but \(finding.arrival(of: extra, by: pattern))"
          : "\(expected), but \(matched.count) arrived; \(which)",
        brief: isOnly ? nil : "\(expected), but \(matched.count) arrived", about: matched)
    }
    guard let first = undecidedEntries.first else { return nil }
    let certain = matched.isEmpty ? "" : "\(matched.count) arrived and "
    var explanation = Explanation(
      kind: .tooMany, headline: "\(expected), but \(certain)\(first.clause)", details: first.sentence, about: undecided)
    for entry in undecided { explanation.note(pattern.moment(of: entry), "undecided") }
    return explanation
  }

  private func missing(_ finding: Finding) -> Explanation {
    var explanation = finding.missing(pattern)
    if matched.isEmpty, isSingle || count.least == 1 { return explanation }
    let number = matched.isEmpty ? "none" : "\(matched.count)"
    explanation.headline = "Expected \(count.words(pattern)), but \(number) arrived\(finding.time)"
    explanation.reduced = nil
    return explanation
  }
}
