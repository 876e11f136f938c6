import TestSupport
@testable import TrackingSockets

final class LockedTests: XCTestCase {
  func testThreadsTakeTurns() {
    let count = Locked(0)
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 1...1_000 { count.withLock { $0 += 1 } }
    }
    XCTAssertEqual(count.withLock { $0 }, 8_000)
  }

  func testAnErrorGivesTheLockBack() {
    struct Refused: Error {}
    let value = Locked("a")
    XCTAssertThrowsError(try value.withLock { _ in throw Refused() })
    XCTAssertEqual(value.withLock { $0 }, "a")
  }
}
