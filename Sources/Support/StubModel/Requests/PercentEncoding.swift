import Foundation

/// Percent-encoding (RFC 3986 2.1).
package enum PercentEncoding {
  /// Leaves invalid encodings as they are, and replaces invalid UTF-8 with U+FFFD.
  package static func decoded(_ text: some StringProtocol) -> String {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
    return String(decoding: bytes(of: text.utf8), as: UTF8.self)
  }

  /// Whether the decoded text is UTF-8, so that no byte is replaced by U+FFFD.
  static func isText(_ text: some Collection<UInt8>) -> Bool {
    String(bytes: bytes(of: text), encoding: .utf8) != nil
  }

  /// Whether U+FFFD in a decoded text replaces bytes that aren't UTF-8, as it does where the text itself has one; an encoded one was sent.
  static func isUnread(_ text: some StringProtocol, decoded: String) -> Bool {
    decoded.hasReplacement && (!isText(text.utf8) || String(text).hasReplacement)
  }

  package static func bytes(of text: some Collection<UInt8>) -> [UInt8] {
    let bytes = Array(text)
    var decoded: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count, let high = hex(bytes[index + 1]),
        let low = hex(bytes[index + 2])
      {
        decoded.append(high << 4 | low)
        index += 3
      } else {
        decoded.append(bytes[index])
        index += 1
      }
    }
    return decoded
  }

  package static func hex(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x37
    case 0x61...0x66: byte - 0x57
    default: nil
    }
  }

  /// Encodes everything except unreserved characters (RFC 3986 2.3), `times` times.
  package static func encoded(_ bytes: [UInt8], times: Int = 1) -> [UInt8] {
    guard times > 0 else { return bytes }
    let once = bytes.flatMap { byte in
      let isPlain = byte.isLetterOrDigit || "-._~".utf8.contains(byte)
      return isPlain ? [byte] : Array(escape(byte).utf8)
    }
    return encoded(once, times: times - 1)
  }

  /// `%2F`.
  package static func escape(_ byte: UInt8) -> String {
    "%\(byte < 16 ? "0" : "")\(String(byte, radix: 16, uppercase: true))"
  }
}
