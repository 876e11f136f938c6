import StorefrontDriver
import StorefrontEvents
import TrackingVendors
import XCTest

/// The app tracks through a vendor's SDK, which its launch arguments point at the verifier; the checks are those of every other test.
final class AnalyticsTests: XCTestCase {
  private lazy var verifier: TrackingVerifier = .init(with: self, configuration: .storefront)
  private let app = StorefrontApp()
  private let event = AddedToCart(productID: 42, quantity: 1, price: 2450)

  func testSegment() throws {
    try launch("segment", .segment)
    verifier.wait(for: event)
  }

  func testPostHogWhoseOwnValuesAreContext() throws {
    try launch("postHog", .postHog)
    verifier.wait(for: event)
    verifier.wait(for: .named(AddedToCart.eventName).and(.context(["$lib": "storefront"])))
  }

  func testAmplitude() throws {
    try launch("amplitude", .amplitude)
    verifier.wait(for: event)
  }

  func testMixpanel() throws {
    try launch("mixpanel", .mixpanel)
    verifier.wait(for: event)
  }

  func testSnowplow() throws {
    try launch("snowplow", .snowplow)
    verifier.wait(for: event)
  }

  func testAnEventWhoseResponseWasLostIsSentAgainAndCountsOnce() throws {
    verifier.respondToEvents(with: [.ok.failing(HTTPFault(.reset, at: .response)), .ok])
    try launch("segment", .segment)
    try app.tap("quit")
    try app.waitForExit()
    verifier.wait(for: .named(AddedToCart.eventName), count: 1)
    XCTAssertEqual(verifier.redeliveredEvents.map(\.name), ["screen_viewed"])
  }

  /// Launches the app with an SDK, and puts a product into the cart.
  private func launch(_ analytics: String, _ format: AcceptedFormat) throws {
    verifier.accept(format)
    app.launchArguments += ["-analytics", analytics, "-analyticsURL", verifier.url(for: format).absoluteString]
    quitAtEnd(app)
    try app.launch()
    try app.tap("open product 42", "add")
  }
}
