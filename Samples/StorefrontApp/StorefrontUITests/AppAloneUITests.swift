import XCTest

/// The app without a verifier.
///
/// The first class by name, so that XCTest runs it first: if it fails, the others fail for a reason that isn't tracking, such as a simulator in which no
/// element is found.
nonisolated final class AppAloneUITests: XCTestCase {
  @MainActor private lazy var app = XCUIApplication()

  @MainActor func testTheAppShowsAProduct() {
    app.launch()
    app.buttons["product-42"].tapWhenShown()
    XCTAssertTrue(app.buttons["add"].waitForExistence(timeout: 10))
  }
}
