import TrackingModel

/// One item of a product was put into the cart.
public struct AddedToCart: TrackingSchema, Hashable {
  /// `"added_to_cart"`.
  public static let eventName = "added_to_cart"

  /// Which product.
  public var productID: Int
  /// How many of it are in the cart now.
  public var quantity: Int
  /// The price of one in cents.
  public var price: Int

  /// A product that was put into the cart.
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
