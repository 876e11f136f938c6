import StubModel

/// An endpoint of the shop's backend.
nonisolated public enum ShopEndpoint: Stubbable {
  case products
  case product
  case search

  /// The first part of the file's name.
  public var stubName: String {
    switch self {
    case .products: "products"
    case .product: "product"
    case .search: "search"
    }
  }

  /// The extension of the file's name.
  public var stubFileExtension: String { "json" }

  /// The path of the endpoint's requests.
  public var path: StubPath {
    switch self {
    case .products: "/products"
    case .product: .regex("/products/[0-9]+")
    case .search: "/search"
    }
  }

  /// The endpoint with a response.
  public func stub(_ response: PlannedResponse) -> StubEndpoint {
    StubEndpoint(.get, path, result(response))
  }
}
