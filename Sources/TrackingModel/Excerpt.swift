/// Texts that are cut for lines of a width, by characters.
package enum Excerpt {
  package static let columns = 100

  /// The text on one line of at most `width` columns; a longer one is shortened in the middle and states the number of its characters.
  package static func of(_ text: String, width: Int = columns) -> String {
    let line = VisibleText.line(text)
    guard line.count > width else { return line }
    let note = " … (of \(line.count)) … "
    let kept = max(width - note.count, 8)
    let (beginning, end) = (line.prefix(kept - kept / 3), line.suffix(kept / 3))
    return String(beginning.reversed().drop { $0 == " " }.reversed()) + note + end.drop { $0 == " " }
  }

  /// Breaks a text between words into lines of at most `width` columns; lines after the first are indented by `indent`.
  ///
  /// A word longer than a line has a line to itself.
  package static func wrapped(_ text: String, width: Int = columns, indent: Int = 0) -> String {
    let margin = String(repeating: " ", count: text.prefix { $0 == " " }.count + indent)
    var lines: [String] = []
    var line = ""
    var isBlank = true
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      if !isBlank, line.count + 1 + word.count > width {
        lines.append(line)
        line = margin + word
      } else {
        line += isBlank ? String(word) : " \(word)"
      }
      isBlank = false
    }
    return (lines + [line]).joined(separator: "\n")
  }
}

// MARK: - Texts of clients, by code points: one character may be as long as a whole body

extension String {
  /// The text if it is short enough, else its start and an ellipsis.
  package func shortened(to length: Int) -> String {
    let start = unicodeScalars.prefix(length)
    return start.endIndex == endIndex ? self : String(start) + "\u{2026}"
  }

  /// A name or a value of a file, as messages quote it.
  package var shortenedForMessage: String { shortened(to: 64) }

  /// A text of a client, as messages quote it.
  package var clipped: String { shortened(to: 200) }

  /// A text of a client, quoted as in JSON, so that white space shows.
  package var quotedAndClipped: String { "\(TrackingValue.string(self))".clipped }
}

// MARK: - Lists

extension Collection<String> {
  /// `a, b` if that is all, else `a, b and 3 more`.
  package func listed(most: Int) -> String {
    prefix(most).joined(separator: ", ") + (count > most ? " and \(count - most) more" : "")
  }

  /// `a, b and c`; of a longer list `a, b and 3 more`.
  package func inWords(most: Int = .max, last word: String = "and") -> String {
    let items = prefix(most) + (count > most ? ["\(count - most) more"] : [])
    guard let last = items.last, items.count > 1 else { return items.joined() }
    return "\(items.dropLast().joined(separator: ", ")) \(word) \(last)"
  }
}
