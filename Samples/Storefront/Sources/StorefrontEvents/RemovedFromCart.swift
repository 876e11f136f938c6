import TrackingModel

/// One item of a product was taken out of the cart.
public struct RemovedFromCart: TrackingSchema, Hashable {
  /// `"removed_from_cart"`.
  public static let eventName = "removed_from_cart"

  /// Which product.
  public var productID: Int
  /// How many of it are left in the cart.
  public var quantity: Int

  /// A product that was taken out of the cart.
  public init(productID: Int, quantity: Int) {
    self.productID = productID
    self.quantity = quantity
  }

  private enum CodingKeys: String, CodingKey {
    case productID = "product_id"
    case quantity
  }
}
