import StorefrontEvents
import StorefrontScenarios
import TrackingVerifier
import XCTest

/// Stubs inside the app: it responds to its own requests through `StubbedSession`, and no server takes part.
nonisolated final class InAppStubsUITests: XCTestCase {
  private lazy var verifier: TrackingVerifier = .init(with: self)
  @MainActor private lazy var app = XCUIApplication()

  @MainActor override func setUp() async throws {
    continueAfterFailure = false
    app.launchEnvironment.merge(verifier.launchEnvironment) { $1 }
  }

  @MainActor func testAScenarioIsChosenByALaunchArgument() {
    app.launchArguments += LaunchState.debug.launchArguments
    app.launch()
    XCTAssertTrue(app.buttons["product-7"].waitForExistence(timeout: 10))
  }

  @MainActor func testATableOfStubsTravelsInTheEnvironment() {
    let stubs = [
      StubEndpoint(.get, "/products", .json([["id": 1, "name": "Candle", "price": 300, "rating": 5.0]])),
      StubEndpoint(.get, "/products/:id", .error(.notConnectedToInternet)),
    ]
    app.launchEnvironment.merge(verifier.stubsEnvironment(for: stubs)) { $1 }
    app.launch()
    app.buttons["product-1"].tapWhenShown()
    verifier.wait(for: .typed(LoadFailed.self))
    XCTAssertEqual(app.staticTexts["problem"].label, "The shop cannot be reached.")
  }
}
