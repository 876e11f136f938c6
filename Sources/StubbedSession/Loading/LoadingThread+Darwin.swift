#if canImport(Darwin)
  import Foundation

  /// Where a task is told its answer: the thread on which its loading began.
  ///
  /// A run loop may be woken from any thread, which makes this `Sendable`.
  struct LoadingThread: @unchecked Sendable {
    private let runLoop: CFRunLoop = CFRunLoopGetCurrent()

    func perform(after delay: TimeInterval, _ work: @escaping @Sendable () -> Void) {
      guard delay > 0 else { return enqueue(work) }
      DispatchQueue.global().asyncAfter(deadline: .now() + delay) { enqueue(work) }
    }

    private func enqueue(_ work: @escaping @Sendable () -> Void) {
      CFRunLoopPerformBlock(runLoop, CFRunLoopMode.defaultMode.rawValue, work)
      CFRunLoopWakeUp(runLoop)
    }
  }
#endif
