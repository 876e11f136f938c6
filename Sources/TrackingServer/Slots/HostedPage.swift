import Foundation
import StubModel
import TrackingModel

/// Responds to the requests under a path of the server's own: the inspector, or the checks of tests in other languages.
package protocol HostedPage: Sendable {
  /// Called on the server's thread; must not block.
  func respond(to request: ReceivedRequest) -> PageOutcome
}

/// A hosted page's decision on a request.
package enum PageOutcome: Sendable {
  case response(HTTPResponse)
  /// Made on a worker thread.
  case work(@Sendable () -> PageOutcome)
  /// Made on a worker thread when `wake` has been called, or the time is up.
  case wait(
    Duration, until: @Sendable (_ wake: @escaping @Sendable () -> Void) -> (@Sendable () -> Void)?,
    then: @Sendable () -> PageOutcome)
}

/// The place for a page; empty unless another module hosts one.
package typealias PageSlot = Locked<(any HostedPage)?>
