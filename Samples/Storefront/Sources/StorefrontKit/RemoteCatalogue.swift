import Foundation

/// The products of the shop's backend: `GET /products`, `GET /products/42`, `GET /search?q=lamp`, and `POST /search` to save one.
public struct RemoteCatalogue: Catalogue {
  private let baseURL: URL
  private let session: URLSession
  private let observer: (any RequestObserver)?

  /// The catalogue of a backend.
  public init(baseURL: URL, session: URLSession, observer: (any RequestObserver)? = nil) {
    self.baseURL = baseURL
    self.session = session
    self.observer = observer
  }

  /// All products, in the order in which they are shown.
  public func products() async throws -> [Product] {
    try await get([Product].self, "products")
  }

  /// One product.
  public func product(id: Int) async throws -> Product {
    do {
      return try await get(Product.self, "products/\(id)")
    } catch CatalogueError.trouble(status: 404) {
      throw CatalogueError.noProduct(id: id)
    }
  }

  /// The products that a text finds, the best first.
  public func search(_ text: String) async throws -> [Product] {
    try await get([Product].self, "search", query: [URLQueryItem(name: "q", value: text)])
  }

  /// Keeps a search for the user's next visit.
  public func saveSearch(_ text: String) async throws {
    var request = URLRequest(url: baseURL.appending(path: "search"))
    request.httpMethod = "POST"
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.httpBody = try JSONEncoder().encode(["q": text])
    _ = try await data(for: request)
  }

  private func get<Value: Decodable>(
    _ type: Value.Type, _ path: String, query: [URLQueryItem] = []
  ) async throws -> Value {
    var url = baseURL.appending(path: path)
    if !query.isEmpty { url.append(queryItems: query) }
    let data = try await data(for: URLRequest(url: url))
    do {
      return try JSONDecoder().decode(type, from: data)
    } catch {
      throw CatalogueError.unreadable
    }
  }

  private func data(for request: URLRequest) async throws -> Data {
    do {
      let (data, response) = try await session.data(for: request)
      let status = (response as? HTTPURLResponse)?.statusCode ?? 0
      await observer?.requestEnded(request, status: status)
      guard (200..<300).contains(status) else { throw CatalogueError.trouble(status: status) }
      return data
    } catch let error as URLError {
      await observer?.requestEnded(request, status: nil)
      throw error.code == .timedOut ? CatalogueError.slow : .offline
    }
  }
}
