import TestSupport
import TrackingPatterns

/// Events that came through an SDK: they carry a context, and some formats carry text only.
final class VendorEventPatternTests: XCTestCase {
  private struct Purchase: TrackingSchema, Equatable {
    static let eventName = "purchase"
    var total: Double
    var items: Int
    var isFirst: Bool
    var code: String
  }

  private func event(_ params: [TrackingParam: TrackingValue], isText: Bool) -> TrackingEvent {
    var event = TrackingEvent(name: "purchase", params: params)
    event.origin = SDKOrigin(
      format: "Shop", kind: "track", context: ["$os": "iOS", "device": ["model": "x", "cores": 8]], isText: isText)
    return event
  }

  func testPatternsMatchTheContext() {
    let event = event([:], isText: false)
    XCTAssertNil(EventPattern.context(["$os": "iOS", "device.cores": .greater(than: 4)]).mismatch(of: event))
    XCTAssertNil(EventPattern.named("purchase").and(.context(["user": .absent])).mismatch(of: event))
    XCTAssertNotNil(EventPattern.context(["$os": "Android"]).mismatch(of: event))
    XCTAssertNotNil(EventPattern.context(["$os": .any]).mismatch(of: TrackingEvent(name: "purchase")))
    XCTAssertEqual("\(EventPattern.context(["$os": "iOS"]))", #"an event with context.$os: "iOS""#)
  }

  func testTextMeansTheValueInFormatsOfTextOnly() throws {
    let params: [TrackingParam: TrackingValue] = ["total": "12.5", "items": "3", "isFirst": "True", "code": "007"]
    let expected = Purchase(total: 12.5, items: 3, isFirst: true, code: "007")
    XCTAssertEqual(try event(params, isText: true).decode(as: Purchase.self), expected)
    XCTAssertNil(EventPattern.typed(Purchase.self) { $0.items == 3 }.mismatch(of: event(params, isText: true)))
    XCTAssertThrowsError(try event(params, isText: false).decode(as: Purchase.self))
    let number = EventPattern.named("purchase", params: ["total": 12.5])
    XCTAssertNil(number.mismatch(of: event(params, isText: true)))
    XCTAssertNotNil(number.mismatch(of: event(params, isText: false)))
    let whole = EventPattern.equal(to: TrackingEvent(name: "purchase", params: ["total": 12.5, "items": 3]))
    XCTAssertNil(whole.mismatch(of: event(["total": "12.5", "items": "3"], isText: true)))
    XCTAssertThrowsError(
      try event(["total": "a", "items": "3", "isFirst": "1", "code": ""], isText: true).decode(as: Purchase.self)
    ) {
      XCTAssertEqual("\($0)", #"Purchase: params.total: expected Double, found the string "a""#)
    }
  }

  func testTheOriginIsNoPartOfEquality() {
    XCTAssertEqual(event(["a": 1], isText: true), TrackingEvent(name: "purchase", params: ["a": 1]))
  }
}
