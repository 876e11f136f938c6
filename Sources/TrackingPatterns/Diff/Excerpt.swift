/// Text that fits a line of a failure.
package enum Excerpt {
  /// Columns of a failure's lines.
  package static let columns = 100

  /// The text on one line of at most `width` columns; a longer one is cut in the middle and says how long it is.
  package static func of(_ text: String, width: Int = columns) -> String {
    let line = String(text.map { $0.isNewline ? " " : $0 })
    guard line.count > width else { return line }
    let note = " ... \(line.count) characters ... "
    let kept = max(width - note.count, 8)
    return "\(line.prefix(kept - kept / 3))\(note)\(line.suffix(kept / 3))"
  }

  /// The text on lines of at most `width` columns, broken between words; those after the first are indented.
  ///
  /// A word that fits no line stands on one of its own.
  package static func wrapped(_ text: String, width: Int = columns, indent: Int = 0) -> String {
    var lines: [String] = []
    var line = ""
    var isBlank = true
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      if !isBlank, line.count + 1 + word.count > width {
        lines.append(line)
        line = String(repeating: " ", count: indent) + word
      } else {
        line += isBlank ? String(word) : " \(word)"
      }
      isBlank = false
    }
    return (lines + [line]).joined(separator: "\n")
  }

  /// `"1 event"`, `"3 events"`.
  package static func count(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }
}
