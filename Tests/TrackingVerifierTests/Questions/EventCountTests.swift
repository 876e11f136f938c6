import XCTest

@testable import TrackingQuestions
@testable import TrackingVerifier

final class EventCountTests: XCTestCase {
  func testTheStateOfEachCountAtEachNumber() {
    let rows: [(EventCount, [QuestionState])] = [
      (.times(2), [.open, .open, .holding, .broken, .broken]),
      (.times(0), [.holding, .broken, .broken, .broken, .broken]),
      (.atLeast(2), [.open, .open, .met, .met, .met]),
      (.atLeast(0), [.met, .met, .met, .met, .met]),
      (.atMost(2), [.holding, .holding, .holding, .broken, .broken]),
      (1...3, [.open, .holding, .holding, .holding, .broken]),
      (0...1, [.holding, .holding, .broken, .broken, .broken]),
    ]
    for (count, states) in rows {
      XCTAssertEqual((0...4).map { count.state(at: $0) }, states, "\(count)")
    }
  }

  func testNumbersAndRangesAreCounts() {
    let (least, most) = (1, 3)
    let counts: [EventCount] = [2, 1...3, least...most, 2..., least..., .times(most)]
    XCTAssertEqual(
      counts.map(\.description),
      [
        "exactly twice", "between 1 and 3 times", "between 1 and 3 times", "at least twice", "at least once",
        "exactly 3 times",
      ])
    // A range without a context remains one.
    XCTAssertTrue((least...most).contains(2))
    let range = 1...3
    XCTAssertEqual(range.upperBound, 3)
  }

  func testEachCountInWords() {
    let counts: [EventCount] = [
      .times(0), .times(1), .times(2), .atLeast(3), .atMost(1), .atMost(0), 1...3, 0...1,
    ]
    XCTAssertEqual(
      counts.map(\.description),
      [
        "not once", "exactly once", "exactly twice", "at least 3 times", "at most once", "not once",
        "between 1 and 3 times", "at most once",
      ])
  }
}
