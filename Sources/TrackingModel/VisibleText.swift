/// Makes invisible characters visible.
package enum VisibleText {
  /// The most code points shown of one character: a family emoji has seven, and a client may send millions.
  private static let longestCharacter = 20

  /// Writes invisible characters, and those that change the text direction, as code points: `main\u{200B}_screen`.
  package static func of(_ text: String) -> String {
    // The fast path: plain ASCII.
    if text.utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) { return text }
    return text.reduce(into: "") { visible, character in
      let isPicture = character.isPicture
      for scalar in character.unicodeScalars.prefix(longestCharacter) {
        if scalar.isInvisible, !isPicture { visible += scalar.escape } else { visible.unicodeScalars.append(scalar) }
      }
      if character.unicodeScalars.dropFirst(longestCharacter).first != nil { visible += "\u{2026}" }
    }
  }
}

extension VisibleText {
  /// The text with spaces for line breaks, controls and code points that turn the direction of a line as escapes, and no character of more code
  /// points than a reader can see.
  package static func line(_ text: String) -> String {
    if text.utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) { return text }
    return text.reduce(into: "") { line, character in
      if character.isLineBreak {
        line += " "
      } else {
        for scalar in character.unicodeScalars.prefix(longestCharacter) {
          if scalar.turnsLines || scalar.movesCursor {
            line += scalar.escape
          } else {
            line.unicodeScalars.append(scalar)
          }
        }
      }
    }
  }
}

extension Character {
  /// By the first code point, because comparing characters takes time quadratic in their combining code points.
  fileprivate var isLineBreak: Bool {
    switch unicodeScalars.first?.value ?? 0 {
    case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
    default: false
    }
  }

  /// Whether the character is an emoji, in which invisible code points join visible ones.
  fileprivate var isPicture: Bool {
    guard let first = unicodeScalars.first else { return false }
    return first.properties.isEmoji && !first.isASCII
  }
}

extension Unicode.Scalar {
  /// Whether a screen shows nothing for the scalar; `false` for a space.
  var isInvisible: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: true
    case .spaceSeparator: self != " "
    default: properties.isDefaultIgnorableCodePoint
    }
  }

  /// Whether the scalar changes the text direction of a line's rest (Unicode Standard Annex 9, table 4).
  var turnsLines: Bool {
    switch value {
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// Whether the scalar is a control that a terminal obeys; `false` for a tab.
  var movesCursor: Bool { properties.generalCategory == .control && self != "\t" }

  var escape: String { "\\u{\(hex)}" }

  /// `U+200B ZERO WIDTH SPACE`.
  package var nameText: String {
    properties.name.map { "\(code) \($0)" } ?? properties.nameAlias.map { "\(code) \($0)" } ?? code
  }

  package var code: String { "U+\(String(repeating: "0", count: max(0, 4 - hex.count)))\(hex)" }

  private var hex: String { String(value, radix: 16, uppercase: true) }
}
