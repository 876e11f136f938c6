import TrackingModel
import Foundation
import StubModel
import TrackingSockets

/// Answers the requests that no stub answers, as the app's backend does: from a recording, or by asking it.
///
/// The module StubRecording has one. Without it a server has no way to reach another machine.
package protocol Backend: AnyObject, Sendable {
  /// The host names by which requests choose it, besides those of this machine.
  var hosts: [String] { get }

  /// Called on the server's thread; must not block.
  func answer(_ request: HTTPRequest) -> BackendAnswer

  /// Called when a stub of the test has answered a request with success, in the backend's place.
  func skip(_ request: HTTPRequest)

  /// Called when the test begins anew: the next request is answered as the first one.
  func reset()

  /// Called when the test, or the session of a server, has ended.
  ///
  /// - Parameter hasFailed: Whether the test has failed, so that its requests may not be complete.
  /// - Throws: What went wrong, in words.
  func finish(hasFailed: Bool) throws
}

/// How a backend answers a request.
package enum BackendAnswer: Sendable {
  /// Not at all: the request isn't one of its own.
  case pass
  /// With an answer, and the recorded stub that it belongs to.
  case result(PreparedResult, StubEndpoint?)
  /// When asynchronous code has found out; it is cancelled when the client leaves or the server stops.
  case task(@Sendable () async -> BackendAnswer)
  /// With 502 and the reason.
  case failure(String)
  /// With 404: it isn't recorded.
  case missing(StubTable.NearMiss?)
}

/// Where a server finds its backend; most have none.
package final class BackendSlot: Sendable {
  package let backend = Locked<(any Backend)?>(nil)

  var current: (any Backend)? { backend.withLock { $0 } }
}

/// Where a verifier's or server's recording comes from: `recording: .folder("checkout", upstream: url)`.
///
/// The module StubRecording makes sources.
public struct RecordingSource: Sendable {
  /// Makes the backend from the environment.
  package let open: @Sendable (_ environment: [String: String]) throws -> any Backend

  package init(_ open: @escaping @Sendable (_ environment: [String: String]) throws -> any Backend) {
    self.open = open
  }
}
