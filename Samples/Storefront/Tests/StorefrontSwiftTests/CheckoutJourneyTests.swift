import StorefrontDriver
import StorefrontEvents
import Testing
import TrackingAudit
import TrackingTesting

/// Journeys through the app in its own process: each test has its own verifier, and all run at once.
struct CheckoutJourneyTests {
  @Test("buying a product is reported from the first screen to the order", .tracking(.storefront))
  func purchase() async throws {
    let verifier = TrackingVerifier.current
    let app = StorefrontApp()
    app.launchEnvironment.merge(verifier.launchEnvironment) { $1 }
    try app.launch()

    // An event that equals this one, param by param; the test ends here if it does not come.
    try await verifier.require(.equal(to: TrackingEvent(name: "screen_viewed", params: [.screen: "home"])))

    // An event of this type for which the closure holds; the test continues if it doesn't arrive.
    try app.tap("open product 42")
    await verifier.wait(for: .typed(ProductViewed.self) { $0.productID == 42 && $0.rating > 4 })

    // An event that equals this typed value.
    try app.tap("add")
    await verifier.wait(for: AddedToCart(productID: 42, quantity: 1, price: 2450))

    // Any event for which the closure holds; the text before it is what a failure says was awaited.
    try app.tap("add", "cart")
    await verifier.wait(for: .satisfying("the cart with both items") { $0.params[.itemCount] == 2 })

    // Any event of this name.
    try app.tap("checkout")
    let checkout = try await verifier.require(.named("checkout_started"))
    #expect(checkout.params["total"] == 4900)

    // A required event needn't be unwrapped.
    try app.tap("pay card")
    let order = try await verifier.require(.typed(OrderPlaced.self))
    #expect(order.items == [.init(productID: 42, quantity: 2, price: 2450)])
    #expect(try app.screen == "Thank you\nYour order is \(order.orderID)")
  }

  @Test("each way to pay is reported with the order", .tracking(.storefront), arguments: PaymentMethod.allCases)
  func payment(by method: PaymentMethod) async throws {
    let verifier = TrackingVerifier.current
    let app = StorefrontApp()
    app.launchEnvironment.merge(verifier.launchEnvironment) { $1 }
    try app.launch()

    // Two waits at once, begun before there is anything to wait for.
    async let checkout = verifier.wait(for: .typed(CheckoutStarted.self))
    async let order = verifier.wait(for: .typed(OrderPlaced.self) { $0.paymentMethod == method })
    try app.tap("open product 7", "add", "cart", "checkout", "pay \(method)")
    #expect(await checkout?.total == order?.total)

    // The whole journey, as it was recorded for this way to pay.
    await verifier.assertFlow(in: .bundle(.module), masking: [.param("order_id")])
  }
}
