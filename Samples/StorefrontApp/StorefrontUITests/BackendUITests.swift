import StorefrontEvents
import TrackingVerifier
import XCTest

/// The app's backend is the verifier: stubs, faults, and the order of requests and events.
nonisolated final class BackendUITests: XCTestCase {
  private lazy var verifier: TrackingVerifier = .init(with: self, configuration: configuration)
  @MainActor private lazy var app = XCUIApplication()
  /// The app reads the URL of its backend from `STOREFRONT_BACKEND`.
  private let configuration = TrackingVerifier.Configuration(endpointVariables: ["STOREFRONT_BACKEND": .url])

  @MainActor override func setUp() async throws {
    continueAfterFailure = false
    verifier.stub(.get, "/products", .json([["id": 42, "name": "Desk lamp", "price": 2450, "rating": 4.5]]))
    verifier.stub(.get, "/search", .json([]))
    app.launchEnvironment.merge(verifier.launchEnvironment) { $1 }
  }

  @MainActor func testTheListComesFromTheBackend() {
    app.launch()
    XCTAssertTrue(app.buttons["product-42"].waitForExistence(timeout: 10))
    XCTAssertFalse(app.buttons["product-7"].exists)
  }

  @MainActor func testAProductThatTheBackendDoesNotKnowIsTracked() {
    verifier.stub(.get, "/products/:id", .status(404))
    app.launch()
    app.buttons["product-42"].tapWhenShown()
    verifier.wait(for: .named("product_missing", params: ["product_id": 42]))
    XCTAssertEqual(app.staticTexts["problem"].label, "There is no product 42.")
  }

  @MainActor func testABrokenConnectionIsTrackedAndTheNextAttemptSucceeds() {
    app.launch()
    XCTAssertTrue(app.buttons["product-42"].waitForExistence(timeout: 10))
    verifier.inject(HTTPFault(.reset, at: .response), times: 1)
    app.buttons["home"].tapWhenShown()
    verifier.wait(for: .typed(LoadFailed.self))
    app.buttons["home"].tapWhenShown()
    verifier.wait(for: .named("screen_viewed", params: [.screen: "home"]), count: 2)
  }

  @MainActor func testASavedSearchIsTrackedOnlyAfterTheBackendHasIt() {
    verifier.stub(.post, "/search", .status(201))
    app.launch()
    app.buttons["search"].tapWhenShown()
    app.buttons["save-search"].tapWhenShown()
    verifier.wait(for: .inOrder([.request(.post, "/search"), .named("search_saved")]))
  }
}
