import Foundation
import TrackingModel
import TrackingChecks
import XCTest

/// A reporter that also keeps what a verifier has received.
///
/// Others keep nothing. One that wraps XCTest's and keeps no timelines and sessions:
///
/// ```swift
/// struct BriefReporter: AttachmentReporter {
///   let reporter: XCTestReporter
///   func report(_ failure: CheckFailure) { reporter.report(failure) }
///   func keep(_ attachments: [JournalAttachment]) -> [String] { reporter.keep(attachments.filter(\.isObservation)) }
/// }
/// ```
public protocol AttachmentReporter: FailureReporter {
  /// Keeps texts with the test's result, before failures are reported.
  ///
  /// - Returns: The places where they are kept, if the test's result doesn't show them.
  func keep(_ attachments: [JournalAttachment]) -> [String]
}

extension FailureReporter {
  /// Keeps texts if the reporter keeps any.
  package func keepAttachments(_ attachments: [JournalAttachment]) -> [String] {
    (self as? any AttachmentReporter)?.keep(attachments) ?? []
  }
}

/// Reports failures to XCTest, at the line of the check.
public struct XCTestReporter: AttachmentReporter, KnownIssueReporter {
  private let testCase: TestCaseReference?

  /// A reporter for a test case, which it holds weakly; without one, for the test that runs.
  public init(for testCase: XCTestCase? = nil) {
    self.testCase = testCase.map(TestCaseReference.init)
  }

  package init(for testCase: TestCaseReference) {
    self.testCase = testCase
  }

  /// Fails the running test.
  ///
  /// If XCTest doesn't run the test case, the failure is written to standard error, because its test would pass silently.
  public func report(_ failure: CheckFailure) {
    let isLost = testCase.map { !$0.isRunning } ?? false
    if isLost { Self.reportLost(failure) }
    // After the end of its test another may run, which fails instead of passing silently: a verifier in a static property, for example.
    if !isLost || testCase?.hasEnded == true || Self.mayFailWithoutTest { Self.fail(failure) }
  }

  package func reportKnown(_ failure: CheckFailure) -> Bool {
    let count = testCase?.failureCount
    report(failure)
    return count != nil && testCase?.failureCount == count
  }

  /// Fails the running test, and throws an error that XCTest doesn't report a second time: only that of `XCTUnwrap` is one.
  package func report<Value>(_ failure: CheckFailure, requiring: Value.Type) throws {
    guard testCase?.isRunning ?? true else { return report(failure) }
    if let error = Self.unreportedError {
      report(failure)
      throw error
    }
    _ = try XCTUnwrap(nil as Value?, failure.message, file: failure.location.file, line: failure.location.line)
  }

  /// Keeps each text as an `XCTAttachment` of the test, or, where XCTest has none, as a file in the directory that the environment variable
  /// `TRACKING_ATTACHMENTS` names.
  ///
  /// Does nothing if XCTest doesn't run the test case: Apple's raises an exception for a test that has ended.
  public func keep(_ attachments: [JournalAttachment]) -> [String] {
    guard testCase?.isRunning ?? true else { return [] }
    return attachments.compactMap { Self.attach($0, to: testCase?.value) }
  }

  /// Reports a failure of a test that XCTest may not run.
  package static func reportOutsideOfTest(_ failure: CheckFailure) {
    if mayFailWithoutTest { fail(failure) }
  }

  /// Whether an assertion outside of a test of XCTest prints its failure; in the mode `strict` Swift Testing ends the process at it.
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
