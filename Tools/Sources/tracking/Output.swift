import Foundation

/// Writes a line to standard error.
func say(_ text: String) {
  FileHandle.standardError.write(Data("\(text)\n".utf8))
}

/// A value as one line of JSON, on standard output, or as a document with `pretty`.
func showJSON(_ value: some Encodable, pretty: Bool = false) {
  let encoder = JSONEncoder()
  encoder.outputFormatting =
    pretty ? [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes] : [.sortedKeys, .withoutEscapingSlashes]
  guard let data = try? encoder.encode(value) else { return }
  FileHandle.standardOutput.write(data + Data("\n".utf8))
}

/// Shows the progress of long work as a bar, if standard error is a terminal.
final class ProgressBar: Sendable {
  private let isTerminal = isatty(STDERR_FILENO) == 1

  func show(_ done: Int, of all: Int) {
    guard isTerminal, all > 0 else { return }
    let width = 30
    let filled = width * done / all
    let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: width - filled)
    FileHandle.standardError.write(Data("\r[\(bar)] \(done) of \(all)".utf8))
  }

  /// Removes the bar before the result is printed.
  func end() {
    if isTerminal { FileHandle.standardError.write(Data("\r\u{1B}[K".utf8)) }
  }
}
