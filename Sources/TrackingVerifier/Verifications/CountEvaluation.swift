import TrackingPatterns
import TrackingServer

/// Counts the events of a pattern.
struct CountEvaluation: Evaluation {
  let count: EventCount
  let matcher: PatternMatcher
  private(set) var claimed: [RecordedEvent] = []

  init(_ count: EventCount, of pattern: EventPattern) {
    self.count = count
    matcher = PatternMatcher(pattern)
  }

  var standing: Standing { count.standing(at: claimed.count) }

  mutating func take(_ event: RecordedEvent) -> Bool {
    guard matcher.matches(event) else { return false }
    claimed.append(event)
    return true
  }

  func explanation(of events: [RecordedEvent], on scale: Timescale) -> Explanation {
    var notes = Dictionary(uniqueKeysWithValues: claimed.map { ($0.number, "matches") })
    guard standing == .broken, let last = claimed.last else {
      return Explanation(
        kind: .tooFew, result: ResultText.came(claimed.map(\.number), of: events.count), notes: notes,
        missing: [("", matcher.pattern)])
    }
    notes[last.number] = "too many"
    let result =
      claimed.count == 1
      ? "It came: \(scale.place(of: last))."
      : "It came \(CountText.times(claimed.count)); one too many is \(scale.place(of: last))."
    return Explanation(kind: .tooMany, result: result, notes: notes)
  }
}
