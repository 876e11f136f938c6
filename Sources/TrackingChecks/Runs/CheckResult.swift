import TrackingModel
import TrackingPatterns
import TrackingServer

/// The reason why a check has ended, or why its state is reported.
package enum CheckEnd: Sendable {
  /// The check passed, failed or timed out.
  case decided
  /// XCTest's outer wait timed out, or a replay has read everything: a bound that holds so far counts as met.
  case interrupted
  /// Every program that could have sent a match has ended.
  case programsEnded
  /// The server that could have received a match hasn't started.
  case serverNotStarted
  case cancelled
  /// The verifier was stopped during the wait; `stop()` reports it.
  case stopped
  /// The test has ended; the check was made for that moment.
  case testEnded
  /// XCTest waited for an expectation that wasn't fulfilled.
  case unfulfilled
  /// The action before the wait threw this error, so there was no wait.
  case actionThrew(String)
  /// The wait is still open; the inspector shows its state.
  case stillOpen
}

package struct CheckResult: Sendable {
  package let outcome: CheckOutcome
  /// The failure for the caller to report; `nil` if the check passed, is silent, or was ended by `stop()`, which reports it.
  package let unreported: CheckFailure?
  /// The entry nearest to a missing match, and its differences.
  package let nearest: (entry: Int, differences: [Difference])?

  init(passedWith matched: [JournalEntry]) {
    outcome = CheckOutcome(matched: matched, failure: nil)
    (unreported, nearest) = (nil, nil)
  }

  init(
    _ failure: CheckFailure, matched: [JournalEntry], isReported: Bool,
    nearest: (entry: Int, differences: [Difference])? = nil
  ) {
    outcome = CheckOutcome(matched: matched, failure: failure)
    unreported = isReported ? nil : failure
    self.nearest = nearest
  }

  package init(_ invalid: InvalidCheck) {
    self.init(invalid.failure, matched: [], isReported: false)
  }
}

extension CheckRun {
  /// Whether the check passes when its wait ends.
  package func passes(at now: ContinuousClock.Instant, after end: CheckEnd) -> Bool {
    switch state(at: now) {
    case .met: true
    case .holding: if case .interrupted = end { true } else { false }
    case .open, .broken, .tooLate: false
    }
  }

  /// The run of a failed check as it continues after its wait; `nil` if later entries don't matter.
  func continuing(after end: CheckEnd) -> CheckRun? {
    if call.isSilent || evaluation.state == .broken { return nil }
    switch end {
    case .decided, .interrupted: return waitingOn
    case .programsEnded, .serverNotStarted, .cancelled, .stopped, .testEnded, .unfulfilled, .actionThrew, .stillOpen:
      return nil
    }
  }
}
