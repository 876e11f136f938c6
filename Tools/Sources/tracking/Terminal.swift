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

/// Shows the progress of long work as a bar, if standard error is a terminal.
final class ProgressBar: Sendable {
  private static let width = 30
  private static let clear: StaticString = "\r\u{1B}[K"
  private let isShown = Terminal.isTerminal(STDERR_FILENO)

  init() {
    guard isShown else { return }
    // Ctrl-C must not leave half of a bar before the prompt.
    signal(SIGINT) { number in
      _ = Foundation.write(STDERR_FILENO, ProgressBar.clear.utf8Start, ProgressBar.clear.utf8CodeUnitCount)
      signal(number, SIG_DFL)
      raise(number)
    }
  }

  func show(_ done: Int, of all: Int) {
    guard isShown, all > 0 else { return }
    let filled = Self.width * done / all
    let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: Self.width - filled)
    Output.remark("\r[\(bar)] \(done) of \(all)")
  }

  /// Shows what is being done, where the amount of work isn't known.
  func show(_ work: String) {
    if isShown { Output.remark("\(Self.clear)\(work.printable) …") }
  }

  /// Removes the bar before the result is printed.
  func end() {
    guard isShown else { return }
    Output.remark("\(Self.clear)")
    signal(SIGINT, SIG_DFL)
  }
}
