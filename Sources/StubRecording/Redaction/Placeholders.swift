import Foundation
import StubModel

/// The placeholders of secrets, without their numbers: two recordings of the same flow may number them differently.
enum Placeholders {
  /// `[redacted token 2]` as it is, and as it is written in a URL.
  private static let forms = [("[redacted ", " ", "]"), ("%5Bredacted%20", "%20", "%5D")].map {
    (opening: Array($0.utf8), space: Array($1.utf8), end: Array($2.utf8))
  }

  /// A text with `[redacted token]` in place of `[redacted token 2]`.
  static func unnumbered(_ text: [UInt8]) -> [UInt8] {
    forms.reduce(text) { text, form in
      var edits: [(range: Range<Int>, bytes: [UInt8])] = []
      var rest = text[...]
      while let start = rest.firstRange(of: form.opening) {
        rest = rest[start.upperBound...]
        // The longest kind and number are shorter.
        guard let end = rest.prefix(30).firstRange(of: form.end),
          let space = text[start.upperBound..<end.lowerBound].firstRange(of: form.space)
        else { continue }
        edits.append((space.lowerBound..<end.lowerBound, []))
        rest = rest[end.upperBound...]
      }
      return text.replacing(edits)
    }
  }

  /// The kind and the number of a placeholder.
  static func parts(of placeholder: some StringProtocol) -> (kind: SecretKind, number: Int)? {
    let words = placeholder.dropFirst().dropLast().split(separator: " ")
    guard words.count == 3, let kind = SecretKind(rawValue: String(words[1])), let number = Int(words[2]) else {
      return nil
    }
    return (kind, number)
  }

  static func unnumbered(_ text: String) -> String {
    text.contains("redacted") ? String(decoding: unnumbered(Array(text.utf8)), as: UTF8.self) : text
  }

  /// A body: compact if it is JSON.
  static func unnumbered(_ body: Data) -> Data {
    let compact = (try? JSONText(body).compact) ?? body
    return Data(unnumbered([UInt8](compact)))
  }
}
