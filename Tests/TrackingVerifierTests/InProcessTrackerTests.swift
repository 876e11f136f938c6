import TestSupport
import TrackerDouble
import TrackingVerifier

final class InProcessTrackerTests: XCTestCase {
  func testAnEventHasTheSameValuesInProcessAndOverASocket() throws {
    let verifier = TrackingVerifier(with: self)
    verifier.start()
    let event = TrackingEvent(
      name: "measured",
      params: [
        "nan": .double(.nan), "whole": .double(3), "zero": .double(-0.0), "list": [.double(.infinity), .unsigned(4)],
      ])
    verifier.tracker.trackEvent(event)
    let double = TrackerDouble(endpoint: verifier.endpoint)
    double.trackEvent(event)
    XCTAssertTrue(double.flush(timeout: 10))
    XCTAssertEqual(verifier.events.count, 2)
    for event in verifier.events {
      // Equality doesn't tell a number's cases apart, a closure may.
      guard case .string("NaN") = event.params["nan"], case .int(3) = event.params["whole"],
        case .int(0) = event.params["zero"], case .array(let list) = event.params["list"],
        case .string("Infinity") = list[0], case .int(4) = list[1]
      else { return XCTFail("\(event)") }
    }
  }
}
