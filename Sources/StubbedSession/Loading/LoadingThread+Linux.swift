#if os(Linux)
  import Foundation

  /// The queue on which a task gets its answer, which is the one on which its session begins loading.
  ///
  /// A session of FoundationNetworking keeps its tasks in a table that only this queue may use; calling a task's client elsewhere is a data race.
  /// The only way to the queue is to resume the running task, which begins its loading again, on the queue.
  ///
  /// The lock makes it `Sendable`: it guards the waiting blocks.
  final class LoadingThread: @unchecked Sendable {
    private let lock = NSLock()
    private var waiting: [@Sendable () -> Void] = []
    private var isStopped = false
    private let task: URLSessionTask?
    private let timer = DispatchQueue(label: "StubbedSession")

    /// Must be called where loading begins.
    init(of urlProtocol: URLProtocol) {
      task = urlProtocol.task
    }

    func perform(after delay: TimeInterval, _ work: @escaping @Sendable () -> Void) {
      timer.asyncAfter(deadline: .now() + delay) { [weak self] in
        guard let self, self.wait(work), self.task?.state == .running else { return }
        self.task?.resume()
      }
    }

    /// Runs the waiting blocks; called when loading begins again.
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
