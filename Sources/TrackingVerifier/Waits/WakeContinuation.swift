import Foundation
import TrackingSockets

/// Suspends one task until it is woken, until a deadline, or until it is cancelled, and blocks no thread meanwhile.
package final class WakeContinuation: Sendable {
  private enum State {
    case unused
    case suspended(CheckedContinuation<Void, Never>)
    case woken
  }

  private let state = Locked(State.unused)

  package init() {}

  /// Resumes the task; may come from any thread, at any time, any number of times.
  package func wake() {
    let continuation: CheckedContinuation<Void, Never>? = state.withLock { state in
      defer { state = .woken }
      return if case .suspended(let continuation) = state { continuation } else { nil }
    }
    continuation?.resume()
  }

  /// Suspends the task until it is woken, cancelled, or for a time.
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
