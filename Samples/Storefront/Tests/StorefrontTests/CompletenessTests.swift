import StorefrontDriver
import StorefrontEvents
import TrackingVerifier
import XCTest

/// That all is reported, and nothing else.
final class CompletenessTests: StorefrontTestCase {
  func testAVisitToTheCartReportsThisAndNothingElse() throws {
    try app.tap("open product 42", "add", "cart")
    verifier.wait(for: TrackingEvent(name: "screen_viewed", params: [.screen: "home"]))
    verifier.wait(for: ProductViewed(productID: 42, name: "Desk lamp", price: 2450, rating: 4.5))
    verifier.wait(for: AddedToCart(productID: 42, quantity: 1, price: 2450))
    verifier.wait(for: TrackingEvent(name: "screen_viewed", params: [.screen: "cart", .itemCount: 1]))
    // Each event was matched by a wait.
    verifier.wait(for: .nothingElse())
  }

  func testCheckingOutReportsNothingElseThanScreens() throws {
    try app.tap("open product 7", "add", "add", "cart", "checkout")
    verifier.wait(for: .typed(AddedToCart.self), count: 2)
    verifier.wait(for: CheckoutStarted(itemCount: 2, total: 1900))
    verifier.wait(for: .nothingElse(ignoring: [.named("screen_viewed").or(.named("product_viewed"))]))
  }

  func testAllThatIsTrackedArrives() throws {
    try app.tap("open product 42", "add", "add", "cart", "checkout", "pay invoice", "back")
    verifier.wait(for: .named("screen_viewed", params: [.screen: "cart"]), count: 2)
    // No body was rejected, and the numbers under which the app tracked its events have no hole.
    verifier.wait(for: .delivery)
  }
}

/// The same for every test of a class, without a line in each.
final class CompletenessAtStopTests: XCTestCase {
  private lazy var verifier: TrackingVerifier = .init(with: self, configuration: configuration)
  private let app = StorefrontApp()

  /// Checked whenever a verifier of these tests stops.
  private var configuration: TrackingVerifier.Configuration {
    var configuration = TrackingVerifier.Configuration.storefront
    configuration.checksAtStop = [.delivery, .plan, .nothingElse(ignoring: [.named("screen_viewed")])]
    return configuration
  }

  func testAProductInViewReportsItselfAndNothingElse() throws {
    app.launchEnvironment.merge(verifier.launchEnvironment) { $1 }
    quitAtEnd(app)
    try app.launch()
    try app.tap("open product 42")
    verifier.wait(for: .typed(ProductViewed.self) { $0.productID == 42 })
  }
}
