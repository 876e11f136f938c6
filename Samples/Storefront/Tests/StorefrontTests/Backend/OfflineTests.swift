import StorefrontEvents
import TrackingVerifier
import XCTest

/// The running app without a connection, or with one that breaks off; what it tracks arrives all the same.
final class OfflineTests: BackendTestCase {
  private let offline = "The shop cannot be reached.\nType \"retry\" to try again."

  func testOfflineTheUserIsToldAndTheFailureIsReported() throws {
    try app.launch()
    verifier.inject(HTTPFault(.reset, at: .response))
    try app.tap("open product 42")
    XCTAssertEqual(try app.screen, offline)
    verifier.wait(for: LoadFailed(screen: "product", reason: .offline))
  }

  func testBackOnlineARetryShowsTheProduct() throws {
    verifier.stub(.get, "/products/42", .json(file: "products/42"))
    try app.launch()
    verifier.inject(HTTPFault(.reset, at: .requestHead))
    try app.tap("open product 42")
    XCTAssertEqual(try app.screen, offline)
    verifier.removeFaults()
    try app.tap("retry")
    XCTAssertEqual(try app.screen, "Desk lamp\n24.50, rated 4.5 of 5\nIn the cart: 0")
    verifier.wait(for: .inOrder([.typed(LoadFailed.self), .typed(ProductViewed.self)]))
  }

  func testOneSearchMayBeOffline() throws {
    verifier.stub(.request(.get, "/search", query: ["q": "mug"]), .error(.notConnectedToInternet))
    verifier.stub(.request(.get, "/search", query: ["q": "lamp"]), .json(file: "search/lamp"))
    try app.launch()
    try app.tap("search mug")
    XCTAssertEqual(try app.screen, offline)
    try app.tap("search lamp")
    verifier.wait(
      for: .inOrder([
        .equal(to: LoadFailed(screen: "search", reason: .offline)),
        .equal(to: SearchPerformed(text: "lamp", resultCount: 2)),
      ]))
  }

  func testABodyThatBreaksOffInTheMiddleShowsNoHalfProduct() throws {
    verifier.stub(.get, "/products/42", .json(file: "products/42").failing(HTTPFault(.close, at: .responseBody)))
    try app.launch()
    try app.tap("open product 42")
    XCTAssertEqual(try app.screen, offline)
    verifier.wait(for: LoadFailed(screen: "product", reason: .offline))
    verifier.wait(for: .none(of: .typed(ProductViewed.self), within: 0.5))
  }

  func testTheCartIsThereOffline() throws {
    verifier.stub(.get, "/products/42", .json(file: "products/42"))
    try app.launch()
    try app.tap("open product 42", "add")
    verifier.wait(for: .typed(AddedToCart.self))
    verifier.inject(HTTPFault(.close, at: .response))
    try app.tap("open product 7")
    XCTAssertEqual(try app.screen, offline)
    try app.tap("cart")
    XCTAssertEqual(try app.screen, "Your cart\n1 x Desk lamp\nTotal 24.50")
    verifier.wait(for: TrackingEvent(name: "screen_viewed", params: [.screen: "cart", .itemCount: 1]))
  }
}
