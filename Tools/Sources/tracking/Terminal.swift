import Dispatch
import Foundation
import TrackingPlanKit

/// Output that is different on a terminal: colors.
enum Terminal {
  private static let environment = ProcessInfo.processInfo.environment

  /// Whether a descriptor is a terminal that understands escape sequences.
  static func isTerminal(_ descriptor: Int32) -> Bool {
    isatty(descriptor) == 1 && environment["TERM"] != "dumb"
  }

  enum Color: Int {
    case red = 31
    case yellow = 33
  }

  /// Writes a line of the result, in a color if standard output is a terminal and `NO_COLOR` isn't set (https://no-color.org).
  static func writeLine(_ text: String, in color: Color?) {
    guard let color, isTerminal(STDOUT_FILENO), environment["NO_COLOR"]?.isEmpty ?? true else {
      return Output.line(text)
    }
    Output.write("\u{1B}[\(color.rawValue)m\(text.onOneLine)\u{1B}[0m\n")
  }
}

/// Shows the work that is being done, if standard error is a terminal.
final class ProgressLine: Sendable {
  private static let clear: StaticString = "\r\u{1B}[K"
  private let isShown = Terminal.isTerminal(STDERR_FILENO)

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
    if isShown { Output.remark("\(Self.clear)\(work.printable) …") }
  }

  /// Does work, and shows from the first second on how long it takes; where standard error isn't a terminal, names it once.
  func show<Result>(_ work: String, during body: () throws -> Result) rethrows -> Result {
    let queue = DispatchQueue(label: "tracking.progress")
    let timer = DispatchSource.makeTimerSource(queue: queue)
    let start = ContinuousClock.now
    timer.setEventHandler { [isShown] in
      guard isShown else { return say("\(work) …") }
      Output.remark("\(Self.clear)\(work.printable) … \((ContinuousClock.now - start).components.seconds) s")
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
    Output.remark("\(Self.clear)")
    signal(SIGINT, SIG_DFL)
  }
}
