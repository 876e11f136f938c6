import Foundation
import TrackingModel

/// Explains an inconspicuous difference between two texts.
enum TextNote {
  /// `nil` if the difference is easy to see.
  static func of(_ found: String, expected: String) -> String? {
    if found.isSameText(as: expected) { return nil }
    // The steps below compare and normalize Swift strings.
    guard found.isStreamSafe(upTo: 100), expected.isStreamSafe(upTo: 100) else { return nil }
    if found == expected { return note(onNormalization: found, expected: expected) }
    if found.lowercased() == expected.lowercased() { return "differs in letter case only" }
    return note(onWhiteSpaceAround: found, expected: expected) ?? note(onLookalike: found, expected: expected)
  }

  private static func note(onNormalization found: String, expected: String) -> String {
    let note = "differs in Unicode normalization only"
    let pairs = zip(found, expected).enumerated()
    guard let (index, (character, other)) = pairs.first(where: { !String($1.0).isSameText(as: String($1.1)) }) else {
      return note
    }
    return "\(note): character \(index + 1) is \(codes(of: character)), expected \(codes(of: other))"
  }

  /// `U+0065 U+0301`.
  private static func codes(of character: Character) -> String {
    character.unicodeScalars.map(\.code).joined(separator: " ")
  }

  // MARK: White space at the ends

  private static func note(onWhiteSpaceAround found: String, expected: String) -> String? {
    let (foundStart, foundText, foundEnd) = parts(of: found)
    let (expectedStart, expectedText, expectedEnd) = parts(of: expected)
    guard foundText == expectedText else { return nil }
    let notes = [
      note(onSpace: foundStart, expected: expectedStart, at: "beginning"),
      note(onSpace: foundEnd, expected: expectedEnd, at: "end"),
    ]
    return notes.compactMap(\.self).joined(separator: ", ")
  }

  private static func parts(of text: String) -> (start: Substring, text: Substring, end: Substring) {
    let start = text.prefix(while: \.isWhitespace)
    let rest = text.dropFirst(start.count)
    guard let last = rest.lastIndex(where: { !$0.isWhitespace }) else { return (start, rest, "") }
    return (start, rest[...last], rest[rest.index(after: last)...])
  }

  private static func note(onSpace found: Substring, expected: Substring, at place: String) -> String? {
    if found == expected { return nil }
    if found.isEmpty { return "\(words(for: expected)) missing at the \(place)" }
    return "\(words(for: found)) at the \(place)" + (expected.isEmpty ? "" : ", expected \(words(for: expected))")
  }

  /// `a space`, `2 spaces`, `U+00A0 NO-BREAK SPACE`.
  private static func words(for space: Substring) -> String {
    guard let first = space.first, space.allSatisfy({ $0 == first }) else { return "white space" }
    let typed: String? =
      switch first {
      case " ": "space"
      case "\t": "tab"
      case "\n", "\r\n": "line break"
      default: nil
      }
    if let typed { return space.count == 1 ? "a \(typed)" : "\(space.count) \(typed)s" }
    return space.count == 1 ? name(of: first) : "\(space.count) times \(name(of: first))"
  }

  // MARK: Similar characters

  private static func note(onLookalike found: String, expected: String) -> String? {
    guard Lookalikes.skeleton(of: found) == Lookalikes.skeleton(of: expected) else { return nil }
    let foundScalars = Array(found.precomposedStringWithCanonicalMapping.unicodeScalars)
    let expectedScalars = Array(expected.precomposedStringWithCanonicalMapping.unicodeScalars)
    let place = zip(foundScalars, expectedScalars).prefix { $0 == $1 }.count
    let beginning = String(String.UnicodeScalarView(foundScalars[..<place])).count
    let foundScalar = place < foundScalars.count ? foundScalars[place] : nil
    let expectedScalar = place < expectedScalars.count ? expectedScalars[place] : nil
    switch (foundScalar, expectedScalar) {
    case (let found?, let expected) where found.isIgnorable && expected?.isIgnorable != true:
      return "\(found.nameText) after character \(beginning)"
    case (let found, let expected?) where expected.isIgnorable && found?.isIgnorable != true:
      return "\(expected.nameText) missing after character \(beginning)"
    case (let found?, let expected?):
      return "character \(beginning + 1) is \(found.nameText), expected \(expected.nameText)"
    case (_, nil), (nil, _):
      return nil
    }
  }

  private static func name(of character: Character) -> String {
    character.unicodeScalars.map(\.nameText).joined(separator: " and ")
  }
}

/// Maps texts that look alike to the same skeleton.
///
/// Doesn't follow Unicode's table of confusables (UTS 39), but covers what happens to names and params: letters of another keyboard layout,
/// typographic marks from an editor or a translation tool, full-width and ligature forms, and invisible characters.
enum Lookalikes {
  static func skeleton(of text: String) -> String {
    var skeleton = String.UnicodeScalarView()
    // NFKC unifies compatible forms: wide and narrow ones, ligatures, most spaces.
    for scalar in text.precomposedStringWithCompatibilityMapping.unicodeScalars where !scalar.isIgnorable {
      skeleton.append(scalar.isASCII ? scalar : table[scalar] ?? scalar.plainMark)
    }
    return String(skeleton)
  }

  /// Letters of other alphabets, and the Latin letters that they resemble.
  private static let table: [Unicode.Scalar: Unicode.Scalar] = {
    let pairs = [
      ("АВЕЅІЈКМНОРСТХУЗаеѕіјорсухһԁԛԝ", "ABESIJKMHOPCTXY3aesijopcyxhdqw"),
      ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧανορυι", "ABEZHIKMNOPTYXavopui"),
      ("ı‚", "i,"),
    ]
    return Dictionary(
      pairs.flatMap { zip($0.0.unicodeScalars, $0.1.unicodeScalars) }.map { ($0, $1) }, uniquingKeysWith: { $1 })
  }()
}

extension Unicode.Scalar {
  var isIgnorable: Bool {
    properties.isDefaultIgnorableCodePoint || properties.generalCategory == .format
  }

  /// The equivalent dash, quotation mark or space of a keyboard.
  fileprivate var plainMark: Unicode.Scalar {
    switch properties.generalCategory {
    case .dashPunctuation: "-"
    case .spaceSeparator: " "
    default:
      switch self {
      case "\u{2018}", "\u{2019}", "\u{02BC}", "\u{2032}": "'"
      case "\u{201C}", "\u{201D}", "\u{201E}", "\u{2033}": "\""
      case "\u{2212}": "-"
      default: self
      }
    }
  }
}
