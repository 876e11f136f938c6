import XCTest

/// A test case, held weakly.
///
/// `@unchecked Sendable`: the reference is set once, and reading a weak reference is safe on any thread.
package final class TestCaseReference: @unchecked Sendable {
  package private(set) weak var value: XCTestCase?

  package init(_ value: XCTestCase) {
    self.value = value
  }

  /// Whether XCTest runs it now, so that there is a test that can fail.
  package var isRunning: Bool { value?.testRun != nil && !hasEnded }

  /// The number of failures so far, without those that XCTest expects; `nil` if XCTest doesn't run it now.
  var failureCount: Int? { isRunning ? value?.testRun?.totalFailureCount : nil }

  /// Whether XCTest has run it to its end.
  package var hasEnded: Bool { value?.testRun?.stopDate != nil }
}
