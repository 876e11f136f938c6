/// Where the shop's products come from.
public protocol Catalogue: Sendable {
  /// All products, in the order in which they are shown.
  func products() async throws -> [Product]
  /// One product.
  ///
  /// - Throws: ``CatalogueError`` when there is none of that number.
  func product(id: Int) async throws -> Product
}

/// Why a catalogue did not give a product.
public enum CatalogueError: Error, Hashable, CustomStringConvertible {
  /// The shop has no product of that number.
  case noProduct(id: Int)

  /// What is wrong, in words for the user.
  public var description: String {
    switch self {
    case .noProduct(let id): "There is no product \(id)."
    }
  }
}
