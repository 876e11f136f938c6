import StubModel
import TrackingModel

/// A format in which an SDK sends its events.
///
/// ```swift
/// struct SegmentBatch: EventDecoding {
///   func events(in request: StubRequest) throws -> [TrackingEvent]? {
///     let batch = try request.json(Batch.self)
///     return batch.messages.map { TrackingEvent(name: $0.event, params: $0.properties) }
///   }
/// }
///
/// verifier.decodeEvents(at: "/v1/batch", with: SegmentBatch())
/// ```
///
/// It is asked on a queue of the server's, several requests at a time, and each connection gets its answers in the order of its requests.
public protocol EventDecoding: Sendable {
  /// The events of a request; `nil` when the request is not in this format, so that others are asked.
  ///
  /// - Throws: Why a request that should be in this format is not: the request is answered 400 and is a rejected submission.
  func events(in request: StubRequest) throws -> [TrackingEvent]?
}
