#if canImport(Darwin)
  import XCTest

  extension XCTestCase {
    /// A test case that nobody runs.
    static func made() -> XCTestCase { XCTestCase() }
  }
#endif
