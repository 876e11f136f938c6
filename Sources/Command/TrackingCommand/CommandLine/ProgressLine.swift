import Dispatch
import Foundation
import TrackingModel

/// Shows the work that is being done, if standard error is a terminal.
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

  /// Does work, and shows from the first second on how long it takes; where standard error isn't a terminal, names it once.
  func show<Result>(_ work: String, during body: () throws -> Result) rethrows -> Result {
    let queue = DispatchQueue(label: "tracking.progress")
    let start = ContinuousClock.now
    let isDone = Locked(false)
    @Sendable func showTime() {
      guard !isDone.withLock({ $0 }) else { return }
      guard isShown else { return StandardStreams.remark("\(work.printable) …\n") }
      StandardStreams.remark("\(Self.clear)\(work.printable) … \((ContinuousClock.now - start).components.seconds) s")
      queue.asyncAfter(deadline: .now() + 1, execute: showTime)
    }
    queue.asyncAfter(deadline: .now() + 1, execute: showTime)
    defer {
      isDone.withLock { $0 = true }
      // A text that is being shown ends before the line is removed.
      queue.sync {}
    }
    return try body()
  }

  /// Removes the line before the result is printed.
  func end() {
    guard isShown else { return }
    StandardStreams.remark("\(Self.clear)")
    signal(SIGINT, SIG_DFL)
  }
}
