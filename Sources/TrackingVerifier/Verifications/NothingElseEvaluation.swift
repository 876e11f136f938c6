import TrackingPatterns
import TrackingServer

/// Looks out for an event that no wait has claimed.
struct NothingElseEvaluation: Evaluation {
  private let ignored: [PatternMatcher]
  private let isClaimed: @Sendable (RecordedEvent) -> Bool
  private var offender: RecordedEvent?

  init(ignoring patterns: [EventPattern], isClaimed: @escaping @Sendable (RecordedEvent) -> Bool) {
    ignored = patterns.map(PatternMatcher.init)
    self.isClaimed = isClaimed
  }

  var standing: Standing { offender == nil ? .holding : .broken }
  var claimed: [RecordedEvent] { offender.map { [$0] } ?? [] }

  mutating func take(_ event: RecordedEvent) -> Bool {
    guard !isIgnored(event) else { return false }
    if offender == nil, !isClaimed(event) { offender = event }
    return true
  }

  func explanation(of events: [RecordedEvent], on scale: Timescale) -> Explanation {
    let extras = events.filter { !isIgnored($0) && !isClaimed($0) }
    guard let first = extras.first else { return Explanation(kind: .unexpectedExtra, result: "Nothing else came.") }
    let place = scale.place(of: first)
    let result =
      extras.count == 1
      ? "No wait asked for \(place)."
      : "No wait asked for \(extras.count) of \(CountText.events(events.count)); the first is \(place)."
    return Explanation(
      kind: .unexpectedExtra, result: result,
      notes: Dictionary(uniqueKeysWithValues: extras.map { ($0.number, "not asked for") }))
  }

  private func isIgnored(_ event: RecordedEvent) -> Bool {
    ignored.contains { $0.matches(event) }
  }
}
