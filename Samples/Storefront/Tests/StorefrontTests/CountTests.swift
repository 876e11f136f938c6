import StorefrontEvents
import TrackingVerifier
import XCTest

/// The number of times that something is reported.
final class CountTests: StorefrontTestCase {
  func testEachTapOnAddIsReportedOnce() throws {
    try app.tap("open product 42", "add", "add")
    let added = verifier.wait(for: .named("added_to_cart"), count: 2)
    XCTAssertEqual(added.map { $0.params["quantity"] }, [1, 2])
  }

  func testEachReturnToTheHomeScreenIsReported() throws {
    try app.tap("open product 42", "back", "open product 7", "back")
    verifier.wait(for: .named("screen_viewed", params: [.screen: "home"]), count: .atLeast(3))
  }

  func testAProductSeenTwiceIsReportedOnceOrTwice() throws {
    try app.tap("open product 42", "back", "open product 42", "cart")
    verifier.wait(for: .named("screen_viewed", params: [.screen: "cart"]))
    verifier.wait(for: .typed(ProductViewed.self), count: 1...2)
  }

  func testAProductIsReportedPerVisitAndNotPerTap() throws {
    try app.tap("open product 42", "add", "remove", "add", "cart")
    verifier.wait(for: .named("screen_viewed", params: [.screen: "cart"]))
    verifier.wait(for: .typed(ProductViewed.self), count: .atMost(1))
  }

  func testAnEmptyCartCannotBeCheckedOut() throws {
    try app.tap("cart", "checkout")
    XCTAssertEqual(try app.screen, "That cannot be done here.")
    verifier.wait(for: .named("screen_viewed", params: [.screen: "cart"]))
    verifier.wait(for: .none(of: .typed(CheckoutStarted.self), within: 0.5))
  }

  func testNothingIsAddedBeforeAProductWasViewed() throws {
    try app.tap("open product 42", "add", "cart")
    verifier.wait(for: .none(of: .typed(AddedToCart.self), before: .typed(ProductViewed.self)))
  }

  func testACheckoutIsTrackedOnce() throws {
    try app.tap("open product 42", "add", "cart", "checkout")
    verifier.wait(for: .typed(CheckoutStarted.self))
    verifier.wait(for: .noDuplicates(within: 1))
  }

  func testNoTapIsReportedTwice() throws {
    try app.tap("open product 42", "add", "add", "cart")
    verifier.wait(for: .named("screen_viewed", params: [.screen: "cart"]))
    verifier.wait(for: .noDuplicates(within: 1))
  }
}
