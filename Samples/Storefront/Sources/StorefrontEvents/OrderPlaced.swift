import Foundation
import TrackingModel

/// The user paid, and the order was taken.
public struct OrderPlaced: TrackingSchema, Hashable {
  /// `"order_placed"`.
  public static let eventName = "order_placed"

  /// One product of an order.
  public struct Item: Codable, Hashable, Sendable {
    /// Which product.
    public var productID: Int
    /// How many of it.
    public var quantity: Int
    /// The price of one in cents.
    public var price: Int

    /// A product of an order.
    public init(productID: Int, quantity: Int, price: Int) {
      self.productID = productID
      self.quantity = quantity
      self.price = price
    }

    private enum CodingKeys: String, CodingKey {
      case productID = "product_id"
      case quantity
      case price
    }
  }

  /// The number under which the shop knows the order, new for each.
  public var orderID: UUID
  /// What was ordered.
  public var items: [Item]
  /// What was paid, in cents.
  public var total: Int
  /// How it was paid.
  public var paymentMethod: PaymentMethod

  /// An order that was taken.
  public init(orderID: UUID, items: [Item], total: Int, paymentMethod: PaymentMethod) {
    self.orderID = orderID
    self.items = items
    self.total = total
    self.paymentMethod = paymentMethod
  }

  private enum CodingKeys: String, CodingKey {
    case orderID = "order_id"
    case items
    case total
    case paymentMethod = "payment_method"
  }
}
