import TrackingModel

/// The details of a product were shown.
public struct ProductViewed: TrackingSchema, Hashable {
  /// `"product_viewed"`.
  public static let eventName = "product_viewed"

  /// Which product.
  public var productID: Int
  /// Its name as it was shown.
  public var name: String
  /// Its price in cents.
  public var price: Int
  /// The average of its ratings, from 0 to 5.
  public var rating: Double

  /// A product that was shown.
  public init(productID: Int, name: String, price: Int, rating: Double) {
    self.productID = productID
    self.name = name
    self.price = price
    self.rating = rating
  }

  private enum CodingKeys: String, CodingKey {
    case productID = "product_id"
    case name
    case price
    case rating
  }
}
