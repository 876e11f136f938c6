import XCTest

@testable import TrackingSockets

final class PollTimeoutTests: XCTestCase {
  func testItIsRoundedUpNeverNegativeAndBounded() {
    XCTAssertEqual(PollTimeout.milliseconds(until: .now - .seconds(5)), 0)
    XCTAssertEqual(PollTimeout.milliseconds(until: .now - .nanoseconds(5)), 0)
    XCTAssertEqual(PollTimeout.milliseconds(until: .now + .seconds(2_000_000_000)), 1_000_000_000)
    let deadline = ContinuousClock.now + .seconds(100)
    let milliseconds = PollTimeout.milliseconds(until: deadline)
    XCTAssertLessThanOrEqual(milliseconds, 100_000)
    XCTAssertGreaterThanOrEqual(.milliseconds(milliseconds), deadline - .now, "not before the deadline")
  }
}
