import Foundation
import StubModel
import TrackingModel

/// The wire format of an analytics SDK: its endpoints, its events and the response that the SDK expects.
///
/// Most formats are data, written as a `JSONEventFormat` of VendorFormats. A format that needs code conforms a type:
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
  /// The vendor's name in failures and rejections, such as `Segment`.
  var name: String { get }
  /// The methods and paths of the requests that may carry events; other conditions are ignored.
  ///
  /// Trailing and repeated slashes in a request's path don't matter.
  var endpoints: [RequestPattern] { get }
  /// The SDK's startup requests, with the responses that it expects; a test's stub takes precedence.
  var startupRequests: [StubEndpoint] { get }

  /// Reads the events of a request.
  ///
  /// - Returns: `nil` if the body has another shape, so that other formats are tried.
  /// - Throws: An error if the body can't be read. Unless another accepted format reads it, the response is a 400, and the request is recorded as a
  ///   rejected submission.
  func submission(in request: ReceivedRequest) throws -> DecodedSubmission?

  /// Returns the URL to configure the SDK with, so that its events arrive at `server`.
  func address(at server: URL) -> URL
}

/// A format of this package that may read small bodies on the server's thread.
///
/// Reading a batch of 20 events costs less than passing it to a worker.
package protocol PromptFormat: EventFormat {
  /// Whether reading runs no code of a test.
  var isPrompt: Bool { get }
  /// Whether its bodies have marks that distinguish them from those of similar formats.
  var hasSignature: Bool { get }
}

extension PromptFormat {
  package var isPrompt: Bool { true }
  package var hasSignature: Bool { false }
}

extension EventFormat {
  /// No startup requests.
  public var startupRequests: [StubEndpoint] { [] }

  /// Returns the server's URL, for SDKs that append their own paths.
  public func address(at server: URL) -> URL { server }
}
