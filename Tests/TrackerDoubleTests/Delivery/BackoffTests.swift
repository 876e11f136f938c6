import XCTest

@testable import TrackerDouble

final class BackoffTests: XCTestCase {
  func testPausesDoubleFromTenMillisecondsToHalfASecond() {
    var backoff = Backoff()
    XCTAssertFalse(backoff.isRetrying)
    let pauses = (1...8).map { _ in backoff.next() }
    XCTAssertEqual(pauses, [10, 20, 40, 80, 160, 320, 500, 500].map { .milliseconds($0) })
    XCTAssertTrue(backoff.isRetrying)
    backoff.reset()
    XCTAssertEqual(backoff.next(), .milliseconds(10))
  }
}
