import TrackingSockets
import TrackingVerifier

/// Keeps the failures that a verifier reports, so that tests can look at them.
final class RecordingReporter: FailureReporter {
  private let recorded = Locked<[VerificationFailure]>([])

  var failures: [VerificationFailure] { recorded.withLock { $0 } }

  func report(_ failure: VerificationFailure) {
    recorded.withLock { $0.append(failure) }
  }
}
