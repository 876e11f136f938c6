import XCTest

@testable import TrackingQuestions
@testable import TrackingVerifier

final class EventCountTests: XCTestCase {
  func testTheStateOfEachCountAtEachNumber() {
    let rows: [(EventCount, [QuestionState])] = [
      (.exactly(2), [.open, .open, .holding, .broken, .broken]),
      (.exactly(0), [.holding, .broken, .broken, .broken, .broken]),
      (.atLeast(2), [.open, .open, .met, .met, .met]),
      (.atLeast(0), [.met, .met, .met, .met, .met]),
      (.atMost(2), [.holding, .holding, .holding, .broken, .broken]),
      ((1...3).eventCount, [.open, .holding, .holding, .holding, .broken]),
      ((0...1).eventCount, [.holding, .holding, .broken, .broken, .broken]),
    ]
    for (count, states) in rows {
      XCTAssertEqual((0...4).map { count.state(at: $0) }, states, "\(count)")
    }
  }

  func testNumbersAndRangesAreCounts() {
    XCTAssertEqual(2.eventCount, .exactly(2))
    XCTAssertEqual("\((1...3).eventCount)", "between 1 and 3 times")
    XCTAssertEqual((2...).eventCount, .atLeast(2))
    XCTAssertEqual(EventCount.atMost(4).eventCount, .atMost(4))
  }

  func testEachCountInWords() {
    let counts: [EventCount] = [
      .exactly(0), .exactly(1), .exactly(2), .atLeast(3), .atMost(1), .atMost(0), (1...3).eventCount,
      (0...1).eventCount,
    ]
    XCTAssertEqual(
      counts.map(\.description),
      [
        "not once", "exactly once", "exactly twice", "at least 3 times", "at most once", "not once",
        "between 1 and 3 times", "at most once",
      ])
  }
}
