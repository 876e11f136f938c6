import TrackingModel
import TrackingPatterns
import TrackingServer

/// The first line of a failure: what was expected and what happened instead, complete on its own.
///
/// If it is longer than 120 characters, the texts interpolated as `cutting:` are shortened, longest first.
///
/// ```swift
/// "Expected no \(cutting: pattern.noun), but #\(entry.number) arrived"
/// ```
package struct Headline: ExpressibleByStringInterpolation, Sendable {
  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var parts: [Part] = []

    package init(literalCapacity: Int, interpolationCount: Int) {}

    package mutating func appendLiteral(_ literal: String) { parts.append(Part(text: literal, isCut: false)) }

    package mutating func appendInterpolation(_ text: String) { parts.append(Part(text: text, isCut: false)) }

    package mutating func appendInterpolation(_ number: Int) { appendInterpolation("\(number)") }

    package mutating func appendInterpolation(cutting text: String) {
      parts.append(Part(text: VisibleText.line(text), isCut: true))
    }

    package mutating func appendInterpolation(_ headline: Headline) { parts += headline.parts }
  }

  fileprivate struct Part {
    let text: String
    let isCut: Bool
  }

  /// The maximum number of characters.
  package static let width = 120
  /// The minimum length of a shortened text.
  private static let narrowest = 24

  private let parts: [Part]

  package init(stringLiteral text: String) { parts = [Part(text: text, isCut: false)] }

  package init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }

  /// The unshortened line.
  package var whole: String { VisibleText.line(parts.map(\.text).joined()) }

  package var isShortened: Bool { whole.count > Self.width }

  /// Whether the line contains all words of the patterns.
  func names(_ patterns: [EntryPattern]) -> Bool {
    let line = line
    return patterns.allSatisfy { pattern in
      [pattern.noun, pattern.plural, pattern.reference, "\(pattern)"].contains { line.contains(VisibleText.line($0)) }
    }
  }

  /// Whether the line contains a sentence.
  func says(_ sentence: String) -> Bool {
    let end = sentence.dropFirst().drop { $0 == "." }
    return !isShortened && whole.hasSuffix(end.hasSuffix(".") ? end.dropLast() : end)
  }

  package var line: String {
    let whole = whole
    guard whole.count > Self.width else { return whole }
    let counts = parts.filter(\.isCut).map(\.text.count)
    let room = Self.width - parts.filter { !$0.isCut }.reduce(0) { $0 + $1.text.count }
    let widths = (Self.narrowest...Self.width).reversed()
    let width = widths.first { width in counts.reduce(0) { $0 + min($1, width) } <= room } ?? Self.narrowest
    let line = parts.map { $0.isCut ? Excerpt.of($0.text, width: width) : $0.text }.joined()
    return line.count > Self.width ? "\(line.prefix(Self.width - 1))…" : line
  }
}
