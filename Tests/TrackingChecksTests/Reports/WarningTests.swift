import XCTest

@testable import TrackingChecks

final class WarningTests: XCTestCase {
  private func warning(_ events: [(name: String, findings: [String])], time: Int = 1) -> String {
    let lines = events.enumerated().map { number, event in
      "    #\(number + time)  +\(time) ms  \(event.name)(at: \(time))\n"
        + event.findings.map { "        \($0)" }.joined(separator: "\n")
    }
    return "\(events.count) of 9 events are valid, but should no longer be sent:\n" + lines.joined(separator: "\n")
  }

  func testAWarningIsWrittenOnceForEachFindingInAnEvent() {
    var written = WrittenWarnings()
    let deprecated = "the event is deprecated (plan.json:7)"
    XCTAssertTrue(written.add(warning([("old", [deprecated])]), at: "A.swift:1: "))
    XCTAssertFalse(
      written.add(warning([("old", [deprecated])], time: 2), at: "A.swift:2: "),
      "only its number, time and values differ")
    XCTAssertTrue(written.add(warning([("older", [deprecated])]), at: "A.swift:3: "), "another event")
    XCTAssertTrue(
      written.add(warning([("old", [deprecated]), ("oldest", [deprecated])]), at: "A.swift:4: "),
      "one of its events is new")
    XCTAssertFalse(
      written.add(warning([("oldest", [deprecated]), ("older", [deprecated])]), at: "A.swift:5: "), "each is known")
    XCTAssertTrue(
      written.add(warning([("old", [deprecated, "size: is deprecated (plan.json:9)"])]), at: "A.swift:6: "),
      "another finding")
  }

  func testWarningsWithoutEventsAreDistinguishedByTheirTextsAndPlaces() {
    var written = WrittenWarnings()
    XCTAssertTrue(written.add("a", at: "A.swift:1: "))
    XCTAssertTrue(written.add("b", at: "A.swift:1: "))
    XCTAssertFalse(written.add("a", at: "A.swift:1: "))
    XCTAssertTrue(written.add("a", at: "A.swift:2: "))
  }
}
