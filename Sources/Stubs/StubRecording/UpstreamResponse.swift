import Foundation
import StubModel

/// A backend's response, without its content coding.
struct UpstreamResponse: Sendable {
  var status: Int
  var headers: MessageHeaders
  var body: Data
  /// Whether a `Set-Cookie` field may have several cookies, joined by commas.
  var joinsCookies = false
  /// Whether the system's URL loading didn't deliver the response's body.
  var lostItsBody = false
}
