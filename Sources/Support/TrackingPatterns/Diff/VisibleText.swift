/// Makes invisible characters visible.
package enum VisibleText {
  /// The most code points of one character that are shown: an emoji of a family has seven, and a client may send millions.
  private static let longestCharacter = 20

  /// The text with invisible characters, and those that change the direction of a line, as code points: `main\u{200B}_screen`.
  package static func of(_ text: String) -> String {
    // Nearly all texts are plain ASCII.
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
  /// The text with spaces for line breaks, code points that turn the direction of a line as escapes, and no character of more code points than a
  /// reader can see.
  package static func line(_ text: String) -> String {
    if text.utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) { return text }
    return text.reduce(into: "") { line, character in
      if character.isLineBreak {
        line += " "
      } else {
        for scalar in character.unicodeScalars.prefix(longestCharacter) {
          if scalar.turnsLines { line += scalar.escape } else { line.unicodeScalars.append(scalar) }
        }
      }
    }
  }
}

extension Character {
  /// By its first code point: to compare a character takes time that grows with the square of its combining code points.
  fileprivate var isLineBreak: Bool {
    switch unicodeScalars.first?.value ?? 0 {
    case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
    default: false
    }
  }

  /// Whether it is an emoji, in which invisible code points join visible ones.
  fileprivate var isPicture: Bool {
    guard let first = unicodeScalars.first else { return false }
    return first.properties.isEmoji && !first.isASCII
  }
}

extension Unicode.Scalar {
  /// Whether a screen shows nothing for it; a space doesn't count.
  var isInvisible: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: true
    case .spaceSeparator: self != " "
    default: properties.isDefaultIgnorableCodePoint
    }
  }

  /// Whether it changes the direction in which the rest of a line is read (Unicode Standard Annex 9, table 4).
  var turnsLines: Bool {
    switch value {
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// `\u{200B}`.
  var escape: String { "\\u{\(hex)}" }

  /// `U+200B ZERO WIDTH SPACE`.
  var nameText: String {
    properties.name.map { "\(code) \($0)" } ?? properties.nameAlias.map { "\(code) \($0)" } ?? code
  }

  /// `U+200B`.
  var code: String { "U+\(String(repeating: "0", count: max(0, 4 - hex.count)))\(hex)" }

  private var hex: String { String(value, radix: 16, uppercase: true) }
}
