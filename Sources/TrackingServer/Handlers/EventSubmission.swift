import StubModel
import TrackingModel

/// A submission of events, for a closure that responds to it.
public struct EventSubmission: Sendable {
  /// The request: its header fields, and its body with the content coding undone.
  public let request: ReceivedRequest
  /// The events in the body.
  public let events: [TrackingEvent]
}

/// Responds to a submission of events; `nil` for the usual response.
///
/// For an error the response is 500.
package typealias EventResponder = @Sendable (EventSubmission) throws -> StubResponse?

/// Whether the events of a refused submission are recorded.
package enum EventKeeping: Hashable, Sendable {
  /// Only events that get a 2xx are recorded, as by a backend that is down.
  case accepted
  /// All events are recorded and then refused, as by a backend that fails after its database has them.
  ///
  /// Events that are sent again are recorded again, unless the sender numbers them.
  case all
}
