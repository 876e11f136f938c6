/// Percent-encoding (RFC 3986 2.1).
package enum PercentEncoding {
  /// The decoded text; invalid encodings stay as they are, and invalid UTF-8 becomes U+FFFD.
  package static func decoded(_ text: some StringProtocol) -> String {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
    return String(decoding: bytes(of: text.utf8), as: UTF8.self)
  }

  /// Whether a text is UTF-8 after decoding, so that no byte is replaced by U+FFFD.
  static func isText(_ text: some Collection<UInt8>) -> Bool {
    String(bytes: bytes(of: text), encoding: .utf8) != nil
  }

  private static func bytes(of text: some Collection<UInt8>) -> [UInt8] {
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

  private static func hex(_ byte: UInt8) -> UInt8? {
    Character(UnicodeScalar(byte)).hexDigitValue.map(UInt8.init)
  }
}

extension String {
  /// Whether it is a token (RFC 9110 5.6.2), as methods and field names must be.
  var isToken: Bool {
    !isEmpty && utf8.allSatisfy(Self.isTokenByte)
  }

  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}
