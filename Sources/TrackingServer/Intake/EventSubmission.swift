import StubModel
import TrackingModel

/// A submission of events, for a closure that answers it.
public struct EventSubmission: Sendable {
  /// The request: its header fields, and its body with the content coding undone.
  public let request: HTTPRequest
  /// The events in the body.
  public let events: [TrackingEvent]
}

/// Answers a submission of events; `nil` for the usual answer.
///
/// An error is answered with 500.
package typealias EventResponder = @Sendable (EventSubmission) throws -> StubResult?
/// What becomes of the events of a submission that a test lets the server refuse.
public enum EventRecording: Hashable, Sendable {
  /// Only what is answered with a 2xx is recorded, as by a backend that is down and takes nothing.
  case accepted
  /// All of it is recorded and then refused, as by a backend that fails behind its database; a sender that sends it again without numbering it is recorded again.
  case all
}

/// A format in which an SDK sends its events.
///
/// ```swift
/// struct SegmentBatch: EventDecoding {
///   func events(in request: HTTPRequest) throws -> [TrackingEvent]? {
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
  func events(in request: HTTPRequest) throws -> [TrackingEvent]?
}

/// A decoding as a format: it is accepted like those of SDKs, among them where they share a path.
///
/// ```swift
/// verifier.accept(DecodedEventFormat("Shop", .post, "/collect", decoding: ShopBatch()))
/// ```
///
/// Its events have no ids, so an event that is delivered again is recorded again; its reply is 200.
public struct DecodedEventFormat: EventFormat {
  /// The vendor, as failures and rejections name it.
  public let name: String
  /// Where it listens.
  public let endpoints: [StubEndpoint]
  private let decoding: any EventDecoding

  /// A decoding for requests of a method at some paths.
  public init(_ name: String, _ method: StubEndpoint.Method? = nil, _ paths: StubPath..., decoding: some EventDecoding)
  {
    self.name = name
    endpoints = paths.map { StubEndpoint(method, $0, []) }
    self.decoding = decoding
  }

  /// The events that the decoding reads.
  public func submission(in request: HTTPRequest) throws -> Submission? {
    try decoding.events(in: request).map { events in Submission(items: events.map { Submission.Item(.track, $0) }) }
  }
}
