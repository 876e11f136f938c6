import TrackingSockets
import XCTest

/// An expectation that is fulfilled at most once, and never after its wait has ended.
///
/// `@unchecked Sendable`: not every XCTest declares that an expectation may be fulfilled on any thread; `isOpen` guards that it is.
final class WakeExpectation: @unchecked Sendable {
  private let expectation = XCTestExpectation(description: "something new")
  private let isOpen = Locked(true)

  /// Ends the wait; may come from any thread, at any time, any number of times.
  func wake() {
    isOpen.withLock { isOpen in
      guard isOpen else { return }
      isOpen = false
      expectation.fulfill()
    }
  }

  /// Waits until it is woken, but no longer than for a number of seconds.
  ///
  /// Through an `XCTWaiter` and not the test case's own `wait`, which would report a time-out by itself and at a line of ours.
  func wait(timeout: Duration) {
    let (seconds, attoseconds) = timeout.components
    _ = XCTWaiter().wait(for: [expectation], timeout: TimeInterval(seconds) + TimeInterval(attoseconds) * 1e-18)
    isOpen.withLock { $0 = false }
  }
}
