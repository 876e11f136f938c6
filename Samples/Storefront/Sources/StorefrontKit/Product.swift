/// Something that the shop sells.
public struct Product: Hashable, Codable, Sendable {
  /// The number under which the shop knows it.
  public let id: Int
  /// Its name as it is shown.
  public let name: String
  /// Its price in cents.
  public let price: Int
  /// The average of its ratings, from 0 to 5.
  public let rating: Double

  /// A product.
  public init(id: Int, name: String, price: Int, rating: Double) {
    self.id = id
    self.name = name
    self.price = price
    self.rating = rating
  }
}
