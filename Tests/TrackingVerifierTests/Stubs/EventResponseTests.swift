import TestSupport
import TrackerDouble
import TrackingVerifier

/// Trackers whose events are refused, or whose responses are lost, because the test wants to see how they cope.
final class EventResponseTests: XCTestCase {
  private let reporter = RecordingReporter()
  private lazy var verifier = TrackingVerifier(
    with: self, configuration: .init(timeout: 30, settling: 0.05, reporter: reporter))

  override func setUp() {
    super.setUp()
    verifier.start()
  }

  func testADoubleSendsAgainWhatWasRefusedAndItIsRecordedOnce() {
    verifier.respondToEvents(with: [.status(503), .status(503), .ok])
    let tracker = TrackerDouble(endpoint: verifier.endpoint)
    tracker.trackEvent(.tapped)
    verifier.wait(for: .named("button_tapped"), count: 1)
    XCTAssertTrue(tracker.flush(timeout: 30))
    XCTAssertEqual(verifier.requests.map(\.description), ["POST / -> 503", "POST / -> 503"])
    XCTAssertEqual(verifier.unacknowledgedEvents, [])
    verifier.stop()
    XCTAssertEqual(reporter.messages, [])
  }

  func testAFailureSaysWhichEventsWereRecordedAndNotAcknowledged() {
    verifier.respondToEvents(with: [.status(500), .ok], keepsRefused: true)
    let tracker = TrackerDouble(endpoint: verifier.endpoint)
    tracker.trackEvent(TrackingEvent(name: "tapped"))
    XCTAssertTrue(tracker.flush(timeout: 30))
    verifier.wait(for: .named("tapped"), count: 0)
    assertTexts(
      reporter.messages.map(\.timeless),
      [
        """
        Expected no event named "tapped", but #2 arrived N ms before the wait began

        Received, by time since the wait began:
            #1  +N ms  POST / -> 500
            #2  +N ms  extra, not acknowledged  tapped()
        """
      ])
  }

  func testAnEventThatTheTestRefusesForGoodIsNotLost() {
    verifier.respondToEvents(with: [.status(400), .ok])
    let tracker = TrackerDouble(endpoint: verifier.endpoint)
    tracker.trackEvent(.tapped)
    _ = tracker.flush(timeout: 30)
    XCTAssertEqual(tracker.delivery.failed, 1)
    tracker.track(AddedToCart(productID: "42", quantity: 1))
    verifier.wait(for: .typed(AddedToCart.self))
    XCTAssertEqual(verifier.events.map(\.name), ["added_to_cart"])
    verifier.wait(for: .delivery)
    verifier.stop()
    XCTAssertEqual(reporter.messages, [])
  }

  func testA403OfTheTestRefusesNoLaterEvents() {
    let (hasArrived, mayRespond) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    verifier.respondToEvents { submission in
      guard submission.events.first?.name == "refused" else { return nil }
      hasArrived.signal()
      mayRespond.wait()
      return .status(403)
    }
    let tracker = TrackerDouble(endpoint: verifier.endpoint)
    tracker.trackEvent(TrackingEvent(name: "refused"))
    hasArrived.wait()
    tracker.trackEvent(.tapped)
    mayRespond.signal()
    XCTAssertFalse(tracker.flush(timeout: 30))
    XCTAssertEqual(verifier.events, [.tapped])
    verifier.wait(for: .delivery)
    verifier.stop()
    XCTAssertEqual(reporter.messages, [])
  }

  func testARejectedEventIsOneFinding() {
    let verifier = TrackingVerifier(
      with: self, configuration: .init(server: .init(limits: .init(body: 1_000)), timeout: 30, reporter: reporter))
    let tracker = TrackerDouble(endpoint: verifier.endpoint)
    let large = TrackingEvent(name: "large", params: ["text": .string(String(repeating: "a", count: 2_000))])
    for event in [.tapped, large, .tapped] {
      tracker.trackEvent(event)
      _ = tracker.flush(timeout: 30)
    }
    XCTAssertEqual(tracker.delivery.failed, 1)
    verifier.wait(for: .delivery)
    verifier.stop()
    assertTexts(
      reporter.messages.map(\.timeless),
      [
        """
        1 submission was rejected (413): the body is larger than the limit of 1000 bytes
        Raise the server's limits.body.

        Received, by time since the wait began:
            #1  +N ms  button_tapped(event_name: "button1_tapped", screen: "main_screen")
            #2  +N ms  a rejected submission (413)
            #3  +N ms  button_tapped(event_name: "button1_tapped", screen: "main_screen")
        """
      ])
  }

  func testWhateverGoesWrongAnEventIsRecordedOnce() {
    let effects: [HTTPFault.Effect] = [.close, .reset, .garbage, .halfClose]
    for position in HTTPFault.Position.allCases where position != .accept {
      for effect in effects {
        let fault = HTTPFault(effect, at: position)
        verifier.reset()
        verifier.respondToEvents(with: [.fault(fault), .ok])
        let tracker = TrackerDouble(endpoint: verifier.endpoint)
        tracker.trackEvent(.tapped)
        XCTAssertTrue(tracker.flush(timeout: 30), "\(fault)")
        XCTAssertEqual(verifier.events, [.tapped], "\(fault)")
        XCTAssertEqual(verifier.requests.map(\.fault), [fault])
      }
    }
    verifier.stop()
    XCTAssertEqual(reporter.messages, [])
  }

  func testNoResultsBringTheUsualResponseBack() {
    verifier.respondToEvents(with: [.status(503)])
    let tracker = TrackerDouble(endpoint: verifier.endpoint)
    tracker.trackEvent(.tapped)
    verifier.wait(for: .request(.post, "/"), count: .atLeast(2))
    XCTAssertEqual(verifier.events, [])
    verifier.respondToEvents(with: [])
    XCTAssertTrue(tracker.flush(timeout: 30))
    XCTAssertEqual(verifier.events, [.tapped])
    XCTAssertEqual(reporter.messages, [])
  }

  func testAnAppOfItsOwnProcessRetriesAndKeepsTheOrder() throws {
    verifier.respondToEvents(with: [.status(503), .fault(HTTPFault(.close, at: .response)), .status(500), .ok])
    let app = try ProbeProcess(environment: verifier.launchEnvironment)
    app.send("track 1 200")
    app.send("flush")
    XCTAssertEqual(app.finish(), "delivered: 200 tracked: 200 delivered, 0 pending, 0 failed\n")
    XCTAssertEqual(verifier.events.map { $0.params["number"] }, (1...200).map(TrackingValue.int))
    XCTAssertEqual(verifier.requests.map(\.status), [503, nil, 500])
    verifier.stop()
    XCTAssertEqual(reporter.messages, [])
  }

  func testAnAppFindsTheServerAgainAfterConnectionsWereReset() throws {
    verifier.inject(HTTPFault(.reset, at: .accept), times: 3)
    let app = try ProbeProcess(environment: verifier.launchEnvironment)
    app.send("track 1 10")
    app.send("flush")
    XCTAssertEqual(app.finish(), "delivered: 10 tracked: 10 delivered, 0 pending, 0 failed\n")
    verifier.stop()
    XCTAssertEqual(reporter.messages, [])
  }
}
