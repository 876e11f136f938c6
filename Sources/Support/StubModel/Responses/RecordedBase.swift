/// The placeholder for a backend's origin in its recorded responses: `{base}`, which a replay replaces with its own URL.
///
/// An app that follows `{base}/orders/7` thus requests it from the replay, not from the recorded backend. In a URL that is part of another URL it
/// is percent-encoded, as the origin was.
package enum RecordedBase {
  package static let placeholder = "{base}"

  /// Whether a body is text to search for URLs, by its media type or, without one, by its content.
  package static func isText(_ body: some Sequence<UInt8>, type: String?) -> Bool {
    guard let type = type?.split(separator: ";").first?.lowercased() else { return !body.prefix(1_024).contains(0) }
    return type.hasPrefix("text/") || textSuffixes.contains { type.hasSuffix($0) }
  }

  private static let textSuffixes = [
    "json", "xml", "javascript", "ecmascript", "x-www-form-urlencoded", "mpegurl", "yaml",
  ]

  package static func filled(_ text: String, with base: @autoclosure () -> String) -> String {
    guard text.contains("base") else { return text }
    return String(decoding: filled(Array(text.utf8), with: base()), as: UTF8.self)
  }

  package static func filled(_ bytes: [UInt8], with base: @autoclosure () -> String) -> [UInt8] {
    replacing(placeholdersIn: bytes) {
      $0.isLiteral ? $0.one : PercentEncoding.encoded(Array(base().utf8), times: $0.depth)
    }
  }

  /// Writes texts `{base}` in a backend's body as `{{base}}`, so that `filled` restores them.
  package static func escaped(_ bytes: [UInt8]) -> [UInt8] {
    replacing(placeholdersIn: bytes) {
      $0.opening + ($0.isLiteral ? $0.opening + $0.one + $0.closing : $0.one) + $0.closing
    }
  }

  // MARK: Placeholders

  private struct Place {
    /// The number of times that it is percent-encoded.
    let depth: Int
    /// Whether it means the text `{base}` itself.
    let isLiteral: Bool

    var opening: [UInt8] { PercentEncoding.encoded([UInt8(ascii: "{")], times: depth) }
    var closing: [UInt8] { PercentEncoding.encoded([UInt8(ascii: "}")], times: depth) }
    var one: [UInt8] { opening + RecordedBase.word + closing }
  }

  private static let word = Array("base".utf8)

  private static func replacing(placeholdersIn bytes: [UInt8], with replacement: (Place) -> [UInt8]) -> [UInt8] {
    let found = bytes.withUnsafeBufferPointer { text in places(in: text) }
    return bytes.replacing(found.map { ($1, replacement($0)) })
  }

  private static func places(in text: UnsafeBufferPointer<UInt8>) -> [(Place, Range<Int>)] {
    var places: [(Place, Range<Int>)] = []
    var index = 0
    while index + word.count < text.count {
      guard text[index] == word[0], text[index + 1] == word[1], text.has(word, at: index) else {
        index += 1
        continue
      }
      for depth in 0...2 {
        let bare = Place(depth: depth, isLiteral: false)
        let (opening, closing) = (bare.opening, bare.closing)
        var range = index - opening.count..<index + word.count + closing.count
        guard text.has(opening, at: range.lowerBound), text.has(closing, at: index + word.count) else { continue }
        let isLiteral =
          text.has(opening, at: range.lowerBound - opening.count) && text.has(closing, at: range.upperBound)
        if isLiteral { range = range.lowerBound - opening.count..<range.upperBound + closing.count }
        places.append((Place(depth: depth, isLiteral: isLiteral), range))
        break
      }
      index += word.count
    }
    return places
  }
}

extension UnsafeBufferPointer<UInt8> {
  fileprivate func has(_ expected: [UInt8], at index: Int) -> Bool {
    guard index >= 0, index + expected.count <= count else { return false }
    for offset in 0..<expected.count where self[index + offset] != expected[offset] { return false }
    return true
  }
}
