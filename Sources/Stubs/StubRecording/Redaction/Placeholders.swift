import Foundation
import StubModel
import TrackingJSON
import TrackingSecrets

/// The placeholders of secrets, without their numbers: two recordings of the same flow may number them differently.
enum Placeholders {
  /// `[redacted token 2]` as it is, as it is written in a URL, and in URLs in URLs.
  private static let forms = (0...3).map { depth in
    func form(_ text: String) -> [UInt8] { PercentEncoding.encoded(Array(text.utf8), times: depth) }
    return (opening: form("[redacted "), space: form(" "), end: form("]"))
  }

  /// In each form, however often it is encoded.
  private static let word = Array("redacted".utf8)

  /// A text with `[redacted token]` in place of `[redacted token 2]`.
  static func unnumbered(_ text: [UInt8]) -> [UInt8] {
    guard text.firstRange(of: Self.word) != nil else { return text }
    return forms.reduce(text) { text, form in
      var edits: [(range: Range<Int>, bytes: [UInt8])] = []
      var rest = text[...]
      while let start = rest.firstRange(of: form.opening) {
        rest = rest[start.upperBound...]
        // The longest kind and number are shorter.
        guard let end = rest.prefix(40).firstRange(of: form.end),
          let space = text[start.upperBound..<end.lowerBound].firstRange(of: form.space)
        else { continue }
        edits.append((space.lowerBound..<end.lowerBound, []))
        rest = rest[end.upperBound...]
      }
      return text.replacing(edits)
    }
  }

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
    let tree = try? JSONTree(body, spelling: .written, maximumDepth: BackendRecording.deepestBody)
    return Data(unnumbered(tree.map { Array($0.text(.compact).utf8) } ?? [UInt8](body)))
  }
}
