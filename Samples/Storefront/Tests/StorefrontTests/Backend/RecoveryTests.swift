import StorefrontEvents
import TrackingVerifier
import XCTest

/// The running app's recovery from a backend that fails.
final class RecoveryTests: BackendTestCase {
  func testARetryAfterA500ShowsTheProduct() throws {
    verifier.stub(.get, "/products/42", [.status(500), .json(file: "products/42")])
    try app.launch()
    try app.tap("open product 42")
    XCTAssertEqual(try app.screen, "The shop has a problem (500).\nType \"retry\" to try again.")
    try app.tap("retry")
    XCTAssertEqual(try app.screen, "Desk lamp\n24.50, rated 4.5 of 5\nIn the cart: 0")
    verifier.wait(
      for: .inOrder([.equal(to: LoadFailed(screen: "product", reason: .server)), .typed(ProductViewed.self)]))
    let requests = verifier.wait(for: .request(.get, "/products/42"), count: 2)
    XCTAssertEqual(requests.map(\.status), [500, 200])
  }

  func testThereIsNothingToRetryAfterASuccess() throws {
    verifier.stub(.get, "/products/42", [.status(500), .json(file: "products/42")])
    try app.launch()
    try app.tap("open product 42", "retry", "retry")
    XCTAssertEqual(try app.screen, "That cannot be done here.")
    verifier.wait(for: .request(.get, "/products/42"), count: 2)
  }

  func testTheShopOpensWhenItsBackendIsBack() throws {
    verifier.stub(.get, "/products", .status(503), times: 2)
    try app.launch()
    XCTAssertEqual(try app.screen, "The shop has a problem (503).\nType \"retry\" to try again.")
    try app.tap("retry", "retry")
    XCTAssertEqual(try app.screen, "Storefront\n7  Coffee mug  9.50\n42  Desk lamp  24.50")
    verifier.wait(for: .equal(to: LoadFailed(screen: "home", reason: .server)), count: 2)
    verifier.wait(for: .named("screen_viewed", params: [.screen: "home"]), count: 1)
  }

  func testARetrySavesTheSearchThatCouldNotBeSaved() throws {
    verifier.stub(.get, "/search", .json(file: "search/nothing"))
    verifier.stub(.post, "/search", [.status(503), .status(201)])
    try app.launch()
    try app.tap("search broom", "save")
    XCTAssertEqual(try app.screen, "The shop has a problem (503).\nType \"retry\" to try again.")
    try app.tap("retry")
    XCTAssertEqual(try app.screen, "Nothing found for \"broom\"\nSaved")
    verifier.wait(for: .named("search_saved"), count: 1)
    verifier.wait(for: .request(.post, "/search", body: .json(["q": "broom"])), count: 2)
  }

  func testARetryRepeatsTheSearchThatFailed() throws {
    verifier.stub(.get, "/search", [.status(502), .status(502), .json(file: "search/lamp")])
    try app.launch()
    try app.tap("search lamp", "retry", "retry")
    XCTAssertEqual(try app.screen, "Found for \"lamp\"\n42  Desk lamp  24.50\n43  Floor lamp  89.00")
    let searches = verifier.wait(for: .request(.get, "/search", query: ["q": "lamp"]), count: 3)
    XCTAssertEqual(searches.map(\.status), [502, 502, 200])
  }
}
