import XCTest

/// A test case, held weakly.
///
/// `@unchecked Sendable`: the reference is set once, and reading a weak reference is safe on any thread.
final class TestCaseReference: @unchecked Sendable {
  private(set) weak var value: XCTestCase?

  init(_ value: XCTestCase) {
    self.value = value
  }

  /// Whether XCTest runs it now, so that there is something that can fail.
  var isRunning: Bool { value?.testRun != nil && !hasEnded }

  /// Whether XCTest has run it to its end.
  var hasEnded: Bool { value?.testRun?.stopDate != nil }
}
