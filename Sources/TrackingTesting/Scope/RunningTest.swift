import Testing
import TrackingSockets
import TrackingVerifier

/// A test under way, and what its verifier has found out where Swift Testing does not see it.
///
/// It is remembered when the test begins, since in detached tasks and on threads `Test.current` is `nil`.
final class RunningTest: Sendable {
  let test: Test
  private let state = Locked(State())

  /// What is kept until the test ends.
  struct Kept {
    var attachments: [JournalAttachment] = []
    var failures: [VerificationFailure] = []
  }

  private struct State {
    var hasEnded = false
    var kept = Kept()
  }

  init(_ test: Test) {
    self.test = test
  }

  /// The suites and the function: `CartTests.buying`.
  var name: String {
    test.id.nameComponents.map { $0.prefix { $0 != "(" } }.joined(separator: ".")
  }

  /// Keeps a failure from outside of the test's tasks, to be recorded on one of them.
  ///
  /// - Returns: `false` when the test has ended.
  func keep(_ failure: VerificationFailure) -> Bool {
    keep { $0.failures.append(failure) }
  }

  /// Keeps an attachment from outside of the test's tasks.
  ///
  /// - Returns: `false` when the test has ended.
  func keep(_ attachment: JournalAttachment) -> Bool {
    keep { $0.attachments.append(attachment) }
  }

  private func keep(_ add: (inout Kept) -> Void) -> Bool {
    state.withLock { state in
      if !state.hasEnded { add(&state.kept) }
      return !state.hasEnded
    }
  }

  /// Ends the test.
  ///
  /// - Returns: What was kept.
  func end() -> Kept {
    state.withLock { state in
      state.hasEnded = true
      defer { state.kept = Kept() }
      return state.kept
    }
  }
}
