import StorefrontDriver
import TrackingVendors
import XCTest

/// A monitoring agent posts its beacons to a web server inside of the test, which the app is pointed to by a launch argument.
///
/// The agent is the app's only reporter here: there is no double in it, and lines of `key<TAB>value` are all that comes.
final class BeaconWebserverTests: XCTestCase {
  private lazy var webserver = TrackingVerifier(
    with: self,
    configuration: .init(
      // The agent's beacons aren't events of the shop's plan.
      checksAtStop: [.delivery, .plan(ignoring: [.named("beacon")])], stubFolder: .bundle(.module, folder: "Stubs")))
  private let app = StorefrontApp()
  private let key = "shop-under-test"

  override func setUp() {
    webserver.start()
    quitAtEnd(app)
    webserver.accept(.beacons(.post, at: "/"))
    webserver.stub(.get, "/products", .json(file: "products"))
    webserver.stub(.get, "/products/42", .json(file: "products/42"))
    app.launchArguments += ["-reportingURL", webserver.baseURL.absoluteString, "-key", key]
    app.launchEnvironment["STOREFRONT_BACKEND"] = webserver.baseURL.absoluteString
  }

  func testTheSessionIsReportedAtLaunch() throws {
    try app.launch()
    let start = webserver.verifyBeaconReceived(key: "t", value: "sessionStart")
    XCTAssertEqual(start?.params["k"], .string(key))
  }

  func testEachRequestOfTheAppIsReported() throws {
    try app.launch()
    try app.tap("open product 42")
    webserver.verifyBeaconReceived(key: "t", value: "httpRequest")
    webserver.verifyBeaconReceived(key: "u", value: "/products/42")
    let types = webserver.values(for: "t")
    XCTAssertEqual(types.count, 3)
    XCTAssert(types.contains("sessionStart"))
  }

  func testARequestThatFailedIsReportedWithItsStatus() throws {
    webserver.stub(.get, "/products/42", .status(500))
    try app.launch()
    try app.tap("open product 42")
    webserver.verifyBeaconReceived(key: "st", value: "500")
    XCTAssertEqual(webserver.values(for: "st"), ["200", "500"])
  }

  func testARequestWithoutAResponseIsReportedToo() throws {
    webserver.stub(.get, "/products/42", .fault(HTTPFault(.reset, at: .response)))
    // Less than the wait's timeout: URL loading on Linux doesn't notice each reset, and then the app waits for its own timeout.
    app.launchEnvironment["STOREFRONT_PATIENCE"] = "2"
    try app.launch()
    try app.tap("open product 42")
    webserver.verifyBeaconReceived(key: "st", value: "none")
  }

  func testBeaconsThatTheWebserverRefusesAreSentAgain() throws {
    webserver.respondToEvents(with: [.status(404), .status(403), .ok])
    try app.launch()
    try app.tap("open product 42", "open product 7")
    webserver.verifyBeaconReceived(key: "u", value: "/products/7")
    XCTAssertEqual(webserver.values(for: "t"), ["sessionStart", "httpRequest", "httpRequest", "httpRequest"])
    let refused = webserver.wait(for: .request(.post, "/"), count: 2)
    XCTAssertEqual(refused.map(\.status), [404, 403])
  }

  func testABeaconIsRefusedForWhatItSays() throws {
    webserver.respondToEvents { submission in
      submission.events.contains { $0.params["u"] == "/products/42" } ? .status(403) : nil
    }
    try app.launch()
    try app.tap("open product 42")
    webserver.wait(for: .request(.post, "/", body: .text(.contains("/products/42"))).responded(403))
    webserver.verifyBeaconReceived(key: "u", value: "/products")
    webserver.wait(for: .none(of: .params(["u": "/products/42"]), within: 0.5))
  }

  func testNothingIsReportedTwice() throws {
    try app.launch()
    try app.tap("open product 42", "back", "open product 42")
    webserver.wait(for: .params(["u": "/products/42"]), count: 2)
    webserver.wait(for: .params(["t": "sessionStart"]), count: 1)
  }
}
