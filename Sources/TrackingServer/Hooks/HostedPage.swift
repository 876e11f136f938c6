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
  case wait(
    Duration, until: @Sendable (_ wake: @escaping @Sendable () -> Void) -> (@Sendable () -> Void)?,
    then: @Sendable () -> PageOutcome)
}

/// Holds a page; empty unless another module hosts one.
package typealias PageSlot = Locked<(any HostedPage)?>
