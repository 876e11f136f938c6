#if os(Linux)
  import Foundation

  /// Where a task is told its answer: one thing after the other; any thread will do.
  struct LoadingThread: Sendable {
    private let queue = DispatchQueue(label: "StubbedSession")

    func perform(after delay: TimeInterval, _ work: @escaping @Sendable () -> Void) {
      guard delay > 0 else { return queue.async(execute: work) }
      queue.asyncAfter(deadline: .now() + delay, execute: work)
    }
  }
#endif
