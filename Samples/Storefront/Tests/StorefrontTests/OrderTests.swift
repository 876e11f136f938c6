import StorefrontEvents
import TrackingVerifier
import XCTest

/// The order in which events are reported.
final class OrderTests: StorefrontTestCase {
  func testTheFunnelIsReportedFromTopToBottom() throws {
    try app.tap("open product 42", "add", "cart", "checkout", "pay card")
    // In this order, whatever is between.
    verifier.wait(
      for: .inOrder([
        .typed(ProductViewed.self),
        .typed(CheckoutStarted.self),
        .typed(OrderPlaced.self),
      ]))
  }

  func testNothingElseHappensBetweenTheFirstScreenAndTheCart() throws {
    try app.tap("open product 99", "add", "cart")
    // In this order, with no other event between.
    verifier.wait(
      for: .consecutive([
        .named("screen_viewed", params: [.screen: "home"]),
        .named("product_viewed", params: [.productID: 99]),
        .equal(to: AddedToCart(productID: 99, quantity: 1, price: 5900)),
        .named("screen_viewed", params: [.screen: "cart"]),
      ]))
  }

  func testAWindowShopperIsSeenAtEachProduct() throws {
    try app.tap("open product 99", "back", "open product 7", "back", "open product 42")
    // In any order; each pattern has its own event, although the first would match any of the three.
    let events = verifier.wait(
      for: .inAnyOrder([
        .typed(ProductViewed.self, "a price below 60") { $0.price < 6000 },
        .named("product_viewed", params: ["name": "Coffee mug"]),
        .named("product_viewed", params: ["name": "Wool blanket"]),
      ])
    ).events
    XCTAssertEqual(events.map { $0.params["name"] }, ["Desk lamp", "Coffee mug", "Wool blanket"])
  }
}
