import TrackerDouble
import TestSupport
import TrackingVerifier

/// The shape of the test file that teams bring along: `start()` in `setUp` and again in a test, one `wait`, `stop()` in `tearDown`.
final class OriginalArticleTests: XCTestCase {
  private lazy var trackingVerifier = TrackingVerifier(with: self)
  private var app: ExampleApp?

  override func setUp() {
    super.setUp()
    continueAfterFailure = false
    trackingVerifier.start()
    let app = ExampleApp()
    app.launchEnvironment.merge(trackingVerifier.launchEnvironment) { $1 }
    self.app = app
  }

  override func tearDown() {
    trackingVerifier.stop()
    super.tearDown()
  }

  func testATapOnTheButtonIsTracked() {
    trackingVerifier.start()
    app?.launch()
    app?.tapButton()
    let expectedEvent = TrackingEvent(
      name: "button_tapped",
      params: [.eventName: "button1_tapped", .screen: "main_screen", .custom(key: "screen_orientation"): "portrait"])
    trackingVerifier.wait(for: expectedEvent)
  }

  func testWithAFixedPortConstructorArgumentsSuffice() throws {
    // Any port would do; one that the system has just given to another socket is known to be free.
    let port = try XCTUnwrap(UInt16(exactly: XCTUnwrap(trackingVerifier.endpoint.url.port)))
    trackingVerifier.stop()
    let verifier = TrackingVerifier(with: self, configuration: .init(server: .init(port: port)))
    verifier.start()
    let url = try XCTUnwrap(URL(string: "http://localhost:\(port)"))
    let tracker = TrackerDouble(endpoint: TrackingEndpoint(url: url))
    tracker.trackEvent(.tapped)
    verifier.wait(for: .tapped)
  }

  // The test uses `TrackingServer` and doesn't import its module.
  func testOneImportBringsTheServerToo() {
    let server = TrackingServer()
    let verifier = TrackingVerifier(with: self, server: server)
    verifier.start()
    XCTAssertEqual(verifier.endpoint, server.endpoint)
    server.stop()
  }
}

/// The app of the story, in this process: a screen with a tracker, and a composition root that looks at its environment.
private final class ExampleApp {
  var launchEnvironment: [String: String] = [:]
  private var tracker: (any TrackerProtocol)?

  func launch() {
    tracker = TrackerDouble(environment: launchEnvironment)
  }

  func tapButton() {
    let orientation = "portrait"
    tracker?.trackEvent(
      .init(
        name: "button_tapped",
        params: [
          .eventName: "button1_tapped", .screen: "main_screen", .custom(key: "screen_orientation"): orientation,
        ]))
  }
}
