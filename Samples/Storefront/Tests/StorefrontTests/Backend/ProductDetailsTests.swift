import StorefrontEvents
import TrackingVerifier
import XCTest

/// The product screen of the running app, as the backend fills it.
final class ProductDetailsTests: BackendTestCase {
  func testAProductIsShownAndReportedAsTheBackendDescribesIt() throws {
    verifier.stub(.get, "/products/42", .json(file: "products/42"))
    try app.launch()
    try app.tap("open product 42")
    XCTAssertEqual(try app.screen, "Desk lamp\n24.50, rated 4.5 of 5\nIn the cart: 0")
    verifier.wait(for: ProductViewed(productID: 42, name: "Desk lamp", price: 2450, rating: 4.5))
  }

  func testAnyProductCanBeMadeUp() throws {
    verifier.stub(.get, "/products/:id") { request in
      let id = Int(request.pathParams["id"] ?? "") ?? 0
      return .json(["id": .int(id), "name": .string("Number \(id)"), "price": 100, "rating": 3])
    }
    try app.launch()
    try app.tap("open product 5", "open product 6")
    XCTAssertEqual(try app.screen, "Number 6\n1.00, rated 3.0 of 5\nIn the cart: 0")
    let viewed = verifier.wait(for: .typed(ProductViewed.self), count: 2)
    XCTAssertEqual(viewed.map(\.name), ["Number 5", "Number 6"])
  }

  func testAProductThatIsGoneIsReportedAsMissing() throws {
    verifier.stub(.get, "/products/42", .status(404))
    try app.launch()
    try app.tap("open product 42")
    XCTAssertEqual(try app.screen, "There is no product 42.")
    verifier.wait(for: TrackingEvent(name: "product_missing", params: [.productID: 42]))
    verifier.wait(for: .none(of: .typed(LoadFailed.self), within: 0.5))
  }

  func testAPriceIsReadAgainWheneverTheProductIsOpened() throws {
    verifier.stub(
      .get, "/products/42",
      [.json(file: "products/42"), .json(["id": 42, "name": "Desk lamp", "price": 1990, "rating": 4.5])])
    try app.launch()
    try app.tap("open product 42", "back", "open product 42", "back", "open product 42")
    let viewed = verifier.wait(for: .typed(ProductViewed.self), count: 3)
    XCTAssertEqual(viewed.map(\.price), [2450, 1990, 1990])
  }

  func testAResponseThatIsNoProductIsReportedAsUnreadable() throws {
    verifier.stub(.get, "/products/42", .text("<html>Down for maintenance</html>", type: "text/html"))
    try app.launch()
    try app.tap("open product 42")
    XCTAssertEqual(try app.screen, "The shop's response cannot be read.\nType \"retry\" to try again.")
    verifier.wait(for: LoadFailed(screen: "product", reason: .unreadable))
  }

  func testOnlyWhatTheUserOpensIsRequested() throws {
    let lamp = verifier.stub(.get, "/products/42", .json(file: "products/42"))
    verifier.stub(.get, "/products/7", .json(file: "products/7"))
    try app.launch()
    try app.tap("open product 42")
    verifier.wait(for: .typed(ProductViewed.self))
    XCTAssertEqual(lamp.count, 1)
    XCTAssertEqual(verifier.requests.map(\.target), ["/products", "/products/42"])
    XCTAssertEqual(verifier.unusedStubs.map(\.description), ["GET /products/7"])
    XCTAssertEqual(verifier.unmatchedRequests, [])
  }
}
