import TrackingServer
import TrackingSockets

/// The moments from which a failure tells times.
struct Timescale: Sendable {
  let began: ContinuousClock.Instant
  let deadline: ContinuousClock.Instant
  /// What happened when it began.
  var zero = "the wait began"

  /// The same for events of which it is known that they came late.
  var withoutDeadline: Timescale {
    Timescale(began: began, deadline: began + .clamping(seconds: .infinity), zero: zero)
  }

  /// "#4, 320 ms after the wait began".
  func place(of event: RecordedEvent) -> String {
    "#\(event.number), \(place(at: event.arrival))"
  }

  /// "320 ms after the wait began", "140 ms after the deadline".
  func place(at instant: ContinuousClock.Instant) -> String {
    if instant > deadline { return "\(TimeText.duration(instant - deadline)) after the deadline" }
    let offset = instant - began
    return offset < .zero
      ? "\(TimeText.duration(.zero - offset)) before \(zero)" : "\(TimeText.duration(offset)) after \(zero)"
  }
}
