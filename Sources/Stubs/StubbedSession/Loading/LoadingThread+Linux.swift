#if os(Linux)
  import Foundation
  import TrackingModel

  /// The queue on which a task's session begins loading, and the task gets its response.
  ///
  /// A session of FoundationNetworking keeps its tasks in a table that only this queue may use; calling a task's client elsewhere is a data race.
  /// The only way to the queue is to resume the running task, which begins its loading again, on the queue.
  final class LoadingThread: Sendable {
    /// `nil` once loading has stopped.
    private let waiting = Locked<[@Sendable () -> Void]?>([])
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
      let work = waiting.withLock { waiting in
        defer { waiting = waiting.map { _ in [] } }
        return waiting
      }
      for work in work ?? [] { work() }
    }

    func stop() {
      waiting.withLock { $0 = nil }
    }

    private func wait(_ work: @escaping @Sendable () -> Void) -> Bool {
      waiting.withLock { waiting in
        waiting?.append(work)
        return waiting != nil
      }
    }
  }
#endif
