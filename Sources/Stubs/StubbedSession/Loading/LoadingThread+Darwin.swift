#if canImport(Darwin)
  import Foundation

  /// The thread on which a task's loading began, and gets its response.
  ///
  /// `Sendable`: a run loop may be woken from any thread.
  struct LoadingThread: @unchecked Sendable {
    private let runLoop: CFRunLoop = CFRunLoopGetCurrent()

    /// Must be called on the thread on which loading begins.
    init(of urlProtocol: URLProtocol) {}

    func perform(after delay: TimeInterval, _ work: @escaping @Sendable () -> Void) {
      guard delay > 0 else { return enqueue(work) }
      DispatchQueue.global().asyncAfter(deadline: .now() + delay) { enqueue(work) }
    }

    /// Does nothing: loading begins once.
    func loadingBeganAgain() {}

    /// Does nothing: blocks that are still waiting do no harm.
    func stop() {}

    private func enqueue(_ work: @escaping @Sendable () -> Void) {
      CFRunLoopPerformBlock(runLoop, CFRunLoopMode.defaultMode.rawValue, work)
      CFRunLoopWakeUp(runLoop)
    }
  }
#endif
