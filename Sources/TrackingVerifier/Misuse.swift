import TrackingModel
import TrackingChecks

/// The failure of every check of a verifier that belongs to no test.
///
/// Reported at the line of each wait, because the line that created the verifier isn't known; without a wait, when the verifier is released.
package final class Misuse: Sendable {
  let message: String
  private let reporter: any FailureReporter
  private let isReported = Locked(false)

  package init(_ message: String, reporter: any FailureReporter) {
    self.message = message
    self.reporter = reporter
  }

  /// Returns the message for a failure that the caller reports.
  func taken() -> String {
    isReported.withLock { $0 = true }
    return message
  }

  deinit {
    guard !isReported.withLock({ $0 }) else { return }
    reporter.report(CheckFailure(.misuse, message, at: .wholeTest))
  }
}
