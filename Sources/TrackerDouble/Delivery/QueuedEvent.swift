import TrackingModel

/// An event on its way.
struct QueuedEvent: Sendable {
  let event: TrackingEvent
  /// Its number among all that its double tracked, from 1.
  let number: Int
  let tracked: ContinuousClock.Instant
}
