import TrackingModel
import Foundation
import StubModel

/// Responds to requests that no stub matches, as the app's backend does: from a recording, or by forwarding them.
///
/// Implemented in StubRecording. Without that module a server can't reach another machine.
package protocol Backend: AnyObject, Sendable {
  /// The host names that select the backend, besides those of this machine.
  var hosts: [String] { get }

  /// Called on the server's thread; must not block.
  func respond(to request: ReceivedRequest) -> BackendOutcome

  /// Whether a session leaves out the value of a header field, by the names that are secret to the recording.
  func isSecret(field name: String) -> Bool

  /// Called when the test begins again: the next request gets the first one's response.
  func reset()

  /// Called when the test, or a server's session, has ended.
  ///
  /// - Parameter hasFailed: Whether the test has failed, so that its requests may be incomplete.
  /// - Throws: An error that describes the problem.
  func finish(hasFailed: Bool) throws
}

package enum BackendOutcome: Sendable {
  case pass
  /// A response, and its recorded stub.
  case result(PreparedResponse, StubEndpoint?)
  /// The decision follows from asynchronous code, which is cancelled when the client disconnects or the server stops.
  case task(@Sendable () async -> BackendOutcome)
  /// 502 with the reason.
  case failure(String)
  /// 404 with the nearest recorded stub: the request isn't recorded.
  case missing(StubTable.NearMiss?)
}

/// Holds a server's backend; most servers have none.
package typealias BackendSlot = Locked<(any Backend)?>
