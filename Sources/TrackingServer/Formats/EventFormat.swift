import Foundation
import StubModel
import TrackingModel

/// The wire format of an analytics SDK: where it sends events, how they are read, and the response that the SDK expects.
///
/// Most formats are data, written as a `JSONEventFormat` of VendorFormats.
///
/// A format that needs code, or a few lines of it, conforms a type:
///
/// ```swift
/// struct ShopFormat: EventFormat {
///   let name = "Shop"
///   let endpoints: [RequestPattern] = [.request(.post, "/collect")]
///
///   func submission(in request: ReceivedRequest) throws -> DecodedSubmission? {
///     let items = try request.json([Item].self)
///     return DecodedSubmission(items: items.map { DecodedSubmission.Item(.track, TrackingEvent(name: $0.title), id: $0.id) })
///   }
/// }
/// ```
///
/// `submission(in:)` runs on a worker thread of the server, with no lock held, for several requests at a time. It may use the verifier. Each
/// connection gets its responses in the order of its requests.
public protocol EventFormat: Sendable {
  /// The vendor, as failures and rejections name it: `Segment`.
  var name: String { get }
  /// The requests that may carry events, by method and path; other conditions aren't used.
  ///
  /// Slashes at the end of a request's path and repeated slashes don't count.
  var endpoints: [RequestPattern] { get }
  /// The SDK's startup requests, with the responses that it understands; a stub of the test takes precedence.
  var startupRequests: [StubEndpoint] { get }

  /// The events of a request.
  ///
  /// - Returns: `nil` when the body has another shape, so that other formats are tried.
  /// - Throws: An error if the body can't be read. Unless another accepted format reads it, the response is a 400, and the request is recorded as a
  ///   rejected submission.
  func submission(in request: ReceivedRequest) throws -> DecodedSubmission?

  /// The URL that the SDK is configured with when its events are to go to a server.
  func address(at server: URL) -> URL
}

/// A format of this package that reads a small body quickly, so that the server's thread may call it.
///
/// A batch of 20 events costs less to read than to hand to a worker and back.
package protocol PromptFormat: EventFormat {
  /// Whether no code of a test runs.
  var isPrompt: Bool { get }
  /// Whether its bodies have marks that distinguish them from those of similar formats.
  var hasSignature: Bool { get }
}

extension PromptFormat {
  package var isPrompt: Bool { true }
  package var hasSignature: Bool { false }
}

extension EventFormat {
  /// None.
  public var startupRequests: [StubEndpoint] { [] }

  /// The server's URL, for SDKs that append their own paths.
  public func address(at server: URL) -> URL { server }
}
