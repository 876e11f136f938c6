#if canImport(Darwin)
  import XCTest

  extension XCTestCase {
    /// A test case that no runner runs.
    package static func idle() -> XCTestCase {
      XCTestCase()
    }
  }
#endif
