import XCTest

/// Takes the failures that a verifier finds.
///
/// Inject one of your own through ``TrackingVerifier/Configuration`` to test helpers that are built on a verifier.
public protocol FailureReporter: Sendable {
  /// Takes one failure.
  ///
  /// Called on the thread of the test that asked, with no lock held, as the last thing that a verifier does.
  func report(_ failure: VerificationFailure)
}

/// Reports failures to XCTest, at the line of the test that asked.
public struct XCTestReporter: FailureReporter {
  /// A reporter for the test that runs.
  public init() {}

  /// Fails the running test.
  public func report(_ failure: VerificationFailure) {
    XCTFail(failure.message, file: failure.location.file, line: failure.location.line)
  }
}
