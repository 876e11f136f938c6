import Foundation

/// What the eye might miss in a text that is not the one that was expected.
enum TextNote {
  /// A note in words; `nil` when the difference speaks for itself.
  static func of(_ found: String, expected: String) -> String? {
    if found == expected { return nil }
    if found.lowercased() == expected.lowercased() { return "differs in letter case only" }
    return note(onWhiteSpaceAround: found, expected: expected) ?? note(onLookalike: found, expected: expected)
  }

  // MARK: White space around

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

  // MARK: Characters that look alike

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
