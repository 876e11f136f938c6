import StorefrontDriver
import StorefrontEvents
import StorefrontScenarios
import TrackingVerifier
import XCTest

/// The screens for the store, from stubs of the verifier's server and from stubs inside the app.
final class ScenarioTests: XCTestCase {
  private lazy var verifier: TrackingVerifier = .init(with: self, configuration: .backend)
  private let app = StorefrontApp()

  func testTheScreensForTheStoreLookWellOverTheServer() throws {
    verifier.install(LaunchState.screenshots)
    app.launchEnvironment.merge(verifier.launchEnvironment) { $1 }
    XCTAssertEqual(try screenshots(), expected)
    XCTAssertEqual(verifier.unmatchedRequests, [])
    XCTAssertEqual(verifier.unusedStubs, [])
  }

  func testTheScreensForTheStoreLookWellWithoutAnyServer() throws {
    app.launchArguments = LaunchState.screenshots.launchArguments
    XCTAssertEqual(try screenshots(), expected)
  }

  func testStubsInTheAppLeaveItsTrackingAlone() throws {
    app.launchEnvironment.merge(verifier.launchEnvironment) { $1 }
    app.launchArguments += LaunchState.screenshots.launchArguments
    XCTAssertEqual(try screenshots(), expected)
    verifier.wait(for: SearchPerformed(text: "lamp", resultCount: 1))
    // The app responds to its requests itself, and tells the test.
    verifier.wait(for: .request(.get, "/search").responded(200))
  }

  private let expected = [
    "Storefront\n1  Walnut writing desk  489.00\n2  Brass reading lamp  129.00\n3  Linen armchair  329.00",
    "Found for \"lamp\"\n2  Brass reading lamp  129.00",
    "Brass reading lamp\n129.00, rated 4.9 of 5\nIn the cart: 1",
    "Your cart\n1 x Brass reading lamp\nTotal 129.00",
  ]

  private func screenshots() throws -> [String] {
    quitAtEnd(app)
    try app.launch()
    var screens = [try app.screen]
    for taps in [["search lamp"], ["open product 2", "add"], ["cart"]] {
      for tap in taps { try app.tap(tap) }
      screens.append(try app.screen)
    }
    return screens
  }
}
