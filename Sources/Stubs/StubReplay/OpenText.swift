import Foundation
import StubModel
import TrackingPatterns

/// Texts in a recording that match any value: placeholders of redacted values, `{any}` and `{base}`.
package enum OpenText {
  /// A value left open by a person, `ignoring:` or the recorder.
  package static let any = "{any}"

  /// An open part, as it is or percent-encoded, possibly several times, as in a URL within another.
  private static let part = try? NSRegularExpression(
    pattern: #"\[redacted [a-z]+ [0-9]+\]|\{(?:any|base)\}|%(?:25)*7B(?:any|base)%(?:25)*7D|"#
      + #"%(?:25)*5Bredacted(?:%(?:25)*20|\+)[a-z]+(?:%(?:25)*20|\+)[0-9]+%(?:25)*5D"#,
    options: .caseInsensitive)

  /// Whether a text has a part that a replay's request can't repeat.
  package static func isOpen(_ text: String) -> Bool { !parts(of: Array(text.utf8)).isEmpty }

  /// The open parts and their ranges: placeholders in their plain spelling, `{any}` or `{base}`.
  private static func parts(of bytes: [UInt8]) -> [(text: String, range: Range<Int>)] {
    // In Latin-1 each byte is a character, whatever the text is.
    guard bytes.contains(where: { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "%") }),
      let part, let text = String(bytes: bytes, encoding: .isoLatin1)
    else { return [] }
    return part.matches(in: text, range: NSRange(location: 0, length: bytes.count)).map { match in
      let range = match.range.location..<match.range.location + match.range.length
      var plain = String(decoding: bytes[range], as: UTF8.self)
      while plain.hasPrefix("%") { plain = PercentEncoding.decoded(plain) }
      return (plain.replacing("+", with: " "), range)
    }
  }

  /// In their plain spelling.
  package static func placeholders(in text: [UInt8]) -> Set<String> {
    // In any encoding.
    guard text.firstRange(of: Array("redacted".utf8)) != nil else { return [] }
    return Set(parts(of: text).map(\.text).filter { $0.hasPrefix("[") })
  }

  package static func opening(_ placeholders: Set<String>, in text: String) -> String {
    let bytes = Array(text.utf8)
    let found = parts(of: bytes).filter { placeholders.contains($0.text) }
    return String(decoding: bytes.replacing(found.map { ($0.range, Array(any.utf8)) }), as: UTF8.self)
  }

  /// The pieces between the open parts of some bytes; one piece if they have none.
  ///
  /// `compared` placeholders aren't open; `boundary` is open, too, unless it is empty.
  static func pieces(of bytes: [UInt8], comparing compared: Set<String> = [], boundary: [UInt8] = []) -> [Data] {
    var open = parts(of: bytes).filter { !compared.contains($0.text) }.map(\.range)
    var rest = bytes[...]
    while !boundary.isEmpty, let range = rest.firstRange(of: boundary) {
      open.append(range)
      rest = rest[range.upperBound...]
    }
    var (pieces, start) = ([Data](), 0)
    for range in open.sorted(by: { $0.lowerBound < $1.lowerBound }) where range.lowerBound >= start {
      pieces.append(Data(bytes[start..<range.lowerBound]))
      start = range.upperBound
    }
    return pieces + [Data(bytes[start...])]
  }

  /// The matcher of a text whose open parts match anything; `nil` for a text without such parts.
  static func matcher(of text: String, comparing compared: Set<String> = []) -> ValueMatcher? {
    let pieces = pieces(of: Array(text.utf8), comparing: compared)
    guard pieces.count > 1 else { return nil }
    guard pieces.contains(where: { !$0.isEmpty }) else { return .any }
    let patterns = pieces.map { NSRegularExpression.escapedPattern(for: String(decoding: $0, as: UTF8.self)) }
    return .matches(#"\A"# + patterns.joined(separator: #"[\s\S]*"#) + #"\z"#)
  }

  package static func cookies(of field: String) -> [(name: String, value: String)] {
    field.split(separator: ";").compactMap { pair in
      guard let equals = pair.firstIndex(of: "=") else { return nil }
      return (
        pair[..<equals].trimmingCharacters(in: .whitespaces),
        pair[pair.index(after: equals)...].trimmingCharacters(in: .whitespaces)
      )
    }
  }
}
