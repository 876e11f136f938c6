import StorefrontEvents
import TrackingVerifier
import XCTest

/// The search screen of the running app.
final class SearchTests: BackendTestCase {
  func testASearchShowsAndReportsWhatWasFound() throws {
    verifier.stub(.request(.get, "/search", query: ["q": "lamp"]), .json(file: "search/lamp"))
    try app.launch()
    try app.tap("search lamp")
    XCTAssertEqual(try app.screen, "Found for \"lamp\"\n42  Desk lamp  24.50\n43  Floor lamp  89.00")
    verifier.wait(for: SearchPerformed(text: "lamp", resultCount: 2))
    verifier.wait(for: .named("screen_viewed", params: [.screen: "search"]))
  }

  func testASearchThatFindsNothingSaysSoAndIsReportedWithoutResults() throws {
    verifier.stub(.get, "/search", .json(file: "search/nothing"))
    try app.launch()
    try app.tap("search zebra")
    XCTAssertEqual(try app.screen, "Nothing found for \"zebra\"")
    verifier.wait(for: SearchPerformed(text: "zebra", resultCount: 0))
  }

  func testEachSearchIsRequestedOnce() throws {
    verifier.stub(.request(.get, "/search", query: ["q": "lamp"]), .json(file: "search/lamp"))
    verifier.stub(.get, "/search", .json(file: "search/nothing"))
    try app.launch()
    try app.tap("search lamp", "search zebra")
    let searches = verifier.wait(for: .request(.get, "/search"), count: 2)
    XCTAssertEqual(searches.map { $0.request.query["q"] }, ["lamp", "zebra"])
    verifier.wait(for: .typed(SearchPerformed.self), count: 2)
  }

  func testWhatIsTypedReachesTheBackendLetterByLetter() throws {
    verifier.stub(.get, "/search", .json(file: "search/nothing"))
    try app.launch()
    try app.tap("search mug & \"50 %\"=Käse")
    let search = verifier.wait(for: .request(.get, "/search"))
    XCTAssertEqual(search?.request.query, ["q": "mug & \"50 %\"=Käse"])
  }

  func testAResponseCanBeMadeOfTheSearch() throws {
    verifier.stub(.get, "/search") { request in
      .json([["id": 1, "name": .string("Best \(request.query["q"] ?? "")"), "price": 100, "rating": 5]])
    }
    try app.launch()
    try app.tap("search broom")
    XCTAssertEqual(try app.screen, "Found for \"broom\"\n1  Best broom  1.00")
  }

  func testWhatWasFoundCanBeOpenedAndBought() throws {
    verifier.stub(.get, "/search", .json(file: "search/lamp"))
    verifier.stub(.get, "/products/:id", .json(file: "products/42"))
    try app.launch()
    try app.tap("search lamp", "open product 42", "add", "cart", "checkout", "pay card")
    verifier.wait(
      for: .inOrder([
        .typed(SearchPerformed.self), .typed(ProductViewed.self), .typed(AddedToCart.self),
        .typed(CheckoutStarted.self), .typed(OrderPlaced.self),
      ]))
  }

  func testASearchThatTheBackendRefusesIsNoSearchPerformed() throws {
    verifier.stub(.get, "/search", .status(503))
    try app.launch()
    try app.tap("search lamp")
    XCTAssertEqual(try app.screen, "The shop has a problem (503).\nType \"retry\" to try again.")
    verifier.wait(for: LoadFailed(screen: "search", reason: .server))
    verifier.wait(for: .none(of: .typed(SearchPerformed.self), within: 0.5))
  }
}
