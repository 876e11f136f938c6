/// The three products that come with the app.
public struct BundledCatalogue: Catalogue {
  private let shelf = [
    Product(id: 7, name: "Coffee mug", price: 950, rating: 3.9),
    Product(id: 42, name: "Desk lamp", price: 2450, rating: 4.5),
    Product(id: 99, name: "Wool blanket", price: 5900, rating: 4.8),
  ]

  /// The catalogue.
  public init() {}

  /// The three products.
  public func products() -> [Product] {
    shelf
  }

  /// One of the three.
  public func product(id: Int) throws -> Product {
    guard let product = shelf.first(where: { $0.id == id }) else { throw CatalogueError.noProduct(id: id) }
    return product
  }

  /// Those whose name holds the text, in letters of any case.
  public func search(_ text: String) -> [Product] {
    shelf.filter { $0.name.lowercased().contains(text.lowercased()) }
  }

  /// Fails: there is no backend to keep it.
  public func saveSearch(_ text: String) throws {
    throw CatalogueError.offline
  }
}
