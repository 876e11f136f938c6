import StorefrontDriver
import StorefrontEvents
import Testing
import TrackingTesting

/// Each kind of check, on a launched app.
@Suite(.tracking(.storefront)) struct CheckTests {
  private let verifier = TrackingVerifier.current
  private let app = StorefrontApp()
  private let home = TrackingEvent(name: "screen_viewed", params: [.screen: "home"])

  init() throws {
    app.launchEnvironment.merge(verifier.launchEnvironment) { $1 }
    try app.launch()
  }

  // MARK: Counts

  @Test("each tap on add is reported once") func exact() async throws {
    try app.tap("open product 42", "add", "add")
    let added = await verifier.wait(for: .named("added_to_cart"), count: 2)
    #expect(added.map { $0.params["quantity"] } == [1, 2])
  }

  @Test("each return to the home screen is reported") func atLeast() async throws {
    try app.tap("open product 42", "back", "open product 7", "back")
    await verifier.wait(for: .equal(to: home), count: .atLeast(3))
  }

  @Test("a product is reported per visit and not per tap") func bounds() async throws {
    try app.tap("open product 42", "add", "remove", "add", "back", "open product 42", "cart")
    await verifier.wait(for: .cart)
    await verifier.wait(for: .typed(ProductViewed.self), count: 1...2)
    await verifier.wait(for: .typed(RemovedFromCart.self), count: .atMost(1))
  }

  @Test("an empty cart cannot be checked out") func none() async throws {
    try app.tap("cart", "checkout")
    #expect(try app.screen == "That cannot be done here.")
    await verifier.wait(for: .cart)
    await verifier.wait(for: .none(of: .typed(CheckoutStarted.self), within: 0.5))
  }

  @Test("nothing is added before a product was viewed") func precedence() async throws {
    try app.tap("open product 42", "add", "cart")
    await verifier.wait(for: .none(of: .typed(AddedToCart.self), before: .typed(ProductViewed.self)))
  }

  @Test("no tap is reported twice") func noDuplicates() async throws {
    try app.tap("open product 42", "add", "add", "cart", "checkout", "pay card")
    await verifier.wait(for: .typed(OrderPlaced.self))
    await verifier.wait(for: .noDuplicates(within: 1))
  }

  // MARK: Order

  @Test("the funnel is reported from top to bottom") func inOrder() async throws {
    try app.tap("open product 42", "add", "cart", "checkout", "pay card")
    await verifier.wait(
      for: .inOrder([.typed(ProductViewed.self), .typed(CheckoutStarted.self), .typed(OrderPlaced.self)]))
  }

  @Test("nothing else happens between the first screen and the cart") func consecutive() async throws {
    try app.tap("open product 99", "add", "cart")
    await verifier.wait(
      for: .consecutive([
        .equal(to: home),
        .named("product_viewed", params: [.productID: 99]),
        .equal(to: AddedToCart(productID: 99, quantity: 1, price: 5900)),
        .cart,
      ]))
  }

  @Test("a window shopper is seen at each product") func inAnyOrder() async throws {
    try app.tap("open product 99", "back", "open product 7", "back", "open product 42")
    let outcome = await verifier.wait(
      for: .inAnyOrder([
        .typed(ProductViewed.self, "a price below 60") { $0.price < 6000 },
        .named("product_viewed", params: ["name": "Coffee mug"]),
        .named("product_viewed", params: ["name": "Wool blanket"]),
      ]))
    #expect(outcome.events.map { $0.params["name"] } == ["Desk lamp", "Coffee mug", "Wool blanket"])
  }

  // MARK: All, and nothing else

  @Test("a visit to the cart reports this and nothing else") func nothingElse() async throws {
    try app.tap("open product 42", "add", "cart")
    await verifier.wait(for: home)
    await verifier.wait(for: ProductViewed(productID: 42, name: "Desk lamp", price: 2450, rating: 4.5))
    await verifier.wait(for: AddedToCart(productID: 42, quantity: 1, price: 2450))
    await verifier.wait(for: .cart)
    await verifier.wait(for: .nothingElse())
  }

  @Test("checking out reports nothing else than screens") func nothingElseButScreens() async throws {
    try app.tap("open product 7", "add", "add", "cart", "checkout")
    await verifier.wait(for: .typed(AddedToCart.self), count: 2)
    await verifier.wait(for: CheckoutStarted(itemCount: 2, total: 1900))
    await verifier.wait(for: .nothingElse(ignoring: [.named("screen_viewed").or(.named("product_viewed"))]))
  }

  @Test("all that is tracked arrives") func delivery() async throws {
    try app.tap("open product 42", "add", "add", "cart", "checkout", "pay invoice", "back")
    await verifier.wait(for: .cart, count: 2)
    await verifier.wait(for: .delivery)
  }

  // MARK: Marks

  @Test("the home screen reports that the user came back") func mark() async throws {
    try await verifier.require(.equal(to: home))
    try app.tap("open product 42")
    await verifier.wait(for: .typed(ProductViewed.self))

    let mark = verifier.mark()
    try app.tap("back")
    await verifier.wait(for: home, since: mark)
  }

  @Test("taking out what is not in the cart reports nothing") func noEvents() async throws {
    try app.tap("open product 42", "add", "remove")
    await verifier.wait(for: RemovedFromCart(productID: 42, quantity: 0))

    let mark = verifier.mark()
    try app.tap("remove")
    #expect(try app.screen.hasSuffix("In the cart: 0"))
    await verifier.wait(for: .none(of: .any, within: 0.5), since: mark)
  }

  // MARK: Patterns

  @Test("an order lists what was in the cart") func matchers() async throws {
    try app.tap("open product 42", "add", "add", "open product 7", "add", "cart", "checkout", "pay card")
    await verifier.wait(
      for: .named(
        "order_placed",
        params: [
          "order_id": .matches(/[0-9A-F-]{36}/, as: "a UUID"),
          "items": .all(of: [.count(2), .each(.object([.productID: .anyInteger, "price": .atLeast(950)]))]),
          "items[0].quantity": 2,
          "total": 5850,
          "payment_method": .one(of: ["card", "invoice"]),
        ]
      ).exact())
  }

  @Test("a checkout carries nothing that tells who the user is") func absent() async throws {
    try app.tap("open product 42", "add", "cart", "checkout")
    await verifier.wait(for: .named("checkout_started", params: ["email": .absent, "total": .greater(than: 0)]))
  }

  // MARK: Reported by the test

  @Test("the funnel has no gap") func outcome() async throws {
    try app.tap("open product 7", "add", "cart", "checkout", "pay invoice")
    let outcome = await verifier.outcome(of: .inOrder([.typed(CheckoutStarted.self), .typed(OrderPlaced.self)]))
    if let failure = outcome.failure {
      Issue.record("The funnel breaks. \(failure.message)")
    }
  }
}

extension ExpressibleByEventPattern {
  fileprivate static var cart: Self { .named("screen_viewed", params: [.screen: "cart"]) }
}
