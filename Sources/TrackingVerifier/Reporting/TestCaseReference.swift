import XCTest

/// A test case, held weakly.
///
/// `@unchecked Sendable`: the reference is set once, and reading a weak reference is safe on any thread.
package final class TestCaseReference: @unchecked Sendable {
  package private(set) weak var value: XCTestCase?

  package init(_ value: XCTestCase) {
    self.value = value
  }

  /// Whether XCTest is running the test, so that a failure has a test to fail.
  package var isRunning: Bool { value?.testRun != nil && !hasEnded }

  /// The number of unexpected failures; `nil` if XCTest isn't running the test.
  var failureCount: Int? { isRunning ? value?.testRun?.totalFailureCount : nil }

  package var hasEnded: Bool { value?.testRun?.stopDate != nil }
}
