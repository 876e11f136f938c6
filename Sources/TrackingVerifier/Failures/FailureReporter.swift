import XCTest

/// Takes the failures that a verifier finds.
///
/// Inject one of your own through ``TrackingVerifier/Configuration`` to test helpers that are built on a verifier.
///
/// ```swift
/// final class RecordingReporter: FailureReporter {
///   func report(_ failure: VerificationFailure) { record(failure) }
/// }
/// ```
public protocol FailureReporter: Sendable {
  /// Takes one failure.
  ///
  /// Called on the thread of the test that asked, with no lock held, as the last thing that a verifier does.
  func report(_ failure: VerificationFailure)

  /// Keeps a text beside the test's result, before a failure is reported.
  ///
  /// Unless a reporter says otherwise, nothing is kept.
  ///
  /// - Returns: Where a reader of the message finds it, if the test's result does not show it.
  func keep(_ attachment: JournalAttachment, for testCase: XCTestCase?) -> String?
}

extension FailureReporter {
  /// Keeps nothing.
  public func keep(_ attachment: JournalAttachment, for testCase: XCTestCase?) -> String? { nil }
}

/// Reports failures to XCTest, at the line of the test that asked.
public struct XCTestReporter: FailureReporter {
  /// A reporter for the test that runs.
  public init() {}

  /// Fails the running test.
  public func report(_ failure: VerificationFailure) {
    XCTFail(failure.message, file: failure.location.file, line: failure.location.line)
  }

  /// Keeps a text as an `XCTAttachment` of the test, or, where XCTest has none, as a file in the directory that the environment variable
  /// `TRACKING_ATTACHMENTS` names.
  public func keep(_ attachment: JournalAttachment, for testCase: XCTestCase?) -> String? {
    Self.attach(attachment, to: testCase)
  }
}
