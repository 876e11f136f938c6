import TrackingModel
import Foundation
import XCTest

/// Blocks one thread until it is woken, or until a deadline.
///
/// `@unchecked Sendable`: not every XCTest declares that an expectation may be fulfilled on any thread; `isOpen` guards it.
final class ThreadSignal: @unchecked Sendable {
  private let expectation: XCTestExpectation?
  private let semaphore: DispatchSemaphore?
  private let isOpen = Locked(true)

  /// The main thread waits with an `XCTWaiter`, which serves the run loop that UI tests need; other threads wait with a semaphore, because many
  /// concurrent waiters keep XCTest busy for seconds.
  init() {
    let isMain = Thread.isMainThread
    expectation = isMain ? XCTestExpectation(description: "an entry") : nil
    semaphore = isMain ? nil : DispatchSemaphore(value: 0)
  }

  /// Ends the wait; may be called on any thread, any number of times.
  func wake() {
    // An expectation must not be fulfilled after its wait.
    isOpen.withLock { isOpen in
      guard isOpen else { return }
      isOpen = false
      expectation?.fulfill()
      semaphore?.signal()
    }
  }

  /// Waits at most `timeout`; returns `false` if XCTest's outer wait timed out and interrupted this one.
  func wait(timeout: Duration) -> Bool {
    let (seconds, attoseconds) = timeout.components
    let interval = TimeInterval(seconds) + TimeInterval(attoseconds) * 1e-18
    defer { isOpen.withLock { $0 = false } }
    if let semaphore {
      // A dispatch time centuries ahead would overflow.
      _ = semaphore.wait(timeout: .now() + min(interval, 1e9))
      return true
    }
    guard let expectation else { return true }
    // The test case's own `wait` would report the timeout itself, at a line of ours.
    return XCTWaiter().wait(for: [expectation], timeout: interval) != .interrupted
  }
}

/// Suspends one task until it is woken or cancelled, or until a deadline, without blocking a thread.
package final class TaskSignal: Sendable {
  private enum State {
    case unused
    case suspended(CheckedContinuation<Void, Never>)
    case woken
  }

  private let state = Locked(State.unused)

  package init() {}

  /// Resumes the task; may be called on any thread, any number of times.
  package func wake() {
    let continuation: CheckedContinuation<Void, Never>? = state.withLock { state in
      defer { state = .woken }
      return if case .suspended(let continuation) = state { continuation } else { nil }
    }
    continuation?.resume()
  }

  package func wait(timeout: Duration, isolation: isolated (any Actor)? = #isolation) async {
    let (seconds, attoseconds) = timeout.components
    let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
    let timer = DispatchWorkItem { [weak self] in self?.wake() }
    DispatchQueue.global(qos: .userInitiated).asyncAfter(deadline: .now() + .nanoseconds(nanoseconds), execute: timer)
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isWoken = state.withLock { state in
          if case .woken = state { return true }
          state = .suspended(continuation)
          return false
        }
        if isWoken { continuation.resume() }
      }
    } onCancel: {
      wake()
    }
    timer.cancel()
  }
}
