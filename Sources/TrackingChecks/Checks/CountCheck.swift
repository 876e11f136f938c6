import Foundation
import TrackingServer

struct CountCheck: CheckKind {
  let count: EventCount
  let pattern: EntryPattern
  /// The seconds that a count that may be 0 listens for; `nil` for the settling time after the last match.
  var seconds: TimeInterval?
  /// Whether the count is the single match of `next`.
  var isOfNext = false

  var patterns: [EntryPattern] { [pattern] }
  var absent: [EntryPattern] { count.least == 0 ? [pattern] : [] }
  var problem: String? {
    if isOfNext { return "`next` is for one match, so it has no count: wait for each." }
    return count.problem ?? withinProblem ?? listeningProblem(seconds) ?? patternProblem
  }
  var bound: EventCount? { count }
  var description: String { "\(count.words(pattern))\(within(seconds))" }
  var listening: ListeningTime? { count.least == 0 ? ListeningTime(.count(count), within: seconds) : nil }

  private var withinProblem: String? {
    guard let seconds, listening == nil else { return nil }
    return
      "A count of 1 or more waits for its timeout: write `timeout: \(ListeningTime.literal(seconds))` in the call, not `within:`."
  }

  func times(of wait: WaitTimes) -> WaitTimes { listening?.times ?? wait }

  func mapping(_ pattern: (EntryPattern) -> EntryPattern) -> any CheckKind {
    CountCheck(count: count, pattern: pattern(self.pattern), seconds: seconds)
  }

  func evaluation(in context: CheckContext) -> any Evaluation { CountEvaluation(count, of: pattern) }
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

struct CountEvaluation: Evaluation {
  let count: EventCount
  let pattern: EntryPattern
  /// Whether one match is enough, so that further ones aren't counted.
  let isSingle: Bool
  private(set) var matched: [JournalEntry] = []
  private var undecidedEntries: [UndecidedEntry] = []

  /// Creates an evaluation that counts every entry received so far, not just the required number.
  init(_ count: EventCount, of pattern: EntryPattern) {
    (self.count, self.pattern, isSingle) = (count, pattern, false)
  }

  init(oneOf pattern: EntryPattern) {
    (count, self.pattern, isSingle) = (.atLeast(1), pattern, true)
  }

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

  func headline(_ facts: VerdictFacts) -> Headline {
    let words = count.words(pattern)
    if let extra = extras.first {
      if count.most == 0, extras.count == 1 {
        return "Expected \(cutting: words), but \(facts.arrival(of: extra, by: pattern))"
      }
      let which =
        extras.count == 1
        ? "#\(extra.number) is the extra one" : "the extra ones are \(ResultText.numbers(extras.map(\.number)))"
      return "Expected \(cutting: words), but \(matched.count) arrived; \(which)"
    }
    if state == .broken, let undecided = undecidedEntries.first {
      let certain = matched.isEmpty ? "" : "\(matched.count) arrived and "
      return "Expected \(cutting: words), but \(certain)\(undecided.clause)"
    }
    if matched.isEmpty, isSingle || count.least == 1 { return facts.missing(pattern) }
    let number = matched.isEmpty ? "none" : "\(matched.count)"
    return "Expected \(cutting: words), but \(number) arrived\(facts.time)\(facts.instead)"
  }

  func explanation(of entries: [JournalEntry], on scale: Timescale) -> Explanation {
    var explanation = Explanation(kind: .tooMany)
    for entry in matched { explanation.note(pattern.moment(of: entry), "matches") }
    for extra in extras { explanation.note(pattern.moment(of: extra), "extra") }
    if !extras.isEmpty {
      // Names the call site of every match: it tells which one is wrong.
      explanation.about = matched
    } else if state == .broken, let first = undecidedEntries.first {
      for entry in undecided { explanation.note(pattern.moment(of: entry), "undecided") }
      (explanation.details, explanation.about) = (first.sentence, undecided)
    } else {
      (explanation.kind, explanation.missing) = (.tooFew, [Explanation.Missing(title: "", pattern: pattern)])
    }
    return explanation
  }
}
