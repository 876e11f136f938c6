import TrackingModel
import XCTest

@testable import TrackingServer

final class EventLogTests: XCTestCase {
  func testEventsAreGivenFromAnyNumberOnAcrossBlocks() {
    var log = EventLog()
    for number in 1...1_500 { log.append(event(number)) }
    XCTAssertEqual(log.count, 1_500)
    XCTAssertEqual(log.nextNumber, 1_501)
    for first in [Int.min, -1, 0, 1, 2, 511, 512, 513, 514, 1_024, 1_025, 1_499, 1_500] {
      XCTAssertEqual(log.events(from: first).map(\.number), Array(max(first, 1)...1_500), "from \(first)")
    }
    XCTAssertEqual(log.events(from: 1_501), [])
    XCTAssertEqual(log.events(from: .max), [])
  }

  func testNumbersGoOnBehindWhatIsForgotten() {
    var log = EventLog()
    for number in 1...600 { log.append(event(number)) }
    log.removeAll()
    XCTAssertEqual(log.nextNumber, 601)
    XCTAssertEqual(log.events(from: 1), [])
    log.append(event(601))
    XCTAssertEqual(log.events(from: 1).map(\.number), [601])
    XCTAssertEqual(log.events(from: 601).map(\.number), [601])
    XCTAssertEqual(log.events(from: 602), [])
    log.removeAll()
    log.removeAll()
    XCTAssertEqual(log.nextNumber, 602)
  }

  func testACopyIsNotChangedByWhatIsAppendedAfterIt() {
    var log = EventLog()
    log.append(event(1))
    let copy = log
    log.append(event(2))
    XCTAssertEqual(copy.events(from: 1).map(\.number), [1])
    XCTAssertEqual(log.events(from: 1).map(\.number), [1, 2])
  }

  private func event(_ number: Int) -> RecordedEvent {
    RecordedEvent(
      event: TrackingEvent(name: "a"), number: number, arrival: .now, connection: nil, launch: nil, sequence: nil,
      isAcknowledged: true)
  }
}
