import Foundation
import TrackerDouble
import TrackingVerifier
import XCTest

/// Code as users write it: in Swift 5 mode, with one import per test and with `MemberImportVisibility`.
///
/// `Scripts/check darwin` compiles it in Swift 6 mode too, and with `MainActor` as the default isolation. There XCTestCase
/// subclasses, and the types that a stub's closure encodes or decodes, must be `nonisolated`.
nonisolated final class UserCodeTests: XCTestCase {
  private lazy var verifier = TrackingVerifier(
    with: self, configuration: .init(server: .init(port: 0), timeout: 10, settling: 0.01))
  private var screen: Screen?

  override func setUp() {
    super.setUp()
    verifier.start()
    screen = Screen(tracker: TrackerDouble(environment: verifier.launchEnvironment))
  }

  override func tearDown() {
    verifier.stop()
    super.tearDown()
  }

  func testATapIsTracked() {
    verifier.start()
    screen?.tapped(orientation: "portrait")
    let expected = TrackingEvent(
      name: "button_tapped",
      params: [.eventName: "button1_tapped", .screen: "main_screen", .custom(key: "screen_orientation"): "portrait"])
    verifier.wait(for: expected)
    verifier.wait(for: .init(name: "button_tapped", params: expected.params), timeout: 2)
    verifier.wait(for: .named("button_tapped", params: [.screen: .hasPrefix("main")]))
    verifier.wait(
      for: .satisfying("a tap in portrait") {
        $0.name == "button_tapped" && $0.params[.screen] == "main_screen" && $0.params.count == 3 && !$0.name.isEmpty
      })
  }

  func testATypedEventIsTracked() {
    screen?.added(product: "42", quantity: 2)
    let added: Added? = verifier.wait(
      for: .typed(Added.self) { $0.product == "42" && $0.quantity > 1 && $0.quantity < 3 })
    XCTAssertEqual(added.map { TrackingEvent($0) }, verifier.wait(for: Added(product: "42", quantity: 2)))
    verifier.wait(for: .typed(Added.self), timeout: 2)
  }

  @MainActor func testAScreenOfTheMainActor() {
    let model = CartModel(tracker: verifier.tracker)
    model.add("42")
    verifier.wait(for: Added(product: "42", quantity: 1))
    XCTAssertEqual(model.products, ["42"])
  }

  func testChecks() {
    let mark = verifier.mark()
    verifier.tracker.track(Added(product: "42", quantity: 1))
    let events: [TrackingEvent] = verifier.wait(for: .named("added"), count: 1, since: mark)
    XCTAssertEqual(events.count, 1)
    let outcome = verifier.outcome(of: .inOrder([.typed(Added.self)]))
    XCTAssertTrue(outcome.passed, "\(outcome)")
    verifier.wait(for: .nothingElse())
    verifier.wait(for: .none(of: .named("removed"), within: 0))
    let added = verifier.expectation(for: .named("added"), count: .atLeast(1))
    wait(for: [added], timeout: 10)
  }

  func testCountsAndActions() throws {
    let tracker = verifier.tracker
    tracker.track(TrackingEvent(name: "tapped"))
    tracker.track(.init(name: "tapped", params: [.screen: "cart"]))
    verifier.wait(for: .named("tapped"), count: ...2)
    verifier.wait(for: .named("tapped"), count: ..<3)
    verifier.wait(for: .named("tapped"), count: 0..<3)
    let order = try verifier.require(.named("order_placed")) { tracker.track(TrackingEvent(name: "order_placed")) }
    let added = try verifier.require(.typed(Added.self)) { tracker.track(Added(product: "42", quantity: 1)) }
    try verifier.require(.inOrder([.named("a"), .named("b")]), timeout: 2) {
      tracker.track(TrackingEvent(name: "a"))
      tracker.track(TrackingEvent(name: "b"))
    }
    XCTAssertEqual([order.name, added.product], ["order_placed", "42"])
  }

  @MainActor func testActionsOfTheMainActor() async throws {
    let model = CartModel(tracker: verifier.tracker)
    let added = try await verifier.require(.typed(Added.self) { $0.quantity > 0 && $0.quantity < 2 }) {
      model.add("42")
    }
    XCTAssertEqual(added.product, "42")
    try await verifier.require(.none(of: .named("removed"))) {
      await Task.yield()
      model.add("43")
    }
    XCTAssertEqual(model.products, ["42", "43"])
  }

  func testTheBackend() {
    var calls: [String] = []
    verifier.stub(.get, "/books", .json(["books": ["Walden"]]))
    verifier.stub(
      .request(.get, "/books/:id", query: .exact(["lang": "en"]), headers: ["Accept": "*/*"]), .text("Walden"))
    verifier.stub(.request(.any, "/orders", body: .jsonSubset(["n": 1])), [.status(503), .ok], times: 2)
    verifier.stub("REPORT", .regex("/v[12]/.*"), .json(Book(title: "Walden")).with(header: "ETag", "1").delayed(by: 1))
    verifier.stub(.post, "/books") { .json(try $0.json(Book.self), status: 201) }
    verifier.stub(.get, "/authors/:id") { request in .json(["id": request.pathParams["id"]]) }
    verifier.stub(.put, "/books/:id", times: 1) { request in
      guard let id = request.pathParams["id"], !id.isEmpty, request.query["lang"] != "de" || request.form["a"] == "b"
      else { return .status(400) }
      let book: Book = try request.json()
      return .json(["id": id, "title": book.title, "pages": 352, "read": nil])
    }
    verifier.stub(
      StubEndpoint(.request(.get, "/x", host: "api.example.com"), .error(.notConnectedToInternet), name: "offline"))
    verifier.install(LaunchState.screenshots)
    verifier.inject(HTTPFault(.reset, at: .accept), times: 1)
    verifier.removeFaults()
    calls += verifier.unusedStubs.map(\.description)
    XCTAssertEqual(calls.count, 9)
    verifier.resetStubs()
    XCTAssertEqual(verifier.baseURL.host, "localhost")
    XCTAssertEqual(verifier.stubsEnvironment(for: LaunchState.screenshots.stubs).count, 1)
    XCTAssertEqual(verifier.stubsEnvironment(for: [StubEndpoint(.get, "/a", .ok)]).count, 1)
  }

  func testPathsAndConditions() async {
    let version = 2
    let books = Paths.books
    let shelf: StubPath = "/shelves/:id"
    verifier.stub(.get, .template(books), .ok)
    verifier.stub(.get, "\(Paths.books)/:id", .ok)
    verifier.stub(
      .request(.get, "/v\(version)/books", host: .hasPrefix("local"), headers: ["Accept": .contains("json")]), .ok)
    verifier.stub(.request(.get, .template(Paths.books + "/new"), cookies: ["session": .present, "old": .absent]), .ok)
    verifier.stub(
      .request(.post, shelf, where: .satisfying("short") { $0.body.count < 10 && $0.method == "POST" }), .ok)
    verifier.stub(
      .request(.post, "/upload", body: .multipart(["title": "Walden", "cover": .file(named: .hasSuffix("png"))])), .ok)
    let handle = verifier.stub(.request(.put, "\(books)", body: .formSubset(["n": .greater(than: 1)]))) { _ in nil }
    handle.replace(with: .status(204))
    XCTAssertEqual(handle.count, 0)
    let chat = StubStream()
    verifier.stub(
      .request(.post, "/chat", host: "localhost", cookies: ["a": .absent], body: .jsonSubset(["room": 1])),
      .eventStream(chat),
      times: 1)
    chat.send(event: "message", data: "hello")
    chat.finish()
    XCTAssertEqual(verifier.unusedStubs.count, 8)
    let outcome = await verifier.outcome(
      of: .none(
        of: .request(
          .post, "\(Paths.books)/:id", host: "localhost", query: ["page": .greater(than: 1)], cookies: ["a": .present],
          body: .json(["n": .greater(than: 1), "note": .any]), where: .satisfying("short") { $0.body.count < 10 })))
    XCTAssertTrue(outcome.passed, "\(outcome)")
  }

  func testRequests() async {
    let mark = verifier.mark()
    verifier.respondToEvents(with: [.status(503), .ok], keepsRefused: true)
    screen?.added(product: "42", quantity: 2)
    let refused: RecordedRequest? = await verifier.wait(for: .request(.post, "/", body: .jsonSubset(["name": "added"])))
    XCTAssertEqual(refused?.status, 503)
    XCTAssertEqual(refused?.request.headers["Content-Type"], "application/json")
    await verifier.wait(for: .request(.any, .regex("/.*")), since: mark, timeout: 2)
    let all: [RecordedRequest] = await verifier.wait(for: .request(.post, "/"), count: 1, since: mark)
    XCTAssertEqual(all.map(\.target), ["/"])
    XCTAssertEqual(verifier.requests.count, 1)
    XCTAssertEqual(verifier.unmatchedRequests.count, 0)
    XCTAssertEqual(verifier.unacknowledgedEvents.count, 1)
    await verifier.wait(for: .noUnmatchedRequests)
  }

  func testBlockingWaitsForRequests() {
    verifier.respondToEvents(with: [.status(503), .ok])
    screen?.added(product: "42", quantity: 2)
    let refused: RecordedRequest? = verifier.wait(for: .request(.post, "/"))
    XCTAssertNil(refused?.stub)
    verifier.wait(for: .request(.get, "/*"), count: 0)
    verifier.wait(for: .params(["product": "42"]))
  }

  func testASetUpForABackend() {
    let configuration = TrackingVerifier.Configuration(
      checksAtStop: [.delivery, .noUnmatchedRequests], stubFolder: .url(URL(fileURLWithPath: "/stubs")),
      endpointVariables: ["SERVER_PORT": .port, "-reportingURL": .url])
    let verifier = TrackingVerifier(with: self, configuration: configuration)
    verifier.start()
    XCTAssertEqual(verifier.launchEnvironment["SERVER_PORT"], verifier.baseURL.port.map(String.init))
  }

  func testAsynchronousCode() async throws {
    verifier.tracker.track(Added(product: "42", quantity: 1))
    await verifier.wait(for: Added(product: "42", quantity: 1))
    await verifier.wait(for: .typed(Added.self) { $0.product == "42" && $0.quantity == 1 && $0.quantity < 3 })
    await verifier.wait(
      for: .satisfying("one of them") {
        $0.name == "added" && $0.params["quantity"] == 1 && $0.params["product"] == "42" && $0.params.count == 2
      })
    await verifier.wait(for: .named("added"), count: 1)
  }
}

