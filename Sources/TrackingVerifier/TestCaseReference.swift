import XCTest

/// A test case, held weakly.
///
/// `@unchecked Sendable`: the reference is set once, and reading a weak reference is safe on any thread.
final class TestCaseReference: @unchecked Sendable {
  private(set) weak var value: XCTestCase?

  init(_ value: XCTestCase) {
    self.value = value
  }

  /// Whether XCTest has run it, so that there is something that can fail.
  var isRun: Bool { value?.testRun != nil }
}
