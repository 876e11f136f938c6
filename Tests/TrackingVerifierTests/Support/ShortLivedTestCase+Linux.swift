#if os(Linux)
  import XCTest

  extension XCTestCase {
    /// A test case that nobody runs.
    static func shortLived() -> XCTestCase {
      XCTestCase(name: "short-lived") { _ in }
    }
  }
#endif
