import StubModel
import TrackingSockets

/// Answers the requests under `/-tracking/`: the inspector, which another module has.
package protocol HostedPage: Sendable {
  /// Called on the server's thread; must not block.
  func answer(_ request: HTTPRequest) -> PageAnswer
}

/// How a hosted page answers.
package enum PageAnswer: Sendable {
  case response(PageResponse)
  /// Made on a thread beside the server's.
  case work(@Sendable () -> PageAnswer)
  /// Made on a thread beside the server's when `wake` has been called, or the time is up.
  case wait(
    Duration, until: @Sendable (_ wake: @escaping @Sendable () -> Void) -> (@Sendable () -> Void)?,
    then: @Sendable () -> PageAnswer)
}

package struct PageResponse: Sendable {
  package var status: Int
  package var fields: [(name: StaticString, value: String)]
  package var body: [UInt8]

  package init(status: Int, fields: [(name: StaticString, value: String)], body: [UInt8]) {
    self.status = status
    self.fields = fields
    self.body = body
  }
}
