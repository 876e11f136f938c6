import StorefrontDriver
import StorefrontEvents
import Testing
import TrackingTesting

/// The order of the app's requests and of the events that it tracks.
@Suite(.tracking(.backend)) struct TimelineTests {
  private let verifier = TrackingVerifier.current
  private let app = StorefrontApp()

  init() throws {
    verifier.stub(.get, "/products", .json([.lamp]))
    verifier.stub(.get, "/search", .json([.lamp]))
    verifier.stub(.get, "/products/:id", .json(.lamp))
    app.launchEnvironment.merge(verifier.launchEnvironment) { $1 }
    try app.launch()
  }

  @Test("each step is tracked after its request") func order() async throws {
    // Events travel beside requests, so each tap waits for the event before it.
    await verifier.wait(for: .named("screen_viewed"))
    try app.tap("search lamp")
    await verifier.wait(for: .named("search_performed"))
    try app.tap("open product 42")
    await verifier.wait(
      for: .inOrder([
        .request(.get, "/search").responded(200), .named("search_performed"),
        .request(.get, "/products/:id").responded(200), .named("product_viewed"),
      ]))
  }

  @Test("a request is made once, and each tap is a separate event") func counts() async throws {
    try app.tap("search lamp", "open product 42", "add", "add")
    let added = [
      try await verifier.require(.next(.typed(AddedToCart.self))),
      try await verifier.require(.next(.typed(AddedToCart.self))),
    ]
    #expect(added.map(\.quantity) == [1, 2])
    let search = try await verifier.require(.request(.get, "/search", query: .exact(["q": "lamp"])))
    #expect(search.status == 200)
    await verifier.wait(for: .request(.get, "/search"), count: 1)
    await verifier.wait(for: .none(of: .request(.any, "/ads/*"), within: 0.5))
  }
}

extension TrackingValue {
  fileprivate static let lamp: TrackingValue = ["id": 42, "name": "Desk lamp", "price": 2450, "rating": 4.5]
}
