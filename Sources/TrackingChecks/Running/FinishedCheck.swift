import TrackingModel
import TrackingPatterns
import TrackingServer

/// The reason for which a check has ended, or for which its state is reported.
package enum CheckEnd: Sendable {
  /// It has passed or failed, or its time has passed.
  case decided
  /// An outer wait of XCTest has timed out, or a replay has read everything: a bound that holds so far is believed.
  case interrupted
  /// Each program that could have sent a match has ended.
  case programsEnded
  /// The server that could have received a match has not started.
  case serverNotStarted
  /// Its task was cancelled.
  case cancelled
  /// The verifier was stopped during the wait, which its stop reports.
  case stopped
  /// The test has ended, which the check was made for.
  case testEnded
  /// It is an expectation that XCTest waited for, and that was not fulfilled.
  case unfulfilled
  /// The action before the wait threw this error, so there was no wait.
  case actionThrew(String)
  /// Its wait is still open, and the inspector shows its state.
  case stillOpen
}

/// A check that has ended: its outcome, and the failure to report.
package struct FinishedCheck: Sendable {
  package let outcome: CheckOutcome
  /// The failure that its caller reports; `nil` if the check passed, is silent, or was ended by a stop, which reports it.
  package let unreported: CheckFailure?
  /// The entry nearest to what is missing, and its differences.
  package let nearest: (entry: Int, differences: [DifferenceFacts])?

  /// A check that has passed.
  init(passedWith matched: [JournalEntry]) {
    outcome = CheckOutcome(matched: matched, failure: nil)
    (unreported, nearest) = (nil, nil)
  }

  /// A check that has failed.
  init(
    _ failure: CheckFailure, matched: [JournalEntry], isReported: Bool,
    nearest: (entry: Int, differences: [DifferenceFacts])? = nil
  ) {
    outcome = CheckOutcome(matched: matched, failure: failure)
    unreported = isReported ? nil : failure
    self.nearest = nearest
  }

  /// A check that can't be made.
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
