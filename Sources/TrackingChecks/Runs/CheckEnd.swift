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

extension CheckEnd {
  var hadNoServer: Bool { if case .serverNotStarted = self { true } else { false } }

  var isOfExpectation: Bool { if case .unfulfilled = self { true } else { false } }

  var isOpen: Bool { if case .stillOpen = self { true } else { false } }

  var isCancelled: Bool { if case .cancelled = self { true } else { false } }

  var isAtDeadline: Bool {
    switch self {
    case .decided, .stopped, .testEnded, .unfulfilled: true
    case .interrupted, .programsEnded, .serverNotStarted, .cancelled, .actionThrew, .stillOpen: false
    }
  }
}
