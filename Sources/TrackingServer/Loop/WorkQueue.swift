import Dispatch
import TrackingSockets

/// Runs code of users, and whatever else may take its time, beside the server's thread, and hands the outcomes back to it.
///
/// Nobody waits for it: what ends after the server has stopped is dropped.
final class WorkQueue: Sendable {
  /// What came of the work for a connection's request.
  struct Outcome: Sendable {
    let connection: Int
    let conclusion: Conclusion
  }

  // Concurrent: a closure that takes its time keeps no other connection waiting.
  private let queue = DispatchQueue(label: "TrackingServer work", qos: .userInitiated, attributes: .concurrent)
  private let outcomes = Locked<[Outcome]>([])
  private let wakePipe: WakePipe

  init(wakePipe: WakePipe) {
    self.wakePipe = wakePipe
  }

  /// Does work for a connection, on another thread.
  func run(_ work: @escaping @Sendable () -> Conclusion, for connection: Int) {
    queue.async { [self] in
      let outcome = Outcome(connection: connection, conclusion: work())
      outcomes.withLock { $0.append(outcome) }
      wakePipe.wake()
    }
  }

  /// What has been done since it was asked last.
  func takeOutcomes() -> [Outcome] {
    outcomes.withLock { outcomes in
      guard !outcomes.isEmpty else { return [] }
      defer { outcomes = [] }
      return outcomes
    }
  }
}
