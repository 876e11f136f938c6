import XCTest

extension XCUIElement {
  /// Waits until the element is there, then taps it: the app loads its screens asynchronously.
  func tapWhenShown(file: StaticString = #filePath, line: UInt = #line) {
    XCTAssertTrue(waitForExistence(timeout: 10), "\(self) is not shown", file: file, line: line)
    tap()
  }
}
