import TrackingModel
import Foundation
import StubModel

/// Responds to the requests that no stub matches, as the app's backend does: from a recording, or by forwarding them.
///
/// The module StubRecording has one. Without it a server has no way to reach another machine.
package protocol Backend: AnyObject, Sendable {
  /// The host names by which requests choose it, besides those of this machine.
  var hosts: [String] { get }

  /// Called on the server's thread; must not block.
  func respond(to request: ReceivedRequest) -> BackendOutcome

  /// Called when the test begins again: the next request gets the response of the first one.
  func reset()

  /// Called when the test, or the session of a server, has ended.
  ///
  /// - Parameter hasFailed: Whether the test has failed, so that its requests may not be complete.
  /// - Throws: The problem, in words.
  func finish(hasFailed: Bool) throws
}

/// A backend's decision on a request.
package enum BackendOutcome: Sendable {
  /// The request isn't for it.
  case pass
  /// A response, and the recorded stub that it belongs to.
  case result(PreparedResponse, StubEndpoint?)
  /// The decision follows from asynchronous code, which is cancelled when the client leaves or the server stops.
  case task(@Sendable () async -> BackendOutcome)
  /// 502 with the reason.
  case failure(String)
  /// 404 with the nearest recorded stub: the request isn't recorded.
  case missing(StubTable.NearMiss?)
}

/// The place for a server's backend; most servers have none.
package typealias BackendSlot = Locked<(any Backend)?>
