import Foundation
import StubModel

/// A backend's response, without its content coding.
struct UpstreamResponse: Sendable {
  var status: Int
  var headers: MessageHeaders
  var body: Data
  /// Whether a `Set-Cookie` field may be several, joined by commas.
  var joinsCookies = false
  /// Whether the response had a body that the system's URL loading didn't deliver.
  var lostItsBody = false
}
