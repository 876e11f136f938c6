import TrackingPatterns
import TrackingServer

/// Looks out for an event that should not come.
struct AbsenceEvaluation: Evaluation {
  /// `nil` for any event.
  private let matcher: PatternMatcher?
  private var offender: RecordedEvent?

  init(of pattern: EventPattern?) {
    matcher = pattern.map(PatternMatcher.init)
  }

  var standing: Standing { offender == nil ? .holding : .broken }
  var claimed: [RecordedEvent] { offender.map { [$0] } ?? [] }

  mutating func take(_ event: RecordedEvent) -> Bool {
    guard matcher?.matches(event) ?? true else { return false }
    offender = offender ?? event
    return true
  }

  func explanation(of events: [RecordedEvent], on scale: Timescale) -> Explanation {
    guard let offender else { return Explanation(kind: .unexpectedExtra, result: "It did not come.") }
    return Explanation(
      kind: .unexpectedExtra, result: "It came: \(scale.place(of: offender)).", notes: [offender.number: "unexpected"])
  }
}
