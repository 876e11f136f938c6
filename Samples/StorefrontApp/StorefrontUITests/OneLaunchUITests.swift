import StorefrontEvents
import TrackingVerifier
import XCTest

/// One launch for several tests: the server outlives them, and each verifier sees only what arrives during its own test.
@MainActor
final class OneLaunchUITests: XCTestCase {
  private static let server = TrackingServer()
  private static let app = XCUIApplication()
  private static var isLaunched = false
  private lazy var verifier: TrackingVerifier = .init(with: self, server: Self.server)
  private var app: XCUIApplication { Self.app }

  override func setUp() async throws {
    continueAfterFailure = false
    verifier.start()
    if !Self.isLaunched {
      app.launchEnvironment.merge(verifier.launchEnvironment) { $1 }
      app.launch()
      Self.isLaunched = true
    }
    app.buttons["home"].tapWhenShown()
    await verifier.wait(for: .named("screen_viewed", params: [.screen: "home"]))
  }

  func testAMugIsShown() {
    app.buttons["product-7"].tapWhenShown()
    verifier.wait(for: .typed(ProductViewed.self), count: .times(1))
  }

  func testABlanketIsShown() {
    app.buttons["product-99"].tapWhenShown()
    verifier.wait(for: .typed(ProductViewed.self), count: .times(1))
  }
}
