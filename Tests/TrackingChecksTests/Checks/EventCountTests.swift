import XCTest

@testable import TrackingChecks

final class EventCountTests: XCTestCase {
  func testTheStateOfEachCountAtEachNumber() {
    let rows: [(any EventCountConvertible, [CheckState])] = [
      (2, [.open, .open, .holding, .broken, .broken]),
      (0, [.holding, .broken, .broken, .broken, .broken]),
      (EventCount.atLeast(2), [.open, .open, .met, .met, .met]),
      (EventCount.atLeast(0), [.met, .met, .met, .met, .met]),
      (EventCount.atMost(2), [.holding, .holding, .holding, .broken, .broken]),
      (1...3, [.open, .holding, .holding, .holding, .broken]),
      (0...1, [.holding, .holding, .broken, .broken, .broken]),
      (1..<4, [.open, .holding, .holding, .holding, .broken]),
      (...2, [.holding, .holding, .holding, .broken, .broken]),
      (..<3, [.holding, .holding, .holding, .broken, .broken]),
    ]
    for (count, states) in rows {
      XCTAssertEqual((0...4).map { count.eventCount.state(at: $0) }, states, "\(count)")
    }
  }

  func testNumbersAndRangesAreCounts() {
    let (least, most) = (1, 3)
    let counts: [any EventCountConvertible] = [
      2, 1...3, least...most, 2..., least..., most, 0..<3, least..<most, ...2, ..<most,
    ]
    XCTAssertEqual(
      counts.map(\.eventCount.description),
      [
        "exactly twice", "between 1 and 3 times", "between 1 and 3 times", "at least twice", "at least once",
        "exactly 3 times", "at most twice", "between 1 and 2 times", "at most twice", "at most twice",
      ])
  }

  func testEachCountInWords() {
    let counts: [any EventCountConvertible] = [
      0, 1, 2, EventCount.atLeast(3), EventCount.atMost(1), EventCount.atMost(0), 1...3, 0...1,
    ]
    XCTAssertEqual(
      counts.map(\.eventCount.description),
      [
        "not once", "exactly once", "exactly twice", "at least 3 times", "at most once", "not once",
        "between 1 and 3 times", "at most once",
      ])
  }
}
