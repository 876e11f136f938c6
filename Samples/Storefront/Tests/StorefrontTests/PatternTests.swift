import StorefrontEvents
import TrackingVerifier
import XCTest

/// Patterns that describe events param by param.
final class PatternTests: StorefrontTestCase {
  func testAProductIsReportedAsItIsShown() throws {
    try app.tap("open product 42")
    verifier.wait(
      for: .named(
        "product_viewed",
        params: [
          .productID: 42,
          "name": .contains("lamp"),
          "price": .greater(than: 0),
          "rating": .in(0.0...5.0),
        ]
      ).exact())
  }

  func testARatingIsAboutThat() throws {
    try app.tap("open product 7")
    verifier.wait(for: .named("product_viewed", params: ["rating": .approximately(3.9, tolerance: 0.05)]))
  }

  func testAnOrderListsWhatWasInTheCart() throws {
    try app.tap("open product 42", "add", "add", "open product 7", "add", "cart", "checkout", "pay card")
    verifier.wait(
      for: .named(
        "order_placed",
        params: [
          "order_id": .matches(/[0-9A-F-]{36}/, as: "a UUID"),
          "items": .all(of: [.count(2), .each(.object([.productID: .anyInteger, "price": .atLeast(950)]))]),
          "items[0].quantity": 2,
          "total": 5850,
          "payment_method": .one(of: ["card", "invoice"]),
        ]))
  }

  func testACheckoutCarriesNothingThatTellsWhoTheUserIs() throws {
    try app.tap("open product 42", "add", "cart", "checkout")
    verifier.wait(
      for: .named("checkout_started", params: ["email": .absent, "name": .absent])
        .and(.params([.itemCount: .not(0), "total": .anyNumber])))
  }

  func testEveryEventBelongsToAScreenOrAProduct() throws {
    try app.tap("open product 42", "add", "cart")
    verifier.wait(for: .named("screen_viewed", params: [.screen: "cart"]))
    let known = EntryPattern.params([.screen: .anyString]).or(.params([.productID: .anyInteger]))
    verifier.wait(for: .none(of: known.not(), within: 0.5))
  }
}
