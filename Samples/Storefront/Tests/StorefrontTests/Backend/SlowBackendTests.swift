import StorefrontEvents
import TrackingVerifier
import XCTest

/// The running app while its backend takes its time.
final class SlowBackendTests: BackendTestCase {
  func testABodyThatDribblesIsShownWhenItIsThere() throws {
    verifier.stub(.get, "/products/42", .json(file: "products/42").dribbled(over: 0.4, pieces: 8))
    try app.launch()
    try app.tap("open product 42")
    try app.waitForProgress("Loading product 42 ...")
    XCTAssertEqual(try app.screen, "Desk lamp\n24.50, rated 4.5 of 5\nIn the cart: 0")
    XCTAssertEqual(try app.progress, ["Loading product 42 ..."])
    verifier.wait(for: ProductViewed(productID: 42, name: "Desk lamp", price: 2450, rating: 4.5))
  }

  func testTheUserIsToldToWaitBeforeTheBackendResponds() throws {
    let gate = StubGate()
    verifier.stub(.get, "/search", .json([]).held(by: gate))
    try app.launch()
    try app.tap("search lamp")
    try app.waitForProgress("Searching for \"lamp\" ...")
    // Nothing has been found yet, so nothing may say so.
    XCTAssertFalse(verifier.events.contains { $0.name == SearchPerformed.eventName })
    gate.open()
    verifier.wait(for: SearchPerformed(text: "lamp", resultCount: 0))
    XCTAssertEqual(try app.screen, "Nothing found for \"lamp\"")
  }

  func testABackendThatNeverRespondsIsGivenUp() throws {
    verifier.stub(.get, "/products/42", [.fault(HTTPFault(.stall, at: .response)), .json(file: "products/42")])
    app.launchEnvironment["STOREFRONT_PATIENCE"] = "3"
    try app.launch()
    try app.tap("open product 42")
    XCTAssertEqual(try app.screen, "The shop takes too long to respond.\nType \"retry\" to try again.")
    verifier.wait(for: LoadFailed(screen: "product", reason: .slow))
    try app.tap("retry")
    verifier.wait(for: .typed(ProductViewed.self))
  }

  func testTapsThatCameMeanwhileAreServedInOrder() throws {
    verifier.stub(.get, "/products/42", .json(file: "products/42").delayed(by: 0.2))
    verifier.stub(.get, "/products/7", .json(file: "products/7"))
    try app.launch()
    try app.tap("open product 42", "open product 7")
    let viewed = verifier.wait(for: .typed(ProductViewed.self), count: 2)
    XCTAssertEqual(viewed.map(\.productID), [42, 7])
  }
}
