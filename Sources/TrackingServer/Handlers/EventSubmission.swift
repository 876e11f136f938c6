import StubModel
import TrackingModel

/// A submission of events, passed to a closure that responds to it.
public struct EventSubmission: Sendable {
  /// The request with its header fields and its decoded body.
  public let request: ReceivedRequest
  /// The events in the body.
  public let events: [TrackingEvent]
}

/// Responds to a submission of events; `nil` for the usual response, a thrown error for a 500.
package typealias EventResponder = @Sendable (EventSubmission) throws -> StubResponse?

/// Whether the events of a refused submission are recorded.
package enum EventKeeping: Hashable, Sendable {
  /// Only events that get a 2xx are recorded, as by a backend that is down.
  case accepted
  /// All events are recorded, even if refused, as by a backend that fails after storing them. Redelivered events are recorded again, unless the
  /// sender numbers them.
  case all
}
