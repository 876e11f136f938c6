extension String {
  /// The text with controls as code points, except line breaks and tabs: an app's texts must not move a terminal's cursor or change the writing
  /// direction.
  var printable: String { escaped { !["\t", "\n"].contains($0) && $0.isControl } }

  /// The text on one line, with controls and line breaks as code points.
  ///
  /// A line break in a name that an app sent must not begin another line: build services read commands from lines such as `::error::`.
  var onOneLine: String { escaped { $0 != "\t" && $0.isControl } }

  private func escaped(_ isEscaped: (Unicode.Scalar) -> Bool) -> String {
    guard unicodeScalars.contains(where: isEscaped) else { return self }
    return unicodeScalars.reduce(into: "") { text, scalar in
      if isEscaped(scalar) {
        text += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
  }
}

extension Unicode.Scalar {
  fileprivate var isControl: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0: true
    // Marks and overrides of writing direction, and separators of lines and paragraphs.
    case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
