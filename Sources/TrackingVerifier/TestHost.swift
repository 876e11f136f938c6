import TrackingRules

/// Runs a test that isn't an XCTest test case.
///
/// The verifier's server starts at the first use of its endpoint; the host stops the verifier when the test ends.
package protocol TestHost: Sendable {
  var testParts: TestParts { get }

  /// The test's current run; `nil` if it can't be distinguished from runs with other arguments.
  var attempt: TestAttempt? { get }

  var hasEnded: Bool { get }

  /// Whether the test is known to have failed, because it threw an error.
  var hasFailed: Bool { get }

  /// Called before the server starts; returns `false` after the end of the test, because no server may outlive it.
  func mayStartServer() -> Bool

  /// Called when the test tracks events in its own process.
  func tracksInProcess()
}
