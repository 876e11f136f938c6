import TrackingModel
import TrackingPatterns
import TrackingServer

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
    if call.isSilent || checkState == .broken { return nil }
    switch end {
    case .decided, .interrupted: return waitingOn
    case .programsEnded, .serverNotStarted, .cancelled, .stopped, .testEnded, .unfulfilled, .actionThrew, .stillOpen:
      return nil
    }
  }
}