/// The shape of a UI-test class that the documentation shows, with `App` in place of `XCUIApplication`.
nonisolated final class UITestShapeTests: XCTestCase {
  @MainActor private lazy var app = App()
  private lazy var verifier: TrackingVerifier = .init(with: self, configuration: .init(settling: 0.05))

  @MainActor override func setUp() async throws {
    continueAfterFailure = false
    verifier.start()
    addTeardownBlock { @MainActor [app] in app.terminate() }
    app.launchEnvironment.merge(verifier.launchEnvironment) { $1 }
    app.launch()
  }

  @MainActor func testATapIsTracked() {
    app.tap("42")
    verifier.wait(for: Added(product: "42", quantity: 1))
  }

  @MainActor func testATapIsTrackedWhileTheTestSuspends() async throws {
    app.tap("42")
    try await verifier.require(.typed(Added.self))
    await verifier.wait(for: .named("added"), count: 1)
  }
}

@MainActor private final class App {
  var launchEnvironment: [String: String] = [:]
  private var tracker: TrackerDouble?

  func launch() { tracker = TrackerDouble(environment: launchEnvironment) }
  func tap(_ product: String) { tracker?.track(Added(product: product, quantity: 1)) }
  func terminate() { tracker = nil }
}

private struct Added: TrackingSchema, Equatable {
  static let eventName = "added"
  var product: String
  var quantity: Int
}

nonisolated private struct Book: Codable {
  var title: String
}

private enum LaunchState: String, StubScenario {
  case screenshots

  var stubs: [StubEndpoint] { [StubEndpoint(.get, "/covers/*", .files(in: .bundle(.main)))] }
}

@MainActor private final class CartModel {
  private let tracker: TrackerProtocol
  private(set) var products: [String] = []

  init(tracker: TrackerProtocol) {
    self.tracker = tracker
  }

  func add(_ product: String) {
    products.append(product)
    tracker.track(Added(product: product, quantity: 1))
  }
}

nonisolated private final class Screen {
  var tracker: TrackerProtocol?

  init(tracker: TrackerProtocol?) {
    self.tracker = tracker
  }

  func tapped(orientation: String) {
    tracker?.trackEvent(
      .init(
        name: "button_tapped",
        params: [
          .eventName: "button1_tapped", .screen: "main_screen", .custom(key: "screen_orientation"): orientation,
        ]))
  }

  func added(product: String, quantity: Int) {
    tracker?.track(Added(product: product, quantity: quantity))
  }
}

private nonisolated enum Paths {
  static let books = "/books"
}
