import TrackerDouble
import TrackingVerifier
import XCTest

/// Code as users have it: in Swift 5 mode, with one import for a test and members visible only where their module is imported.
///
/// That it compiles is most of what it tests; the other test targets are in Swift 6 mode.
final class UserCodeTests: XCTestCase {
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
    XCTAssertEqual(verifier.values(for: .screen), ["main_screen"])
  }

  func testATypedEventIsTracked() {
    screen?.added(product: "42", quantity: 2)
    var looks = 0
    let added: Added? = verifier.wait(for: Added.self) {
      looks += 1
      return $0.product == "42" && $0.quantity > 1 && $0.quantity < 3 && looks > 0
    }
    XCTAssertEqual(added, verifier.wait(for: Added(product: "42", quantity: 2)))
    verifier.wait(for: Added.self, timeout: 2)
  }

  func testQuestions() {
    let mark = verifier.mark()
    verifier.tracker.track(Added(product: "42", quantity: 1))
    let events: [TrackingEvent] = verifier.wait(for: .named("added"), count: .exactly(1), since: mark)
    XCTAssertEqual(events.count, 1)
    let outcome = verifier.outcome(of: .inOrder([.schema(Added.self)]))
    XCTAssertTrue(outcome.isVerified, "\(outcome)")
    verifier.wait(for: .nothingElse())
    verifier.verifyNone(of: .named("removed"), within: 0)
    let added = verifier.expectation(for: .named("added"), count: .atLeast(1))
    wait(for: [added], timeout: 10)
  }

  func testAsynchronousCode() async throws {
    verifier.tracker.track(Added(product: "42", quantity: 1))
    await verifier.wait(for: Added(product: "42", quantity: 1))
    await verifier.wait(for: Added.self) { $0.product == "42" && $0.quantity == 1 && $0.quantity < 3 }
    await verifier.wait(
      for: .satisfying("one of them") {
        $0.name == "added" && $0.params["quantity"] == 1 && $0.params["product"] == "42" && $0.params.count == 2
      })
    await verifier.wait(for: .named("added"), count: .exactly(1))
  }
}

private struct Added: TrackingSchema, Equatable {
  static let eventName = "added"
  var product: String
  var quantity: Int
}

private final class Screen {
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
