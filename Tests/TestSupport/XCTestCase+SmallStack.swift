import XCTest

extension XCTestCase {
  /// Runs `body` on a thread with a stack of 512 KiB, which is what Apple's platforms give to a secondary thread and to
  /// Dispatch's workers, and waits for its end.
  ///
  /// A sanitizer's own frames take several times as much. Tests that call this have names that end with `OnASmallStack`,
  /// by which `Scripts/sanitize` leaves them out.
  package func runOnASmallStack(_ body: @escaping @Sendable () -> Void) {
    let isDone = expectation(description: "the thread with a small stack has ended")
    let thread = Thread {
      body()
      isDone.fulfill()
    }
    thread.stackSize = 512 * 1_024
    thread.start()
    wait(for: [isDone], timeout: 30)
  }
}
