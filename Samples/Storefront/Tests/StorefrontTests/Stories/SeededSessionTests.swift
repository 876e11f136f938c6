import Foundation
import StorefrontDriver
import StorefrontEvents
import TrackingVerifier
import XCTest

/// Network data that the test seeds through the launch environment, by absolute URL; no request leaves the app.
final class SeededSessionTests: XCTestCase {
  private lazy var verifier: TrackingVerifier = .init(with: self, configuration: .storefront)
  private let app = StorefrontApp()
  private let products = "https://api.storefront.example/products"
  private let lamp = "https://api.storefront.example/products/42"

  override func setUp() {
    app.launchArguments += ["UI-TESTING"]
    app.launchEnvironment.merge(verifier.launchEnvironment) { $1 }
    quitAtEnd(app)
  }

  func testTheSeededDataIsShown() throws {
    seed([products: .text(#"[{"id": 5, "name": "Seed", "price": 5, "rating": 5}]"#)])
    try app.launch()
    XCTAssertEqual(try app.screen, "Storefront\n5  Seed  0.05")
    // The app responds to it itself, and tells the test.
    verifier.wait(for: .request(.get, "/products").responded(200), count: 1)
  }

  func testEqualsSignsAndLineBreaksInTheDataSurvive() throws {
    seed([products: .json([["id": 5, "name": "a=b==\tc\n=", "price": 5, "rating": 5]])])
    XCTAssertFalse(app.launchEnvironment.values.contains { $0.contains("=") })
    try app.launch()
    XCTAssertEqual(try app.screen, "Storefront\n5  a=b==\tc\n=  0.05")
  }

  func testAStatusCodeCanBeSeeded() throws {
    seed([products: .json([]), lamp: .status(503)])
    try app.launch()
    try app.tap("open product 42")
    XCTAssertEqual(try app.screen, "The shop has a problem (503).\nType \"retry\" to try again.")
    verifier.wait(for: LoadFailed(screen: "product", reason: .server))
  }

  func testErrorsCanBeSeeded() throws {
    seed([products: .error(.notConnectedToInternet), lamp: .error(.timedOut)])
    try app.launch()
    XCTAssertEqual(try app.screen, "The shop cannot be reached.\nType \"retry\" to try again.")
    try app.tap("open product 42")
    XCTAssertEqual(try app.screen, "The shop takes too long to respond.\nType \"retry\" to try again.")
    verifier.wait(
      for: .inOrder([
        .equal(to: LoadFailed(screen: "home", reason: .offline)),
        .equal(to: LoadFailed(screen: "product", reason: .slow)),
      ]))
  }

  func testSeedsOfSetUpAndOfTheTestAddUp() throws {
    seed([products: .text(#"[{"id": 42, "name": "Seed", "price": 5, "rating": 5}]"#)])
    seed([lamp: .json(["id": 42, "name": "Lamp", "price": 7, "rating": 1])])
    try app.launch()
    try app.tap("open product 42")
    XCTAssertEqual(try app.screen, "Lamp\n0.07, rated 1.0 of 5\nIn the cart: 0")
    verifier.wait(for: .inOrder([.request(.get, "/products"), .request(.get, "/products/42")]))
    verifier.wait(for: .noUnmatchedRequests)
  }

  func testAURLThatWasNotSeededFailsAndTheLogNamesTheNearest() throws {
    seed([products: .json([]), lamp: .json([])])
    try app.launch()
    try app.tap("open product 43")
    XCTAssertEqual(try app.screen, "The shop cannot be reached.\nType \"retry\" to try again.")
    // The test is told, too.
    verifier.wait(for: .request(.get, "/products/43", host: "api.storefront.example"))
    XCTAssertEqual(verifier.unmatchedRequests.map(\.request.path), ["/products/43"])
    app.quit()
    XCTAssert(app.log.contains("api.storefront.example/products/43"), app.log)
    XCTAssert(app.log.contains("GET https://api.storefront.example/products/42"), app.log)
  }

  func testAURLThatWasNotSeededMayGoToTheRealBackend() throws {
    verifier.stub(.get, "/products", .json([["id": 42, "name": "Real", "price": 100, "rating": 1]]))
    seed([
      verifier.baseURL.appending(path: "products/42").absoluteString:
        .json(["id": 42, "name": "Seed", "price": 5, "rating": 5])
    ])
    app.launchArguments += ["-passThrough"]
    app.launchEnvironment["STOREFRONT_BACKEND"] = verifier.baseURL.absoluteString
    try app.launch()
    XCTAssertEqual(try app.screen, "Storefront\n42  Real  1.00")
    try app.tap("open product 42")
    XCTAssertEqual(try app.screen, "Seed\n0.05, rated 5.0 of 5\nIn the cart: 0")
    verifier.wait(for: .inOrder([.request(.get, "/products"), .request(.get, "/products/42")]))
  }

  func testMoreDataThanAnEnvironmentHoldsIsSeededToo() throws {
    let shelf = (1...2_000).map { TrackingValue.object(["id": .int($0), "name": "x", "price": 1, "rating": 1]) }
    seed([products: .json(.array(shelf))])
    XCTAssertLessThan(app.launchEnvironment.values.map(\.count).max() ?? 0, 4_096)
    try app.launch()
    XCTAssertEqual(try app.screen.split(separator: "\n").count, 2_001)
  }

  /// Puts the response of each URL into the launch environment.
  private func seed(_ responses: [String: StubResponse]) {
    let stubs = responses.map { url, response in StubEndpoint(.request(.get, url: url), response) }
    app.launchEnvironment.merge(verifier.stubsEnvironment(for: stubs)) { $1 }
  }
}
