#if canImport(Darwin)
  import XCTest

  /// A test case that isn't run.
  public func makeTestCase() -> XCTestCase {
    XCTestCase()
  }
#endif
