import Foundation
import TrackingModel
import TrackingRules
import XCTest

final class PlanSourceTests: XCTestCase {
  private struct Rule: EventRule {
    var expectation: String { "every event to be fine" }
    func findings(in event: TrackingEvent) -> [PlanFinding] { [] }
  }

  private struct Missing: Error {}

  func testASourceLoadsOnceForAllThreadsAndCopies() throws {
    let count = Locked(0)
    let source = PlanSource {
      count.withLock { $0 += 1 }
      return Rule()
    }
    let copy = source
    DispatchQueue.concurrentPerform(iterations: 16) { number in
      _ = try? (number.isMultiple(of: 2) ? source : copy).load()
    }
    XCTAssertEqual(count.withLock { $0 }, 1)
  }

  func testAnErrorIsThrownToEachUse() {
    let count = Locked(0)
    let source = PlanSource {
      count.withLock { $0 += 1 }
      throw Missing()
    }
    for _ in 0..<2 { XCTAssertThrowsError(try source.load()) { XCTAssertTrue($0 is Missing) } }
    XCTAssertEqual(count.withLock { $0 }, 1)
  }
}
