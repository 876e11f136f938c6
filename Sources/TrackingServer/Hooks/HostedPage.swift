import Foundation
import StubModel
import TrackingModel

/// Responds to requests under one of the server's own paths: the inspector, or the checks of tests in other languages.
package protocol HostedPage: Sendable {
  /// Called on the server's thread; must not block.
  func respond(to request: ReceivedRequest) -> PageOutcome
}

package enum PageOutcome: Sendable {
  case response(HTTPResponse)
  /// Made on a worker thread.
  case work(@Sendable () -> PageOutcome)
  /// Made on a worker thread when `wake` has been called, or after the duration.
  ///
  /// `until` returns a function that is called when the wait ends in any way. `abandon` is called on any thread if `then` isn't, or if its outcome
  /// isn't used: the client has disconnected, the server has stopped, or there is no thread. Both may be called, and `abandon` more than once.
  case wait(
    Duration, until: @Sendable (_ wake: @escaping @Sendable () -> Void) -> (@Sendable () -> Void)?,
    then: @Sendable () -> PageOutcome, abandon: (@Sendable () -> Void)? = nil)
}

/// Holds a page; empty unless another module hosts one.
package typealias PageSlot = Locked<(any HostedPage)?>
