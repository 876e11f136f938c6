import Dispatch
import Foundation

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

  func show(_ work: String) {
    if isShown { StandardStreams.remark("\(Self.clear)\(work.printable) …") }
  }

  /// Does work, and shows from the first second on how long it takes; where standard error isn't a terminal, names it once.
  func show<Result>(_ work: String, during body: () throws -> Result) rethrows -> Result {
    let queue = DispatchQueue(label: "tracking.progress")
    let timer = DispatchSource.makeTimerSource(queue: queue)
    let start = ContinuousClock.now
    timer.setEventHandler { [isShown] in
      guard isShown else { return StandardStreams.remark("\(work.printable) …\n") }
      StandardStreams.remark("\(Self.clear)\(work.printable) … \((ContinuousClock.now - start).components.seconds) s")
    }
    if isShown {
      timer.schedule(deadline: .now() + 1, repeating: 1)
    } else {
      timer.schedule(deadline: .now() + 1)
    }
    timer.resume()
    defer {
      timer.cancel()
      // A handler that runs ends before the line is removed.
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
