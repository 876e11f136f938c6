import Testing
import TrackingSockets
import TrackingVerifier

/// A test under way, and what its verifier has found out so far.
///
/// It is remembered when the test begins, since in detached tasks and on threads `Test.current` is `nil`.
final class RunningTest: Sendable {
  let test: Test
  private let state = Locked(State())

  private struct State {
    var hasFailed = false
    var hasEnded = false
    var kept: [VerificationFailure] = []
  }

  init(_ test: Test) {
    self.test = test
  }

  /// Whether the verifier has reported a failure.
  var hasFailed: Bool { state.withLock { $0.hasFailed } }

  func noteFailure() {
    state.withLock { $0.hasFailed = true }
  }

  /// Keeps a failure from outside of the test's tasks, to be recorded on one of them.
  ///
  /// - Returns: `false` when the test has ended.
  func keep(_ failure: VerificationFailure) -> Bool {
    state.withLock { state in
      if !state.hasEnded { state.kept.append(failure) }
      return !state.hasEnded
    }
  }

  /// Ends the test.
  ///
  /// - Returns: The failures that were kept.
  func end() -> [VerificationFailure] {
    state.withLock { state in
      state.hasEnded = true
      defer { state.kept = [] }
      return state.kept
    }
  }
}
