import StorefrontEvents
import TrackingVerifier
import XCTest

/// Events of the app: that they arrive, with which params, how often and in which order.
nonisolated final class CheckoutUITests: XCTestCase {
  private lazy var verifier: TrackingVerifier = .init(with: self)
  @MainActor private lazy var app = XCUIApplication()

  @MainActor override func setUp() async throws {
    continueAfterFailure = false
    app.launchEnvironment.merge(verifier.launchEnvironment) { $1 }
    app.launch()
  }

  @MainActor func testALampIsAddedToTheCart() {
    app.buttons["product-42"].tapWhenShown()
    app.buttons["add"].tapWhenShown()
    verifier.wait(for: AddedToCart(productID: 42, quantity: 1, price: 2450))
  }

  @MainActor func testEachTapAddsOne() {
    app.buttons["product-42"].tapWhenShown()
    app.buttons["add"].tapWhenShown()
    verifier.wait(for: .typed(AddedToCart.self) { $0.quantity == 1 })
    app.buttons["add"].tapWhenShown()
    verifier.wait(for: .typed(AddedToCart.self) { $0.quantity == 2 })
    verifier.wait(for: .named(AddedToCart.eventName), count: 2)
  }

  @MainActor func testAPurchaseIsTrackedStepByStep() {
    app.buttons["product-42"].tapWhenShown()
    app.buttons["add"].tapWhenShown()
    app.buttons["cart"].tapWhenShown()
    app.buttons["checkout"].tapWhenShown()
    app.buttons["pay-card"].tapWhenShown()
    verifier.wait(
      for: .inOrder([
        .typed(ProductViewed.self), .typed(AddedToCart.self), .typed(CheckoutStarted.self),
        .typed(OrderPlaced.self),
      ]))
    verifier.wait(for: .none(of: .typed(LoadFailed.self), within: 0.5))
    XCTAssertTrue(app.staticTexts["order-id"].exists)
  }
}
