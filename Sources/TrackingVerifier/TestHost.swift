import TrackingRules

/// The runner of a test that is not a test case of XCTest.
///
/// The server of such a verifier starts at the first use of its endpoint; the host stops the verifier when the test
/// ends.
package protocol TestHost: Sendable {
  /// The suites and the function of the test, and its argument.
  var testParts: TestParts { get }

  /// The execution of the test; `nil` if it can't be told from executions with other arguments.
  var attempt: TestAttempt? { get }

  /// Whether the test has ended.
  var hasEnded: Bool { get }

  /// Whether the test is known to have failed: it threw an error.
  var hasFailed: Bool { get }

  /// Called before the server starts.
  ///
  /// - Returns: `false` when the test is over, since no server may outlive it.
  func mayStartServer() -> Bool

  /// Called when the test tracks events in its own process.
  func tracksInProcess()
}
