import StorefrontDriver
import StorefrontEvents
import StorefrontScenarios
import TrackingVerifier
import XCTest

/// Launch states by name: a target with stubs and files that app and tests share, and an argument that chooses among them.
final class LaunchStateTests: XCTestCase {
  private lazy var verifier: TrackingVerifier = .init(with: self, configuration: .storefront)
  private let app = StorefrontApp()

  override func setUp() {
    app.launchEnvironment.merge(verifier.launchEnvironment) { $1 }
    quitAtEnd(app)
  }

  func testAScreenCanBeBuiltBeforeThereIsABackend() throws {
    try launch(in: .debug)
    XCTAssertEqual(try app.screen, "Storefront\n7  Coffee mug  9.50\n42  Desk lamp  24.50")
    try app.tap("search mug")
    XCTAssertEqual(try app.screen, "Nothing found for \"mug\"")
    verifier.wait(for: SearchPerformed(text: "mug", resultCount: 0))
  }

  func testTheStateForScreenshotsShowsItsOwnProducts() throws {
    try launch(in: .screenshots)
    try app.tap("search lamp")
    XCTAssertEqual(try app.screen, "Found for \"lamp\"\n2  Brass reading lamp  129.00")
  }

  func testAPathByRegularExpressionMatchesEveryProduct() throws {
    try launch(in: .debug)
    try app.tap("open product 1", "open product 77")
    XCTAssertEqual(try app.screen, "Desk lamp\n24.50, rated 4.5 of 5\nIn the cart: 0")
    verifier.wait(for: .typed(ProductViewed.self), count: 2)
  }

  func testAnErrorAndAnEmptyResponseAreStatesToo() throws {
    try launch(in: .outage)
    try app.tap("open product 42")
    XCTAssertEqual(try app.screen, "The shop cannot be reached.\nType \"retry\" to try again.")
    try app.tap("search mug")
    XCTAssertEqual(try app.screen, "The shop's response cannot be read.\nType \"retry\" to try again.")
    verifier.wait(
      for: .inOrder([
        .equal(to: LoadFailed(screen: "product", reason: .offline)),
        .equal(to: LoadFailed(screen: "search", reason: .unreadable)),
      ]))
  }

  func testTheTestMayChangeAStateForItself() throws {
    let changed = ShopEndpoint.search.stub(.file(.screenshots))
    app.launchEnvironment.merge(verifier.stubsEnvironment(for: [changed])) { $1 }
    try launch(in: .debug)
    try app.tap("search lamp")
    XCTAssertEqual(try app.screen, "Found for \"lamp\"\n2  Brass reading lamp  129.00")
  }

  func testAStateThatDoesNotExistFailsTheTestAndSaysSoInTheLog() throws {
    let reporter = RecordingReporter()
    var configuration = TrackingVerifier.Configuration.storefront
    configuration.reporter = reporter
    // Nothing else happens until the app has said what is wrong.
    configuration.settling = configuration.timeout
    let verifier = TrackingVerifier(with: self, configuration: configuration)
    app.launchEnvironment.merge(verifier.launchEnvironment) { $1 }
    app.launchArguments += ["-StubScenario", "screenshot"]
    try app.launch()
    XCTAssertEqual(try app.screen, "The shop cannot be reached.\nType \"retry\" to try again.")
    verifier.wait(for: .delivery)
    XCTAssertEqual(reporter.messages.count, 1)
    let reason = "there is no scenario \"screenshot\"; there are debug, screenshots, outage"
    XCTAssert(reporter.messages.first?.contains(reason) ?? false, "\(reporter.messages)")
    app.quit()
    XCTAssertEqual(
      app.log,
      """
      TrackerDouble: sends events to \(verifier.endpoint.url)
      StubbedSession: \(reason)
      StubbedSession: GET api.storefront.example/products gets no response: \(reason)

      """)
  }

  private func launch(in state: LaunchState) throws {
    app.launchArguments += ["-StubScenario", state.rawValue]
    try app.launch()
  }
}
