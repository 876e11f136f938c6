import StorefrontDriver
import TrackingVerifier
import XCTest

/// A mock backend for UI tests that run in parallel: JSON files by path and by method, a port by the system, its number in the app's environment.
final class MockServerTests: XCTestCase {
  private lazy var server = mockServer()
  private let app = StorefrontApp()

  override func setUp() {
    server.start()
    quitAtEnd(app)
    server.stub(.get, "/products", .json(file: "products"))
    server.stub(.get, "/search", .json(file: "search/nothing"))
    server.stub(.request(.get, "/search", query: ["q": "lamp"]), .json(file: "search/lamp"))
    server.stub(.get, "/products/42", .json(file: "products/42"))
    useMockServer(server, in: app)
  }

  func testSearchingShowsTheResults() throws {
    try app.launch()
    try app.tap("search lamp")
    XCTAssertEqual(try app.screen, "Found for \"lamp\"\n42  Desk lamp  24.50\n43  Floor lamp  89.00")
  }

  func testSearchingForNonsenseShowsThatThereIsNothing() throws {
    try app.launch()
    try app.tap("search django")
    XCTAssertEqual(try app.screen, "Nothing found for \"django\"")
  }

  func testOpeningAResultShowsItsDetails() throws {
    try app.launch()
    try app.tap("search lamp", "open product 42")
    XCTAssertEqual(try app.screen, "Desk lamp\n24.50, rated 4.5 of 5\nIn the cart: 0")
  }

  func testOnePathRespondsByMethod() throws {
    let saving = server.stub(.request(.post, "/search", body: .json(["q": .present])), .status(201))
    try app.launch()
    try app.tap("search lamp", "save")
    XCTAssertEqual(try app.screen, "Found for \"lamp\"\n42  Desk lamp  24.50\n43  Floor lamp  89.00\nSaved")
    server.wait(for: .request(.post, "/search", body: .json(["q": "lamp"])), count: 1)
    XCTAssertEqual(saving.count, 1)
    server.wait(for: TrackingEvent(name: "search_saved", params: ["text": "lamp"]))
  }

  func testWhatNoFileMatchesIsKnownByItsName() throws {
    try app.launch()
    try app.tap("open product 43")
    XCTAssertEqual(try app.screen, "There is no product 43.")
    XCTAssertEqual(server.unmatchedRequests.map(\.description), ["GET /products/43 -> 404, no stub matches"])
  }

  func testAnAppWithoutTheArgumentLeavesTheMockServerAlone() throws {
    app.launchArguments.removeAll { $0 == "-uitesting" }
    try app.launch()
    XCTAssertEqual(try app.screen, "Storefront\n7  Coffee mug  9.50\n42  Desk lamp  24.50\n99  Wool blanket  59.00")
    XCTAssertEqual(server.requests, [])
  }

  func testTwoAppsAtOnceHaveAServerEach() throws {
    let (otherServer, otherApp) = (mockServer(), StorefrontApp())
    otherServer.start()
    otherServer.stub(.get, "/products", .json([["id": 1, "name": "Only here", "price": 100, "rating": 1]]))
    useMockServer(otherServer, in: otherApp)
    try app.launch()
    try otherApp.launch()
    XCTAssertEqual(try app.screen, "Storefront\n7  Coffee mug  9.50\n42  Desk lamp  24.50")
    XCTAssertEqual(try otherApp.screen, "Storefront\n1  Only here  1.00")
    otherApp.quit()
  }

  private func mockServer() -> TrackingVerifier {
    TrackingVerifier(
      with: self,
      configuration: .init(stubFolder: .bundle(.module, folder: "Stubs"), endpointVariables: ["SERVER_PORT": .port]))
  }

  private func useMockServer(_ server: TrackingVerifier, in app: StorefrontApp) {
    app.launchArguments += ["-uitesting"]
    app.launchEnvironment = ["USE_MOCK_SERVER": "true"].merging(server.launchEnvironment) { $1 }
  }
}
