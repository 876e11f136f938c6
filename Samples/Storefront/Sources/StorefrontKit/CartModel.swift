import StorefrontEvents
import TrackingModel

/// The screen that lists what is in the cart.
public final class CartModel {
  /// The listed products.
  public var lines: [Cart.Line] { cart.lines }
  /// The price of all items, in cents.
  public var total: Int { cart.total }

  private let cart: Cart
  private let tracker: any TrackerProtocol

  /// The screen, before it is shown.
  public init(cart: Cart, tracker: any TrackerProtocol) {
    self.cart = cart
    self.tracker = tracker
  }

  /// To be called whenever the screen comes into view.
  public func appear() {
    tracker.track(.init(name: "screen_viewed", params: [.screen: "cart", .itemCount: cart.itemCount]))
  }

  /// Takes one item of a product out, if there is one.
  public func remove(productID: Int) {
    guard let quantity = cart.remove(productID: productID) else { return }
    tracker.track(RemovedFromCart(productID: productID, quantity: quantity))
  }
}
