import StorefrontDriver
import StorefrontEvents
import StorefrontScenarios
import Testing
import TrackingTesting

/// A launched app and its backend; each test, and each argument, has both for itself, and all run at once.
@Suite(.tracking(.backend)) struct BackendTests {
  private let verifier = TrackingVerifier.current
  private let app = StorefrontApp()

  init() {
    verifier.stub(.get, "/products", .json([]))
    app.launchEnvironment.merge(verifier.launchEnvironment) { $1 }
  }

  @Test("a search is reported with the number of its results") func search() async throws {
    verifier.stub(.get, "/search", .json([["id": 42, "name": "Desk lamp", "price": 2450, "rating": 4.5]]))
    try app.launch()
    try app.tap("search lamp")
    await verifier.wait(for: SearchPerformed(text: "lamp", resultCount: 1))
    let request = await verifier.wait(for: .request(.get, "/search"))
    #expect(request?.request.query["q"] == "lamp")
  }

  @Test("each status of a failing backend can be recovered from", arguments: [500, 502, 503, 429])
  func recovery(from status: Int) async throws {
    verifier.stub(.get, "/products/:id", [.status(status), .lamp])
    try app.launch()
    try app.tap("open product 42")
    #expect(try app.screen == "The shop has a problem (\(status)).\nType \"retry\" to try again.")
    try app.tap("retry")
    await verifier.wait(
      for: .inOrder([.equal(to: LoadFailed(screen: "product", reason: .server)), .typed(ProductViewed.self)]))
  }

  @Test("whatever happens to the connection, a retry brings the product", arguments: HTTPFault.Effect.allCases)
  func fault(effect: HTTPFault.Effect) async throws {
    verifier.stub(.get, "/products/:id", .lamp)
    if effect == .stall { app.launchEnvironment["STOREFRONT_PATIENCE"] = "3" }
    try app.launch()
    verifier.inject(HTTPFault(effect, at: .response))
    try app.tap("open product 42")
    let (reason, words): (LoadFailed.Reason, String) =
      effect == .stall ? (.slow, "The shop takes too long to respond.") : (.offline, "The shop cannot be reached.")
    #expect(try app.screen == "\(words)\nType \"retry\" to try again.")
    await verifier.wait(for: LoadFailed(screen: "product", reason: reason))
    verifier.removeFaults()
    try app.tap("retry")
    await verifier.wait(for: ProductViewed(productID: 42, name: "Desk lamp", price: 2450, rating: 4.5))
  }

  @Test("each launch state opens the shop, over the server", arguments: LaunchState.allCases)
  func launchState(_ state: LaunchState) async throws {
    verifier.install(state)
    try app.launch()
    #expect(try app.screen.hasPrefix("Storefront\n"))
    await verifier.wait(for: TrackingEvent(name: "screen_viewed", params: [.screen: "home"]))
  }
}
