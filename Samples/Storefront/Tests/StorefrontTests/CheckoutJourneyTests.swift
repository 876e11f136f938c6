import StorefrontDriver
import StorefrontEvents
import TrackingModel
import TrackingVerifier
import XCTest

/// Journeys through the app in its own process, and the events that each must report.
final class CheckoutJourneyTests: XCTestCase {
  private lazy var verifier: TrackingVerifier = .init(with: self, configuration: .storefront)
  private let app = StorefrontApp()

  override func setUpWithError() throws {
    app.launchEnvironment.merge(verifier.launchEnvironment) { $1 }
    try app.launch()
  }

  func testBuyingAProductIsReportedFromTheFirstScreenToTheOrder() throws {
    // An event that equals this one, param by param.
    verifier.wait(for: TrackingEvent(name: "screen_viewed", params: [.screen: "home"]))
    quitAtEnd(app)

    // An event of this type for which the closure holds.
    try app.tap("open product 42")
    verifier.wait(for: .typed(ProductViewed.self) { $0.productID == 42 && $0.rating > 4 })

    // An event that equals this typed value.
    try app.tap("add")
    verifier.wait(for: AddedToCart(productID: 42, quantity: 1, price: 2450))
    try app.tap("add")
    verifier.wait(for: AddedToCart(productID: 42, quantity: 2, price: 2450))

    // Any event for which the closure holds; the text before it is what a failure says was awaited.
    try app.tap("cart")
    verifier.wait(for: .satisfying("the cart with both items") { $0.params[.itemCount] == 2 })

    // Any event of this name.
    try app.tap("checkout")
    let checkout = verifier.wait(for: .named("checkout_started"))
    XCTAssertEqual(checkout?.params["total"], 4900)

    // The returned event can be examined further.
    try app.tap("pay card")
    let order = try verifier.require(.typed(OrderPlaced.self) { $0.paymentMethod == .card })
    XCTAssertEqual(order.items, [.init(productID: 42, quantity: 2, price: 2450)])
    XCTAssertEqual(try app.screen, "Thank you\nYour order is \(order.orderID)")
  }

  func testWhatWasTakenOutOfTheCartIsNotOrdered() throws {
    for command in ["open product 7", "add", "open product 99", "add", "cart", "remove 7", "checkout", "pay invoice"] {
      try app.tap(command)
    }
    verifier.wait(for: RemovedFromCart(productID: 7, quantity: 0))
    // A condition in the wait is one that mutants see; a failure shows the nearest order.
    verifier.wait(
      for: .typed(OrderPlaced.self) {
        $0.paymentMethod == .invoice && $0.items == [.init(productID: 99, quantity: 1, price: 5900)]
      })
  }

  func testAnAppThatQuitsHasDeliveredAllItTracked() throws {
    try app.tap("open product 42")
    try app.tap("add")
    try app.tap("quit")
    try app.waitForExit()
    XCTAssertEqual(verifier.events.map(\.name), ["screen_viewed", "product_viewed", "added_to_cart"])
  }

  func testAnAppThatIsLaunchedAgainReportsToTheSameTest() throws {
    try app.tap("open product 7")
    verifier.wait(for: .typed(ProductViewed.self) { $0.productID == 7 })

    try app.launch()
    try app.tap("open product 99")
    verifier.wait(for: .typed(ProductViewed.self) { $0.productID == 99 })
    XCTAssertEqual(verifier.events.compactMap { $0.params[.screen] }, ["home", "home"])
  }

  func testWhatAKilledAppHadReportedStays() throws {
    try app.tap("open product 7")
    verifier.wait(for: .typed(ProductViewed.self) { $0.productID == 7 })
    app.terminate()

    XCTAssertEqual(verifier.events.map(\.name), ["screen_viewed", "product_viewed"])
    XCTAssertThrowsError(try app.tap("add"))
  }
}
