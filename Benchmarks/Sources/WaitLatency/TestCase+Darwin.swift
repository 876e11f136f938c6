#if canImport(Darwin)
  import XCTest

  /// A test case that nobody runs.
  func makeTestCase() -> XCTestCase {
    XCTestCase()
  }
#endif
