import StorefrontEvents
import StorefrontKit
import TrackingModel
import TrackingVerifier
import XCTest

/// The cart screen in the test's own process, reporting straight to the verifier.
final class CartTests: XCTestCase {
  private lazy var verifier: TrackingVerifier = .init(with: self)
  private let mug = Product(id: 7, name: "Coffee mug", price: 950, rating: 3.9)

  func testTheCartReportsHowManyItemsItShows() {
    let cart = Cart()
    cart.add(mug)
    cart.add(mug)
    CartModel(cart: cart, tracker: verifier.tracker).appear()
    verifier.wait(for: TrackingEvent(name: "screen_viewed", params: [.screen: "cart", .itemCount: 2]))
  }

  func testAnItemTakenOutIsReportedWithHowManyAreLeft() {
    let cart = Cart()
    cart.add(mug)
    cart.add(mug)
    CartModel(cart: cart, tracker: verifier.tracker).remove(productID: mug.id)
    verifier.wait(for: RemovedFromCart(productID: mug.id, quantity: 1))
    XCTAssertEqual(cart.total, 950)
  }

  func testTakingOutWhatIsNotThereReportsNothing() {
    CartModel(cart: Cart(), tracker: verifier.tracker).remove(productID: mug.id)
    XCTAssertEqual(verifier.events, [])
  }

  func testPayingTwicePlacesOneOrder() {
    let cart = Cart()
    cart.add(mug)
    let checkout = CheckoutModel(cart: cart, tracker: verifier.tracker)
    checkout.pay(by: .invoice)
    checkout.pay(by: .invoice)
    let orderID = checkout.orderID
    verifier.wait(for: .typed(OrderPlaced.self) { $0.orderID == orderID })
    XCTAssertEqual(verifier.events.count, 1)
  }
}
