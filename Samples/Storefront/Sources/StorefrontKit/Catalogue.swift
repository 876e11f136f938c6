/// The source of the shop's products.
public protocol Catalogue: Sendable {
  /// All products, in the order in which they are shown.
  func products() async throws -> [Product]
  /// One product.
  ///
  /// - Throws: ``CatalogueError`` when there is none of that number.
  func product(id: Int) async throws -> Product
  /// The products that a text finds, the best first.
  func search(_ text: String) async throws -> [Product]
  /// Keeps a search for the user's next visit.
  func saveSearch(_ text: String) async throws
}
