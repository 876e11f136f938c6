/// Text in which nothing is invisible.
package enum VisibleText {
  /// The text with what nobody sees, and what would turn a line around, as code points: `main\u{200B}_screen`.
  package static func of(_ text: String) -> String {
    // Nearly all texts are of plain ASCII.
    if text.utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) { return text }
    return text.reduce(into: "") { visible, character in
      guard !character.isPicture else { return visible.append(character) }
      for scalar in character.unicodeScalars {
        if scalar.isInvisible { visible += scalar.escape } else { visible.unicodeScalars.append(scalar) }
      }
    }
  }
}

extension Character {
  /// Whether it is an emoji, in which invisible code points join the visible ones.
  fileprivate var isPicture: Bool {
    guard let first = unicodeScalars.first else { return false }
    return first.properties.isEmoji && !first.isASCII
  }
}

extension Unicode.Scalar {
  /// Whether it leaves no mark of its own on a screen, but for the space.
  var isInvisible: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: true
    case .spaceSeparator: self != " "
    default: properties.isDefaultIgnorableCodePoint
    }
  }

  /// `\u{200B}`.
  var escape: String { "\\u{\(hex)}" }

  /// `U+200B ZERO WIDTH SPACE`.
  var nameText: String {
    let code = "U+\(String(repeating: "0", count: max(0, 4 - hex.count)))\(hex)"
    return properties.name.map { "\(code) \($0)" } ?? properties.nameAlias.map { "\(code) \($0)" } ?? code
  }

  private var hex: String { String(value, radix: 16, uppercase: true) }
}
