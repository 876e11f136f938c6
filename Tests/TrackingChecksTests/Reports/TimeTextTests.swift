import XCTest

@testable import TrackingChecks

final class TimeTextTests: XCTestCase {
  func testDurationsHaveAsManyDigitsAsMatter() {
    let rows: [(Duration, String)] = [
      (.zero, "0 ms"), (.microseconds(40), "0 ms"), (.microseconds(340), "0.3 ms"), (.microseconds(960), "1 ms"),
      (.microseconds(1_900), "1 ms"), (.milliseconds(140), "140 ms"), (.milliseconds(999), "999 ms"),
      (.milliseconds(1_000), "1 s"), (.milliseconds(1_239), "1.23 s"), (.seconds(75), "75 s"),
    ]
    for (duration, text) in rows {
      XCTAssertEqual(TimeText.duration(duration), text)
    }
  }

  func testOffsetsHaveASign() {
    XCTAssertEqual(TimeText.offset(.milliseconds(-12)), "-12 ms")
    XCTAssertEqual(TimeText.offset(.milliseconds(12)), "+12 ms")
    XCTAssertEqual(TimeText.seconds(0.25), "0.25 s")
  }
}
