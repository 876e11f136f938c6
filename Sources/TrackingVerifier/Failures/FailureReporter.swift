import TrackingModel
import TrackingRules
import Foundation
import XCTest

/// Receives the failures that a verifier finds.
///
/// Set your own in ``TrackingVerifier/Configuration`` to test helpers that are built on a verifier, or to wrap the one of your test framework:
/// `XCTestReporter(for: self)`, or `TestingReporter()` of TrackingTesting.
///
/// ```swift
/// final class RecordingReporter: FailureReporter {
///   func report(_ failure: VerificationFailure) { record(failure) }
/// }
/// ```
public protocol FailureReporter: Sendable {
  /// Reports a failure at its location.
  ///
  /// Called on the thread of the test that asked, with no lock held, as the last action of a verifier.
  func report(_ failure: VerificationFailure)

  /// Reports a tracking plan's remark that fails no test: an event is deprecated, or has expired.
  ///
  /// The default writes it to standard error as a warning of the location's line, once for each text in a process.
  func remark(_ text: String, at location: CodeLocation)

  /// Keeps texts with the test's result, before failures are reported.
  ///
  /// The default keeps nothing.
  ///
  /// - Returns: The places where they are kept, if the test's result doesn't show them.
  func keep(_ attachments: [JournalAttachment]) -> [String]
}

extension FailureReporter {
  /// Writes the remark to standard error.
  public func remark(_ text: String, at location: CodeLocation) {
    WrittenRemarks.write(text, at: location)
  }

  /// Keeps nothing.
  public func keep(_ attachments: [JournalAttachment]) -> [String] { [] }
}

/// Reports failures to XCTest, at the line of the test that asked.
public struct XCTestReporter: FailureReporter {
  private let testCase: TestCaseReference?

  /// A reporter for a test case, which it holds weakly; without one, for the test that runs.
  public init(for testCase: XCTestCase? = nil) {
    self.testCase = testCase.map(TestCaseReference.init)
  }

  init(for testCase: TestCaseReference) {
    self.testCase = testCase
  }

  /// Fails the running test.
  ///
  /// If XCTest doesn't run the test case, the failure is written to standard error, because its test would pass silently.
  public func report(_ failure: VerificationFailure) {
    let isLost = testCase.map { !$0.isRunning } ?? false
    if isLost { Self.reportLost(failure) }
    // Another test may run now: a verifier in a static property, for example.
    if !isLost || testCase?.hasEnded == true || Self.failsWithoutTest { Self.fail(failure) }
  }

  /// Fails the running test, and throws an error that XCTest doesn't report a second time: only that of `XCTUnwrap` is one.
  func report<Answer>(_ failure: VerificationFailure, requiring: Answer.Type) throws {
    guard testCase?.isRunning ?? true else { return report(failure) }
    _ = try XCTUnwrap(nil as Answer?, failure.message, file: failure.location.file, line: failure.location.line)
  }

  /// Keeps each text as an `XCTAttachment` of the test, or, where XCTest has none, as a file in the directory that the environment variable
  /// `TRACKING_ATTACHMENTS` names.
  public func keep(_ attachments: [JournalAttachment]) -> [String] {
    attachments.compactMap { Self.attach($0, to: testCase?.value) }
  }

  /// Reports a failure of a test that XCTest may not run.
  package static func reportOutsideOfTest(_ failure: VerificationFailure) {
    if failsWithoutTest { fail(failure) }
  }

  private static func fail(_ failure: VerificationFailure) {
    XCTFail(failure.message, file: failure.location.file, line: failure.location.line)
  }

  private static func reportLost(_ failure: VerificationFailure) {
    let text = """
      \(failure.location.file):\(failure.location.line): error: This failure reached no test, because the test case of \
      its verifier is not running: an XCTestCase made by hand, or one that has ended. A test of Swift Testing takes its \
      verifier from the trait `.tracking` of TrackingTesting.
      \(failure.message)

      """
    StandardError.write(text)
  }
}

/// The remarks that this process has written, so that hundreds of tests don't repeat one.
private enum WrittenRemarks {
  private static let written = Locked<Set<String>>([])

  static func write(_ text: String, at location: CodeLocation) {
    // The numbers and times of the events differ from test to test.
    let key = text.split(separator: "\n").filter { $0.hasPrefix("        ") }.joined(separator: "\n")
    guard written.withLock({ $0.insert(key).inserted }) else { return }
    let place = location.line > 0 ? "\(location.file):\(location.line): " : ""
    StandardError.write("\(place)warning: \(text)\n")
  }
}

/// A test case, held weakly.
///
/// `@unchecked Sendable`: the reference is set once, and reading a weak reference is safe on any thread.
final class TestCaseReference: @unchecked Sendable {
  private(set) weak var value: XCTestCase?

  init(_ value: XCTestCase) {
    self.value = value
  }

  /// Whether XCTest runs it now, so that there is a test that can fail.
  var isRunning: Bool { value?.testRun != nil && !hasEnded }

  /// Whether XCTest has run it to its end.
  var hasEnded: Bool { value?.testRun?.stopDate != nil }

  /// The class and the method; `nil` if the test case is gone.
  var parts: TestParts? {
    guard let value else { return nil }
    // Apple's XCTest writes "-[CartTests testBuying]", Linux's "CartTests.testBuying".
    var method = value.name.split { ". ]".contains($0) }.last.map(String.init) ?? value.name
    // The selectors of methods that throw or are asynchronous.
    for ending in ["WithCompletionHandler:", "AndReturnError:"] where method.hasSuffix(ending) {
      method.removeLast(ending.count)
    }
    return TestParts(suite: "\(type(of: value))", function: method)
  }

  /// The execution of the test; `nil` if XCTest doesn't run it.
  var attempt: TestAttempt? {
    guard let value, let began = value.testRun?.startDate else { return nil }
    return TestAttempt(of: "\(String(reflecting: type(of: value))) \(value.name)", began: began)
  }

  /// Whether it has failed so far.
  var hasFailed: Bool { value?.testRun.map { $0.totalFailureCount > 0 } ?? false }
}
