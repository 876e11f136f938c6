import Foundation
import TrackingSockets

/// Threads for code of the test, and for whatever else may block: as many as are needed at a time, up to a limit.
///
/// Each piece of work has a thread of its own, so however long it blocks, it keeps no other waiting. They are no threads of Dispatch, whose
/// pool belongs to the test's process.
final class Workers: Sendable {
  /// How long a thread without work is kept.
  private static let idleTime: TimeInterval = 2
  /// Bytes of stack: a format's reader calls itself once for each level of nesting.
  ///
  /// Only what is used takes memory.
  private static let stackSize = 4 * 1_024 * 1_024

  private struct State: Sendable {
    var jobs: [@Sendable () -> Void] = []
    var threads = 0
    var idle = 0
    var isStopped = false
  }

  private let limit: Int
  private let condition = NSCondition()
  // `condition` guards it.
  nonisolated(unsafe) private var state = State()

  init(limit: Int) {
    self.limit = max(limit, 0)
  }

  /// Runs a job on a thread that has nothing else to do.
  ///
  /// - Returns: `false` when as many threads are at work as may be, or when the system gives no more.
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
      try JoinableThread(name: "Tracking worker", stackSize: Self.stackSize) { [self] in serve(job) }.detach()
      return true
    } catch {
      condition.withLock { state.threads -= 1 }
      return false
    }
  }

  /// Lets idle threads end, and busy ones when they are done; waits for none of them.
  func stop() {
    condition.withLock {
      state.isStopped = true
      state.jobs = []
      condition.broadcast()
    }
  }

  private func serve(_ first: @escaping @Sendable () -> Void) {
    var job: (@Sendable () -> Void)? = first
    while let next = job {
      next()
      // What the closure holds must not outlive it while the thread is idle.
      job = nil
      job = nextJob()
    }
  }

  /// The next job; `nil` when the thread is to end.
  private func nextJob() -> (@Sendable () -> Void)? {
    condition.withLock {
      state.idle += 1
      defer { state.idle -= 1 }
      let deadline = Date(timeIntervalSinceNow: Self.idleTime)
      while state.jobs.isEmpty, !state.isStopped {
        guard condition.wait(until: deadline) else { break }
      }
      if !state.jobs.isEmpty { return state.jobs.removeFirst() }
      state.threads -= 1
      return nil
    }
  }
}

/// What other threads send to connections; the server's thread takes it out when it is woken.
final class Mailbox: Sendable {
  struct Message: Sendable {
    /// The number of the connection.
    let connection: Int
    /// What the connection was waiting for when the message was promised: it drops messages that are late.
    let token: Int
    /// How a parked request continues; `nil` when an answer does that waits at a gate or for a stream.
    let continuation: Continuation?
  }

  private let messages = Locked<[Message]>([])
  private let wakePipe: WakePipe

  init(wakePipe: WakePipe) {
    self.wakePipe = wakePipe
  }

  func send(_ message: Message) {
    messages.withLock { $0.append(message) }
    wakePipe.wake()
  }

  /// The messages since it was asked last.
  func takeAll() -> [Message] {
    messages.withLock { messages in
      guard !messages.isEmpty else { return [] }
      defer { messages = [] }
      return messages
    }
  }
}
