import TestSupport
@testable import TrackingPatterns

/// Patterns that match by the process of an event.
final class ProcessPatternTests: XCTestCase {
  private let event = TrackingEvent(name: "refreshed", params: ["count": 2])

  private func matches(_ pattern: EventPattern, from process: String?) -> Bool {
    pattern.mismatch(of: event, from: process) == nil
  }

  func testOnlyTheNamedProcessMatches() {
    XCTAssertTrue(matches(.any.from("ShopWidget"), from: "ShopWidget"))
    XCTAssertFalse(matches(.any.from("ShopWidget"), from: "Shop"))
    XCTAssertFalse(matches(.any.from("ShopWidget"), from: "shopwidget"))
    XCTAssertFalse(matches(.any.from("ShopWidget"), from: nil))
  }

  func testTheProcessIsAConditionAmongOthers() {
    let refreshed = EventPattern.named("refreshed", params: ["count": 2]).from("ShopWidget")
    XCTAssertTrue(matches(refreshed, from: "ShopWidget"))
    XCTAssertFalse(matches(refreshed, from: "Shop"))
    XCTAssertFalse(matches(.named("refreshed", params: ["count": 3]).from("ShopWidget"), from: "ShopWidget"))
    XCTAssertTrue(matches(refreshed.exact().lenient(), from: "ShopWidget"))
    XCTAssertTrue(matches(refreshed.or(.any.from("Shop")), from: "Shop"))
    XCTAssertFalse(matches(refreshed.or(.any.from("Shop")), from: "ShopPush"))
    XCTAssertTrue(matches(.named("refreshed").and(.any.from("ShopWidget").not()), from: "Shop"))
    XCTAssertFalse(matches(.named("refreshed").and(.any.from("ShopWidget").not()), from: "ShopWidget"))
    XCTAssertTrue(matches(.any.from("Shop").not().not(), from: "Shop"))
  }

  func testTheWordsNameTheProcess() {
    XCTAssertEqual("\(EventPattern.any.from("ShopWidget"))", #"any event from the process "ShopWidget""#)
    XCTAssertEqual(
      "\(EventPattern.named("refreshed").from("ShopWidget"))",
      #"an event named "refreshed" from the process "ShopWidget""#)
    XCTAssertEqual(
      "\(EventPattern.named("refreshed", params: ["count": 2]).from("ShopWidget").not())",
      #"anything but ((an event named "refreshed" with count: 2) from the process "ShopWidget")"#)
  }

  func testTheDifferenceNamesBothProcesses() throws {
    let pattern = EventPattern.named("refreshed", params: ["count": 2]).from("ShopWidget")
    XCTAssertEqual(
      EventDiff.lines(for: event, try XCTUnwrap(pattern.mismatch(of: event, from: "Shop"))),
      [
        "  refreshed", #"- from the process "ShopWidget""#, #"+ from the process "Shop""#, "  (1 param as expected)",
      ])
    XCTAssertEqual(
      EventDiff.lines(for: event, try XCTUnwrap(pattern.mismatch(of: event))),
      [
        "  refreshed", #"- from the process "ShopWidget""#, "+ from an unknown process", "  (1 param as expected)",
      ])
  }
}
