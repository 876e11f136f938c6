import Foundation
import TrackingModel

/// Writes to a program's standard input without blocking in the system's buffer.
final class InputWriter: Sendable {
  enum Result {
    case written, full, stopped
  }

  private enum Step {
    case wrote(Int)
    /// The buffer has no room, or a signal came first.
    case notNow
    case closed
  }

  /// Both ends, so that a write never raises SIGPIPE; `nil` after ``close()``.
  private let pipe: Locked<Pipe?>

  init(to pipe: Pipe) {
    let descriptor = pipe.fileHandleForWriting.fileDescriptor
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    self.pipe = Locked(pipe)
  }

  var isOpen: Bool { pipe.withLock { $0 != nil } }

  /// Writes all bytes; gives up if `isReading` returns false, or if the buffer stays full for the timeout, in seconds.
  func write(_ data: Data, timeout: TimeInterval, while isReading: () -> Bool) -> Result {
    var rest = data
    let timeout = Duration.clamping(seconds: timeout)
    var deadline = ContinuousClock.now + timeout
    while !rest.isEmpty {
      guard isReading() else { return .stopped }
      switch writeOnce(rest) {
      case .closed: return .stopped
      case .notNow:
        guard ContinuousClock.now < deadline else { return .full }
        // `poll` on the pipe wouldn't return when the program ends: this process keeps the reading end open against SIGPIPE.
        Thread.sleep(forTimeInterval: 0.01)
      case .wrote(let count):
        rest.removeFirst(count)
        deadline = .now + timeout
      }
    }
    return .written
  }

  func close() {
    pipe.withLock {
      try? $0?.fileHandleForReading.close()
      try? $0?.fileHandleForWriting.close()
      $0 = nil
    }
  }

  private func writeOnce(_ data: Data) -> Step {
    pipe.withLock { pipe in
      guard let pipe else { return .closed }
      let count = data.withUnsafeBytes {
        Foundation.write(pipe.fileHandleForWriting.fileDescriptor, $0.baseAddress, $0.count)
      }
      guard count < 0 else { return .wrote(count) }
      return errno == EAGAIN || errno == EINTR ? .notNow : .closed
    }
  }
}
