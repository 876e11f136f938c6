/// The placeholder for a backend's origin in its recorded answers: `{base}`, which a replay replaces with its own URL.
///
/// An app that follows `{base}/orders/7` therefore asks the replay for it, and not the recorded backend.
package enum RecordedBase {
  package static let placeholder = "{base}"
  /// Stands for the text `{base}` itself, where a backend has sent it.
  private static let literal = "{{base}}"

  /// Whether a body of a media type is text, in which URLs are looked for.
  package static func isText(_ type: String?) -> Bool {
    guard let type = type?.split(separator: ";").first?.lowercased() else { return false }
    return type.hasPrefix("text/") || ["json", "xml", "javascript", "ecmascript"].contains { type.hasSuffix($0) }
  }

  /// A recorded text with a URL in place of `{base}`.
  package static func filled(_ text: String, with base: @autoclosure () -> String) -> String {
    guard text.contains(placeholder) else { return text }
    return text.replacing(literal, with: "\u{0}").replacing(placeholder, with: base()).replacing(
      "\u{0}", with: placeholder)
  }

  /// The same for the bytes of a body.
  package static func filled(_ bytes: [UInt8], with base: @autoclosure () -> String) -> [UInt8] {
    let wanted = Array(placeholder.utf8)
    var (result, position): ([UInt8], Int) = ([], 0)
    while let start = bytes.place(of: wanted, from: position) {
      let isEscaped =
        start > 0 && bytes[start - 1] == wanted[0] && start + wanted.count < bytes.count
        && bytes[start + wanted.count] == wanted[wanted.count - 1]
      result += bytes[position..<(isEscaped ? start - 1 : start)]
      result += isEscaped ? wanted : Array(base().utf8)
      position = start + wanted.count + (isEscaped ? 1 : 0)
    }
    return position == 0 ? bytes : result + bytes[position...]
  }

  /// A backend's text with its own `{base}` escaped.
  package static func escaped(_ text: String) -> String {
    text.replacing(placeholder, with: literal)
  }

  /// A text of a backend with `{base}` in place of its origins.
  package static func extracted(_ text: String, origins: [String]) -> String {
    var text = escaped(text)
    // The longest first: one may be the beginning of another. JSON may escape slashes.
    for origin in origins.sorted(by: { $0.utf8.count > $1.utf8.count }) {
      for spelling in [origin, origin.replacing("/", with: "\\/")] {
        text = replace(spelling, in: text)
      }
    }
    return text
  }

  /// Replaces an origin where it ends: `https://shop.example` isn't a part of `https://shop.example.org`.
  private static func replace(_ origin: String, in text: String) -> String {
    guard text.contains(origin) else { return text }
    var (result, rest) = ("", text[...])
    while let range = rest.range(of: origin) {
      let next = rest[range.upperBound...].utf8.first
      let isLongerOrigin = next.map {
        $0 == 0x2D || $0 == 0x2E || $0 == 0x3A || (0x30...0x39).contains($0) || isLetter($0)
      }
      result += rest[..<range.lowerBound] + (isLongerOrigin ?? false ? origin : placeholder)
      rest = rest[range.upperBound...]
    }
    return result + rest
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
}

extension [UInt8] {
  /// The place of some bytes, from a place on.
  fileprivate func place(of part: [UInt8], from start: Int) -> Int? {
    guard let first = part.first else { return nil }
    var index = start
    while index + part.count <= count {
      guard let found = self[index...].firstIndex(of: first), found + part.count <= count else { return nil }
      if self[found..<found + part.count].elementsEqual(part) { return found }
      index = found + 1
    }
    return nil
  }
}
