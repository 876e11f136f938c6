import Dispatch
import Foundation
import TrackingModel

/// Shows the current work if standard error is a terminal.
final class ProgressLine: Sendable {
  private static let clear: StaticString = "\r\u{1B}[K"
  private let isShown = isatty(STDERR_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"

  init() {
    guard isShown else { return }
    // Ctrl-C must not leave the line before the prompt.
    signal(SIGINT) { number in
      _ = Foundation.write(STDERR_FILENO, ProgressLine.clear.utf8Start, ProgressLine.clear.utf8CodeUnitCount)
      signal(number, SIG_DFL)
      raise(number)
    }
  }

  /// Does work, and shows its duration after the first second; if standard error isn't a terminal, writes its name once.
  func show<Result>(_ work: String, during body: () throws -> Result) rethrows -> Result {
    let queue = DispatchQueue(label: "tracking.progress")
    let start = ContinuousClock.now
    let isDone = Locked(false)
    @Sendable func showTime() {
      guard !isDone.withLock({ $0 }) else { return }
      guard isShown else { return StandardStreams.warn("\(work.onOneLine) …\n") }
      StandardStreams.warn("\(Self.clear)\(work.onOneLine) … \((ContinuousClock.now - start).components.seconds) s")
      queue.asyncAfter(deadline: .now() + 1, execute: showTime)
    }
    queue.asyncAfter(deadline: .now() + 1, execute: showTime)
    defer {
      isDone.withLock { $0 = true }
      // Waits for a text that is being written.
      queue.sync {}
    }
    return try body()
  }

  /// Removes the line before the result is printed.
  func end() {
    guard isShown else { return }
    StandardStreams.warn("\(Self.clear)")
    signal(SIGINT, SIG_DFL)
  }
}
