import StorefrontEvents
import TrackingVerifier
import XCTest

/// Events reported after a mark or a reset.
final class MarkTests: StorefrontTestCase {
  func testTheHomeScreenReportsThatTheUserCameBack() throws {
    let home = TrackingEvent(name: "screen_viewed", params: [.screen: "home"])
    verifier.wait(for: home)
    try app.tap("open product 42")
    verifier.wait(for: .typed(ProductViewed.self))

    // Not the event of when the app was opened.
    let mark = verifier.mark()
    try app.tap("back")
    verifier.wait(for: home, since: mark)
  }

  func testTakingOutWhatIsNotInTheCartReportsNothing() throws {
    try app.tap("open product 42", "add", "remove")
    verifier.wait(for: RemovedFromCart(productID: 42, quantity: 0))

    let mark = verifier.mark()
    try app.tap("remove")
    XCTAssert(try app.screen.hasSuffix("In the cart: 0"))
    verifier.wait(for: .none(of: .any, within: 0.5), since: mark)
  }

  func testASecondLaunchReportsItsOwnEvents() throws {
    try app.tap("open product 42")
    verifier.wait(for: .typed(ProductViewed.self) { $0.productID == 42 })

    // From here on as if nothing had been received.
    verifier.reset()
    try app.launch()
    try app.tap("open product 7")
    verifier.wait(for: .consecutive([.named("screen_viewed"), .named("product_viewed", params: [.productID: 7])]))
    XCTAssertEqual(verifier.events.count, 2)
  }
}
