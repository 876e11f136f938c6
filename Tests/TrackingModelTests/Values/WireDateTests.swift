@testable import TestSupport

final class WireDateTests: XCTestCase {
  func testAThousandDatesOfWholeMillisecondsComeBackExactly() {
    for start in [1_795_255_200_000, 0, -1, -5_000_000_000_123, 64_092_211_200_000, 253_402_300_000_000] {
      for offset in 0..<1_000 {
        let date = Date(timeIntervalSince1970: Double(start + offset) / 1_000)
        XCTAssertEqual(WireDate.string(from: date).flatMap(WireDate.date), date, "\(start + offset)")
      }
    }
  }

  func testDaysOfTwoCenturiesComeBackAndFollowTheDaysBefore() {
    var last = ""
    for day in stride(from: -25_600, through: 47_600, by: RandomCases.isFull ? 1 : 10) {
      let date = Date(timeIntervalSince1970: Double(day) * 86_400)
      let text = WireDate.string(from: date) ?? ""
      guard last < text, WireDate.date(from: text) == date else { return XCTFail("\(last), then \(text)") }
      last = text
    }
    XCTAssertEqual(last, "2100-04-29T00:00:00.000Z")
  }

  func testDatesAreInUTCWithMilliseconds() {
    for (seconds, text) in [
      (0, "1970-01-01T00:00:00.000Z"),
      (-0.001, "1969-12-31T23:59:59.999Z"),
      (1_795_255_200, "2026-11-21T10:00:00.000Z"),
      (951_782_400, "2000-02-29T00:00:00.000Z"),
      (-2_203_891_200, "1900-03-01T00:00:00.000Z"),
      (4_107_542_399.999, "2100-02-28T23:59:59.999Z"),
      (253_402_300_799.999, "9999-12-31T23:59:59.999Z"),
      (-62_167_219_200, "0000-01-01T00:00:00.000Z"),
      (253_402_300_800, "+010000-01-01T00:00:00.000Z"),
      (-62_167_219_200.001, "-000001-12-31T23:59:59.999Z"),
      (8.64e12, "+275760-09-13T00:00:00.000Z"),
      (-8.64e12, "-271821-04-20T00:00:00.000Z"),
    ] {
      XCTAssertEqual(WireDate.string(from: Date(timeIntervalSince1970: seconds)), text)
      XCTAssertEqual(WireDate.date(from: text), Date(timeIntervalSince1970: seconds), text)
    }
  }

  func testADateIsRoundedToTheNearestMillisecond() {
    XCTAssertEqual(WireDate.string(from: Date(timeIntervalSince1970: 1.000_6)), "1970-01-01T00:00:01.001Z")
    XCTAssertEqual(WireDate.string(from: Date(timeIntervalSince1970: 1.000_4)), "1970-01-01T00:00:01.000Z")
    XCTAssertEqual(WireDate.string(from: Date(timeIntervalSince1970: 59.999_6)), "1970-01-01T00:01:00.000Z")
  }

  func testADateOutOfRangeHasNoText() {
    for seconds in [Double.nan, .infinity, -.infinity, 1e300, -1e300, 8.640_000_1e12] {
      XCTAssertNil(WireDate.string(from: Date(timeIntervalSince1970: seconds)))
    }
    XCTAssertNotNil(WireDate.string(from: .distantFuture))
    XCTAssertNotNil(WireDate.string(from: .distantPast))
  }

  func testOtherFormsOfRFC3339AreRead() {
    for (text, seconds) in [
      ("2026-11-21T10:00:00Z", 1_795_255_200), ("2026-11-21t10:00:00z", 1_795_255_200),
      ("2026-11-21T10:00:00.5Z", 1_795_255_200.5), ("2026-11-21T10:00:00.123456789Z", 1_795_255_200.123),
      ("2026-11-21T10:00:00+01:30", 1_795_249_800), ("2026-11-21T10:00:00.000-00:30", 1_795_257_000),
      ("2016-12-31T23:59:60Z", 1_483_228_800),
    ] {
      XCTAssertEqual(WireDate.date(from: text)?.timeIntervalSince1970, seconds, text)
    }
  }

  func testInvalidDatesAreNotRead() {
    for text in [
      "", "2026", "2026-11-21", "2026-11-21T10:00:00", "2026-11-21 10:00:00Z", "2026-13-21T10:00:00Z",
      "2026-00-21T10:00:00Z", "2026-11-00T10:00:00Z", "2026-02-30T10:00:00Z", "2026-02-29T10:00:00Z",
      "2026-04-31T10:00:00Z",
      "2026-11-21T24:00:00Z", "2026-11-21T10:60:00Z", "2026-11-21T10:00:61Z", "2026-11-21T10:00:00.Z",
      "2026-11-21T10:00:00.000Zjunk", "2026-11-21T10:00:00.000Z ", " 2026-11-21T10:00:00.000Z", "26-11-21T10:00:00Z",
      "2026-11-21T10:00:00+1:00", "2026-11-21T10:00:00+24:00", "2026-11-21T10:00:00+01:60", "2026-11-21T10:00Z",
      "+02026-11-21T10:00:00Z", "２０２６-11-21T10:00:00Z", "tomorrow",
    ] {
      XCTAssertNil(WireDate.date(from: text), text)
    }
  }
}
