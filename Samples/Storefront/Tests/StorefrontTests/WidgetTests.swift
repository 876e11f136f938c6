import StorefrontDriver
import TrackingVerifier
import XCTest

/// A second process of the app, which no test launches: its events reach the test through the launch that the app has left.
final class WidgetTests: XCTestCase {
  private lazy var verifier: TrackingVerifier = .init(with: self, configuration: .storefront)
  private let app = StorefrontApp()
  private let group = StorefrontGroup()

  private func launch() throws {
    app.launchEnvironment.merge(verifier.launchEnvironment) { $1 }
    quitAtEnd(app)
    app.launchEnvironment.merge(group.environment) { $1 }
    try app.launch()
    verifier.wait(for: .screen("home"))
  }

  func testTheWidgetReportsToTheTestThatLaunchedTheApp() throws {
    try launch()
    XCTAssertFalse(try group.refreshWidget().contains("tracked"))
    verifier.wait(for: .inOrder([.screen("home"), .screen("widget").from("storefront-widget")]))
  }

  func testTheWidgetReportsAfterTheAppWasKilled() throws {
    try launch()
    app.terminate()
    XCTAssertFalse(try group.refreshWidget().contains("tracked"))
    verifier.wait(for: .screen("widget"))
  }

  func testAfterTheTestTheWidgetUsesTheProvider() throws {
    try launch()
    verifier.stop()
    XCTAssertEqual(try group.refreshWidget(), "tracked screen_viewed(screen: \"widget\")\n")
  }

  func testWithoutATestTheWidgetUsesTheProvider() throws {
    XCTAssertEqual(try group.refreshWidget(), "tracked screen_viewed(screen: \"widget\")\n")
  }
}

extension ExpressibleByEventPattern {
  fileprivate static func screen(_ name: String) -> Self {
    .named("screen_viewed", params: [.screen: .equal(to: name)])
  }
}
