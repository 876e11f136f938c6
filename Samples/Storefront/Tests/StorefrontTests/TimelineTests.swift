import StorefrontEvents
import TrackingVerifier
import XCTest

/// The order of the app's requests and of the events that it tracks.
final class TimelineTests: BackendTestCase {
  override func setUp() {
    super.setUp()
    verifier.stub(.get, "/search", .json(file: "search/lamp"))
    verifier.stub(.get, "/products/:id", .json(file: "products/42"))
  }

  func testEachStepIsTrackedAfterItsRequest() throws {
    try app.launch()
    // Events travel beside requests, so each tap waits for the event before it.
    verifier.wait(for: .named("screen_viewed"))
    try app.tap("search lamp")
    verifier.wait(for: .named("search_performed"))
    try app.tap("open product 42")
    verifier.wait(
      for: .inOrder([
        .request(.get, "/search").responded(200), .named("search_performed"),
        .request(.get, "/products/:id").responded(200), .named("product_viewed"),
      ]))
  }

  func testExpectationsOfRequestsAndEventsAreFulfilledInTheirOrder() throws {
    let requested = verifier.expectation(for: .request(.get, "/search"), count: 1)
    let tracked = verifier.expectation(for: .typed(SearchPerformed.self), count: 1)
    try app.launch()
    try app.tap("search lamp")
    wait(for: [requested, tracked], timeout: 5, enforceOrder: true)
  }

  func testNothingIsRequestedTwice() throws {
    try app.launch()
    try app.tap("search lamp", "open product 42", "add", "add")
    XCTAssertEqual(verifier.wait(for: .next(.typed(AddedToCart.self)))?.quantity, 1)
    XCTAssertEqual(verifier.wait(for: .next(.typed(AddedToCart.self)))?.quantity, 2)
    verifier.wait(for: .request(.get, "/search"), count: 1)
    verifier.wait(for: .noDuplicates(within: 1, among: .requests))
    verifier.wait(for: .none(of: .request(.any, "/ads/*"), within: 0.5))
  }
}
