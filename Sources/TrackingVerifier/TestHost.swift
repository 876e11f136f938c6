import TrackingModel
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

/// The reason why a verifier refuses every check: it belongs to no test.
///
/// Reported at the line of each wait, since where the verifier was made no line is known; without a wait, when the verifier is released.
package final class Misuse: Sendable {
  let message: String
  private let reporter: any FailureReporter
  private let isReported = Locked(false)

  package init(_ message: String, reporter: any FailureReporter) {
    self.message = message
    self.reporter = reporter
  }

  /// The message, for a failure that the caller reports.
  func taken() -> String {
    isReported.withLock { $0 = true }
    return message
  }

  deinit {
    guard !isReported.withLock({ $0 }) else { return }
    reporter.report(CheckFailure(.misuse, message, at: .wholeTest))
  }
}
