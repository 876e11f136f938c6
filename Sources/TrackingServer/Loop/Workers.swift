import TrackingModel
import Foundation
import TrackingSockets

/// Threads for closures of the test and other work that may block: as many as needed, up to a limit.
///
/// Each job has its own thread, so a job that blocks delays no other. Dispatch's threads aren't used, because the test process needs its pool.
final class Workers: Sendable {
  /// The stack size in bytes, of which only the used part takes memory: a format's reader recurses for each level of nesting.
  private static let stackSize = 4 * 1_024 * 1_024

  private struct State: Sendable {
    var jobs: [@Sendable () -> Void] = []
    var threads = 0
    var idle = 0
    var isStopped = false
  }

  private let limit: Int
  private let idleTime: TimeInterval
  private let condition = NSCondition()
  // Guarded by `condition`.
  nonisolated(unsafe) private var state = State()

  init(_ limits: TrackingServer.Limits) {
    limit = max(limits.workers, 0)
    idleTime = limits.workerIdleTime
  }

  /// Runs a job on an idle thread or a new one; returns `false` at the limit of threads, or if the system can't start one.
  func run(_ job: @escaping @Sendable () -> Void) -> Bool {
    let needsThread: Bool? = condition.withLock {
      guard !state.isStopped else { return nil }
      if state.idle > state.jobs.count {
        state.jobs.append(job)
        condition.signal()
        return false
      }
      guard state.threads < limit else { return nil }
      state.threads += 1
      return true
    }
    guard let needsThread else { return false }
    guard needsThread else { return true }
    do throws(SocketError) {
      // The thread must not keep its first job, either.
      let first = Locked<(@Sendable () -> Void)?>(job)
      try JoinableThread(name: "Tracking worker", stackSize: Self.stackSize) { [self] in serve(first) }.detach()
      return true
    } catch {
      condition.withLock { state.threads -= 1 }
      return false
    }
  }

  /// Ends idle threads at once, and busy ones after their jobs, without waiting.
  func stop() {
    condition.withLock {
      state.isStopped = true
      state.jobs = []
      condition.broadcast()
    }
  }

  private func serve(_ first: Locked<(@Sendable () -> Void)?>) {
    var job = first.withLock { exchange(&$0, with: nil) }
    while job != nil {
      job?()
      // An idle thread must not keep what the closure captures.
      job = nil
      job = nextJob()
    }
  }

  /// The next job; `nil` if the thread is to end.
  private func nextJob() -> (@Sendable () -> Void)? {
    condition.withLock {
      state.idle += 1
      defer { state.idle -= 1 }
      let deadline = Date(timeIntervalSinceNow: idleTime)
      while state.jobs.isEmpty, !state.isStopped {
        guard condition.wait(until: deadline) else { break }
      }
      if !state.jobs.isEmpty { return state.jobs.removeFirst() }
      state.threads -= 1
      return nil
    }
  }
}
