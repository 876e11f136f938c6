import TestSupport
@testable import TrackingServer

final class EntryLogTests: XCTestCase {
  func testEntriesAreReadFromAnyNumberAcrossBlocks() {
    var log = EntryLog()
    for number in 1...1_500 { log.append(event(number)) }
    XCTAssertEqual(log.count, 1_500)
    XCTAssertEqual(log.nextNumber, 1_501)
    for first in [Int.min, -1, 0, 1, 2, 511, 512, 513, 514, 1_024, 1_025, 1_499, 1_500] {
      XCTAssertEqual(log.entries(from: first).map(\.number), Array(max(first, 1)...1_500), "from \(first)")
    }
    XCTAssertEqual(log.entries(from: 1_501).map(\.number), [])
    XCTAssertEqual(log.entries(from: .max).map(\.number), [])
  }

  func testNumbersContinueAfterARemoval() {
    var log = EntryLog()
    for number in 1...600 { log.append(event(number)) }
    log.removeAll()
    XCTAssertEqual(log.nextNumber, 601)
    XCTAssertEqual(log.entries(from: 1).map(\.number), [])
    log.append(event(601))
    XCTAssertEqual(log.entries(from: 1).map(\.number), [601])
    XCTAssertEqual(log.entries(from: 601).map(\.number), [601])
    XCTAssertEqual(log.entries(from: 602).map(\.number), [])
    log.removeAll()
    log.removeAll()
    XCTAssertEqual(log.nextNumber, 602)
  }

  func testACopyIsNotChangedByWhatIsAppendedAfterIt() {
    var log = EntryLog()
    log.append(event(1))
    let copy = log
    log.append(event(2))
    XCTAssertEqual(copy.entries(from: 1).map(\.number), [1])
    XCTAssertEqual(log.entries(from: 1).map(\.number), [1, 2])
  }

  func testAnEntryTakesNoMoreRoomThanAnEvent() {
    XCTAssertEqual(MemoryLayout<JournalEntry>.stride, MemoryLayout<RecordedEvent>.stride)
  }

  private func event(_ number: Int) -> JournalEntry {
    .event(
      RecordedEvent(
        event: TrackingEvent(name: "a"), number: number, arrival: Arrival(.now), connection: nil, launch: nil,
        sequence: nil,
        isAcknowledged: true))
  }
}
