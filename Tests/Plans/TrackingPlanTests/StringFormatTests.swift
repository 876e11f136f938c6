import XCTest

@testable import TrackingPlan

/// The formats of dates and times, RFC 3339 5.6.
final class StringFormatTests: XCTestCase {
  private func check(_ format: StringFormat, valid: [String], invalid: [String], line: UInt = #line) {
    for text in valid { XCTAssertTrue(format.accepts(text), text, line: line) }
    for text in invalid { XCTAssertFalse(format.accepts(text), text, line: line) }
  }

  func testEachMonthEndsOnItsLastDay() {
    for (month, days) in [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31].enumerated() {
      let month = month < 9 ? "0\(month + 1)" : "\(month + 1)"
      check(.date, valid: ["2026-\(month)-01", "2026-\(month)-\(days)"], invalid: ["2026-\(month)-\(days + 1)"])
    }
    check(
      .date, valid: ["2024-02-29", "2000-02-29", "0000-01-01", "9999-12-31"],
      invalid: [
        "2023-02-29", "1900-02-29", "2024-02-30", "2026-00-01", "2026-13-01", "2026-01-00", "2026-1-01", "2026-01-1",
        "26-01-01", "2026/01-01", "2026-01/01", "2026-01-01 ", " 2026-01-01", "2026-01-011", "2026-0a-01", "-026-01-01",
        "",
      ])
  }

  func testATimeHasAnOffsetWithinADay() {
    check(
      .time,
      valid: [
        "00:00:00Z", "23:59:59z", "10:00:00.5Z", "10:00:00.123456789Z", "10:00:00+00:00", "10:00:00-00:00",
        "10:00:00+23:59", "10:00:00-23:59", "10:00:00.25+05:30",
      ],
      invalid: [
        "24:00:00Z", "10:60:00Z", "10:00:61Z", "10:00:00", "10:00Z", "10:00:00.Z", "10:00:00,5Z", "1:00:00Z",
        "10:0:00Z",
        "10-00:00Z", "10:00-00Z", "10:00:00ZZ", "10:00:00+24:00", "10:00:00+00:60", "10:00:00+0a:00", "10:00:00+00:0a",
        "10:00:00-0100", "10:00:00+01-00", "10:00:00+01:0", "10:00:00+1:00", "10:00:00+01:000", "10:00:00+01",
        "10:00:00 01:00", "10:00:00*01:00", "-1:00:00Z", "",
      ])
  }

  func testALeapSecondIsTheLastOfADayInUTC() {
    check(
      .time, valid: ["23:59:60Z", "15:59:60-08:00", "00:29:60+00:30", "23:29:60.5-00:30"],
      invalid: ["22:59:60Z", "23:58:60Z", "23:59:60+01:00", "23:59:60-08:00", "15:59:60+08:00"])
  }

  func testADateAndATimeAreJoinedByAT() {
    check(
      .dateTime,
      valid: [
        "1985-04-12T23:20:50.52Z", "1996-12-19t16:39:57-08:00", "1990-12-31T23:59:60Z", "1990-12-31T15:59:60-08:00",
        "1937-01-01T12:00:27.87+00:20", "2026-11-30T10:00:00z",
      ],
      invalid: [
        "2026-11-31T10:00:00Z", "2026-11-30 10:00:00Z", "2026-11-30T10:00:00", "2026-11-30T", "2026-11-30",
        "2026-11-30T10:00:00Z ", "2026-11-30T10:00:00+24:00", "1990-12-31T15:59:60Z", "10:00:00Z",
      ])
  }
}
