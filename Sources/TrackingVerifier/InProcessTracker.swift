import TrackingModel
import TrackingServer

/// Hands events to a journal of the same process, with no socket in between.
struct InProcessTracker: TrackerProtocol {
  let journal: Journal

  func trackEvent(_ event: TrackingEvent) {
    journal.record(event)
  }
}
