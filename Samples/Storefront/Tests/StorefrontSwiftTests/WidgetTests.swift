import StorefrontDriver
import Testing
import TrackingTesting

/// A second process of the app, which no test launches.
@Suite(.tracking(.storefront)) struct WidgetTests {
  private let verifier = TrackingVerifier.current
  private let app = StorefrontApp()
  private let group = StorefrontGroup()

  @Test("the widget takes the launch that the app has left") func widget() async throws {
    app.launchEnvironment.merge(verifier.launchEnvironment) { $1 }
    app.launchEnvironment.merge(group.environment) { $1 }
    try app.launch()
    await verifier.wait(for: .named("screen_viewed", params: [.screen: "home"]))
    app.terminate()
    #expect(try !group.refreshWidget().contains("tracked"))
    await verifier.wait(for: .named("screen_viewed", params: [.screen: "widget"]).from("storefront-widget"))
  }
}
