import StorefrontEvents
import TrackingVerifier
import XCTest

/// One launch for several tests: the server outlives them, and each verifier sees only what arrives during its own test.
nonisolated final class OneLaunchUITests: XCTestCase {
  private static let server = TrackingServer()
  @MainActor private static let app = XCUIApplication()
  @MainActor private static var isLaunched = false
  private lazy var verifier: TrackingVerifier = .init(with: self, server: Self.server)
  @MainActor private var app: XCUIApplication { Self.app }

  @MainActor override func setUp() async throws {
    continueAfterFailure = false
    verifier.start()
    if !Self.isLaunched {
      app.launchEnvironment.merge(verifier.launchEnvironment) { $1 }
      app.launch()
      Self.isLaunched = true
    }
    app.buttons["home"].tapWhenShown()
    try await verifier.require(.named("screen_viewed", params: [.screen: "home"]))
  }

  @MainActor func testAMugIsShown() {
    app.buttons["product-7"].tapWhenShown()
    verifier.wait(for: .typed(ProductViewed.self), count: 1)
  }

  @MainActor func testABlanketIsShown() {
    app.buttons["product-99"].tapWhenShown()
    verifier.wait(for: .typed(ProductViewed.self), count: 1)
  }
}
