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
