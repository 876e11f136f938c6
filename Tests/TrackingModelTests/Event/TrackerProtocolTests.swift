import TestSupport

final class TrackerProtocolTests: XCTestCase {
  private let recorder = RecordingTracker()
  private var tracker: (any TrackerProtocol)? { recorder }

  func testAnEventIsTrackedThroughAnOptionalTrackerWithLiteralsAndVariables() {
    let orientation = "landscape"
    tracker?.trackEvent(
      .init(
        name: "button_tapped",
        params: [
          .eventName: "button1_tapped", .screen: "main_screen", .custom(key: "screen_orientation"): orientation,
        ]))

    let expected = TrackingEvent(
      name: "button_tapped",
      params: [
        .eventName: "button1_tapped", .screen: "main_screen", .custom(key: "screen_orientation"): "landscape",
      ])
    XCTAssertEqual(recorder.events, [expected])
  }

  func testATypedEventIsTrackedUnderItsNameAndCodingKeys() {
    tracker?.track(AddedToCart(productID: "42", quantity: 2))

    XCTAssertEqual(
      recorder.events, [TrackingEvent(name: "added_to_cart", params: ["product_id": "42", "quantity": 2])])
  }

  // MARK: Call sites

  func testTrackGivesAnEventItsFileAndLineAndTrackEventDoesNot() {
    let line = #line
    tracker?.track(AddedToCart(productID: "42", quantity: 2))
    tracker?.track(TrackingEvent(name: "tapped"))
    tracker?.trackEvent(TrackingEvent(name: "tapped"))
    XCTAssertEqual(recorder.events.map(\.callSite?.fileID), [#fileID, #fileID, nil])
    XCTAssertEqual(recorder.events.map(\.callSite?.line), [line + 1, line + 2, nil])
    let site = "TrackingModelTests/TrackerProtocolTests.swift:\(line + 1)"
    XCTAssertEqual(recorder.events[0].callSite?.description, site)
  }

  func testAWrapperPassesTheCallSiteOnOrIsItItself() {
    recorder.trackTap(fileID: #fileID, line: 41)
    recorder.trackTapFromHere()
    XCTAssertEqual(recorder.events.map(\.callSite?.line), [41, RecordingTracker.lineOfItsOwn])
  }

  func testATrackerThatPassesEventsOnKeepsTheFirstCallSite() {
    PassingTracker(base: recorder).track(TrackingEvent(name: "tapped"), line: 7)
    PassingTracker(base: recorder).trackEvent(TrackingEvent(name: "tapped"))
    XCTAssertEqual(recorder.events.map(\.callSite?.line), [7, PassingTracker.lineOfItsOwn])
  }

  func testAFileAndALineMayBeLeftOut() {
    recorder.track(TrackingEvent(name: "a"), fileID: "")
    recorder.track(TrackingEvent(name: "b"), fileID: "cart.py", line: 0)
    recorder.track(TrackingEvent(name: "c"), fileID: "cart.py", line: -3)
    recorder.track(TrackingEvent(name: "d"), fileID: String(repeating: "x", count: 511), line: 1)
    XCTAssertEqual(recorder.events.map(\.callSite?.fileID), [nil, "cart.py", "cart.py", nil])
    XCTAssertEqual(recorder.events.map(\.callSite?.line), [nil, nil, nil, nil])
  }

  func testANilTrackerTracksNothing() {
    let none: (any TrackerProtocol)? = nil
    none?.trackEvent(.init(name: "unseen"))
    XCTAssertEqual(recorder.events, [])
  }
}

private struct AddedToCart: TrackingSchema {
  static let eventName = "added_to_cart"
  var productID: String
  var quantity: Int

  enum CodingKeys: String, CodingKey { case productID = "product_id", quantity }
}

/// Used by one test on one thread.
private final class RecordingTracker: TrackerProtocol, @unchecked Sendable {
  private(set) var events: [TrackingEvent] = []

  func trackEvent(_ event: TrackingEvent) {
    events.append(event)
  }
}

extension RecordingTracker {
  fileprivate static let lineOfItsOwn = #line + 7

  fileprivate func trackTap(fileID: String = #fileID, line: Int = #line) {
    track(TrackingEvent(name: "tapped"), fileID: fileID, line: line)
  }

  fileprivate func trackTapFromHere() {
    track(TrackingEvent(name: "tapped"))
  }
}

private struct PassingTracker: TrackerProtocol {
  static let lineOfItsOwn = #line + 4
  let base: any TrackerProtocol

  func trackEvent(_ event: TrackingEvent) {
    base.track(event)
  }
}
