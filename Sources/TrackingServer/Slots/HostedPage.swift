import Foundation
import StubModel
import TrackingModel

/// Answers the requests under `/-tracking/`: the inspector, which another module has.
package protocol HostedPage: Sendable {
  /// Called on the server's thread; must not block.
  func answer(_ request: HTTPRequest) -> PageOutcome
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

/// The place for a page under `/-tracking/`; a server without an inspector has none.
package typealias PageSlot = Locked<(any HostedPage)?>

/// The place for a command's answers under `/-tracking/v1/`.
typealias CommandSlot = Locked<(@Sendable (HTTPRequest) -> CommandAnswer)?>

/// An answer of the command `tracking` to a request under `/-tracking/v1/`.
@_spi(TrackingCommand)
public enum CommandAnswer: Sendable {
  /// JSON, with a header field that its status needs.
  case json(Data, status: Int, _ field: (name: StaticString, value: String)? = nil)
  /// Computed on a worker thread once `wake` has been called, or at the given time; no thread waits until then.
  ///
  /// `wake` returns a function that ends the waiting; it is also called when the client leaves.
  case wait(
    until: ContinuousClock.Instant,
    wake: @Sendable (_ wake: @escaping @Sendable () -> Void) -> @Sendable () -> Void,
    then: @Sendable () -> CommandAnswer)
}
