#if canImport(Darwin)
  import XCTest

  /// A test case that nobody runs.
  public func makeTestCase() -> XCTestCase {
    XCTestCase()
  }
#endif
