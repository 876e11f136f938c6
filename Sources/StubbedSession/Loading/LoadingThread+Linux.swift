#if os(Linux)
  import Foundation

  /// Where a task is told its answer: on the queue of its session, where loading begins.
  ///
  /// A session of FoundationNetworking keeps its tasks in a table that only this queue may touch, and whoever tells a task something from elsewhere
  /// races with it. There is no way to the queue but one: to resume a task that is running begins its loading once more, there.
  ///
  /// The lock makes it `Sendable`: it guards what is waiting.
  final class LoadingThread: @unchecked Sendable {
    private let lock = NSLock()
    private var waiting: [@Sendable () -> Void] = []
    private var isStopped = false
    private let task: URLSessionTask?
    private let timer = DispatchQueue(label: "StubbedSession")

    /// Made where loading begins.
    init(of urlProtocol: URLProtocol) {
      task = urlProtocol.task
    }

    func perform(after delay: TimeInterval, _ work: @escaping @Sendable () -> Void) {
      timer.asyncAfter(deadline: .now() + delay) { [weak self] in
        guard let self, self.wait(work), self.task?.state == .running else { return }
        self.task?.resume()
      }
    }

    /// Does what was waiting; called where loading begins, when it begins once more.
    func loadingBeganAgain() {
      let work = lock.withLock {
        defer { waiting = [] }
        return waiting
      }
      for work in work { work() }
    }

    func stop() {
      lock.withLock {
        isStopped = true
        waiting = []
      }
    }

    private func wait(_ work: @escaping @Sendable () -> Void) -> Bool {
      lock.withLock {
        guard !isStopped else { return false }
        waiting.append(work)
        return true
      }
    }
  }
#endif
