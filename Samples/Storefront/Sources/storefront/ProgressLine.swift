import Foundation

/// The line that says what the user waits for, until the screen takes its place.
final class ProgressLine {
  /// Back to the beginning of the line, and erase it (ECMA-48 8.3.41).
  private static let erase = "\r\u{1B}[K"

  private var isShown = false

  /// Shows a text in place of the one before.
  func show(_ text: String) {
    clear()
    write(text)
    isShown = true
  }

  /// Makes room for the screen.
  func clear() {
    if isShown { write(Self.erase) }
    isShown = false
  }

  private func write(_ text: String) {
    FileHandle.standardOutput.write(Data(text.utf8))
  }
}
