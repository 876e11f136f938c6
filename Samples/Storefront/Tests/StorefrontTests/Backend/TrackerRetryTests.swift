import StorefrontEvents
import TrackingVerifier
import XCTest

/// The running app's events while the server that receives them fails.
final class TrackerRetryTests: BackendTestCase {
  func testEventsAreSentAgainUntilTheyAreTaken() throws {
    verifier.respondToEvents(with: [.status(503), .status(503), .ok])
    try app.launch()
    verifier.wait(for: .named("screen_viewed", params: [.screen: "home"]), count: 1)
    let refused = verifier.wait(for: .request(.post, "/"), count: 2)
    XCTAssertEqual(refused.map(\.status), [503, 503])
  }

  func testAResponseThatIsLostMakesNoEventTwice() throws {
    verifier.stub(.get, "/products/42", .json(file: "products/42"))
    verifier.respondToEvents(with: [.ok.failing(HTTPFault(.close, at: .response)), .ok])
    try app.launch()
    // Alone in its submission.
    verifier.wait(for: .named("screen_viewed"))
    try app.tap("open product 42")
    verifier.wait(for: .typed(ProductViewed.self))
    verifier.wait(for: .named("screen_viewed", params: [.screen: "home"]), count: 1)
  }

  func testABackendThatIsDownKeepsNoEventBack() throws {
    try app.launch()
    verifier.inject(HTTPFault(.reset, at: .response))
    try app.tap("open product 42", "search lamp", "cart")
    verifier.wait(
      for: .inOrder([
        .equal(to: LoadFailed(screen: "product", reason: .offline)),
        .equal(to: LoadFailed(screen: "search", reason: .offline)),
        .named("screen_viewed", params: [.screen: "cart"]),
      ]))
    verifier.wait(for: .delivery)
  }
}
