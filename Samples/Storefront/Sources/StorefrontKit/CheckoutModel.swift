import Foundation
import StorefrontEvents
import TrackingModel

/// The screen on which the cart is paid.
public final class CheckoutModel {
  /// The number of the order; `nil` until it is placed.
  public private(set) var orderID: UUID?
  /// The amount to pay, in cents.
  public let total: Int

  private let cart: Cart
  private let tracker: any TrackerProtocol

  /// The screen, before it is shown.
  public init(cart: Cart, tracker: any TrackerProtocol) {
    self.total = cart.total
    self.cart = cart
    self.tracker = tracker
  }

  /// To be called whenever the screen comes into view.
  public func appear() {
    tracker.track(CheckoutStarted(itemCount: cart.itemCount, total: total))
  }

  /// Places the order and empties the cart; a second call does nothing.
  public func pay(by method: PaymentMethod) {
    guard orderID == nil else { return }
    let orderID = UUID()
    let items = cart.lines.map {
      OrderPlaced.Item(productID: $0.product.id, quantity: $0.quantity, price: $0.product.price)
    }
    cart.empty()
    self.orderID = orderID
    tracker.track(OrderPlaced(orderID: orderID, items: items, total: total, paymentMethod: method))
  }
}
