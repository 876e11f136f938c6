import TrackingModel
import TrackingServer

/// Hands events to a journal of the same process, with no socket in between.
struct InProcessTracker: TrackerProtocol {
  let journal: Journal

  func trackEvent(_ event: TrackingEvent) {
    // In the form in which a socket delivers it, so that a closure sees the same value of both.
    journal.record(event.canonical)
  }
}
