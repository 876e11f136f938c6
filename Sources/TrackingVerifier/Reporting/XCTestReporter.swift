import Foundation
import TrackingModel
import TrackingChecks
import XCTest

/// A reporter that also keeps attachments.
///
/// Other reporters keep nothing. This one wraps XCTest's, and keeps no timelines or sessions:
///
/// ```swift
/// struct BriefReporter: AttachmentReporter {
///   let reporter: XCTestReporter
///   func report(_ failure: CheckFailure) { reporter.report(failure) }
///   func keep(_ attachments: [JournalAttachment]) -> [String] { reporter.keep(attachments.filter(\.isObservation)) }
/// }
/// ```
public protocol AttachmentReporter: FailureReporter {
  /// Attaches texts to the test's result, before failures are reported.
  ///
  /// - Returns: The places of the texts, if the test's result doesn't show them.
  func keep(_ attachments: [JournalAttachment]) -> [String]
}

extension FailureReporter {
  package func keepAttachments(_ attachments: [JournalAttachment]) -> [String] {
    (self as? any AttachmentReporter)?.keep(attachments) ?? []
  }
}

/// Reports failures to XCTest, at the line of the check.
public struct XCTestReporter: AttachmentReporter, KnownIssueReporter {
  private let testCase: TestCaseReference?

  /// Creates a reporter for a test case, which it holds weakly; without one, for the running test.
  public init(for testCase: XCTestCase? = nil) {
    self.testCase = testCase.map(TestCaseReference.init)
  }

  package init(for testCase: TestCaseReference) {
    self.testCase = testCase
  }

  /// Fails the running test.
  ///
  /// If XCTest isn't running the test case, writes the failure to standard error, because the test would pass silently.
  public func report(_ failure: CheckFailure) {
    let isLost = testCase.map { !$0.isRunning } ?? false
    if isLost { Self.reportLost(failure) }
    // If the test has ended (a verifier in a static property, for example), fail the test that is running now instead of passing silently.
    if !isLost || testCase?.hasEnded == true || Self.mayFailWithoutTest { Self.fail(failure) }
  }

  package func reportKnown(_ failure: CheckFailure) -> Bool {
    let count = testCase?.failureCount
    report(failure)
    return count != nil && testCase?.failureCount == count
  }

  /// Fails the running test, and throws an error that XCTest doesn't report again: only the error of `XCTUnwrap` qualifies.
  package func report<Value>(_ failure: CheckFailure, requiring: Value.Type) throws {
    guard testCase?.isRunning ?? true else { return report(failure) }
    if let error = Self.unreportedError {
      report(failure)
      throw error
    }
    _ = try XCTUnwrap(nil as Value?, failure.message, file: failure.location.file, line: failure.location.line)
  }

  /// Attaches each text as an `XCTAttachment`, or, if XCTest has no attachments, writes a file to the directory in the environment variable
  /// `TRACKING_ATTACHMENTS`.
  ///
  /// Does nothing if XCTest isn't running the test case: Apple's XCTest raises an exception for a test that has ended.
  public func keep(_ attachments: [JournalAttachment]) -> [String] {
    guard testCase?.isRunning ?? true else { return [] }
    return attachments.compactMap { Self.attach($0, to: testCase?.value) }
  }

  package static func reportOutsideOfTest(_ failure: CheckFailure) {
    if mayFailWithoutTest { fail(failure) }
  }

  /// Whether an assertion outside of an XCTest test prints its failure; in `strict` mode, Swift Testing ends the process instead.
  private static var mayFailWithoutTest: Bool {
    failsWithoutTest && ProcessInfo.processInfo.environment["SWIFT_TESTING_XCTEST_INTEROP_MODE"] != "strict"
  }

  private static func fail(_ failure: CheckFailure) {
    XCTFail(failure.message, file: failure.location.file, line: failure.location.line)
  }

  private static func reportLost(_ failure: CheckFailure) {
    let text = """
      \(failure.location.file):\(failure.location.line): error: \(failure.message)
      This failure couldn't be attached to a test: the test case of its verifier isn't running. It was made by hand, or it \
      has ended. A test of Swift Testing takes its verifier from the trait `.tracking` of TrackingTesting.

      """
    StandardError.write(text)
  }
}
