import StubModel

/// The encoding of characters that a text can't have as they are: in URLs, in JSON strings, in markup.
enum TextCoding: CaseIterable, Sendable {
  /// Percent-encoding (RFC 3986 2.1).
  case percent
  /// Percent-encoding in forms, where a plus sign is a space.
  case form
  /// The escapes of strings in JSON (RFC 8259 7) and JavaScript.
  case escapes
  /// The character references of HTML and XML.
  case references

  /// Decodes what begins at an index.
  ///
  /// - Returns: The number of bytes that were decoded; `nil` if nothing is encoded there.
  func decode(_ text: UnsafeBufferPointer<UInt8>, at index: Int, into bytes: inout [UInt8]) -> Int? {
    switch (self, text[index]) {
    case (.percent, 0x25), (.form, 0x25):
      guard index + 2 < text.count, let high = PercentEncoding.hex(text[index + 1]),
        let low = PercentEncoding.hex(text[index + 2])
      else {
        return nil
      }
      bytes.append(high << 4 | low)
      return 3
    case (.form, 0x2B):
      bytes.append(0x20)
      return 1
    case (.escapes, 0x5C): return Self.escape(text, at: index, into: &bytes)
    case (.references, 0x26): return Self.reference(text, at: index, into: &bytes)
    default: return nil
    }
  }

  // MARK: Escapes

  /// Lenient: any other character after a backslash stands for itself.
  private static func escape(
    _ text: UnsafeBufferPointer<UInt8>, at index: Int, into bytes: inout [UInt8]
  ) -> Int? {
    guard index + 1 < text.count else { return nil }
    switch Character(UnicodeScalar(text[index + 1])) {
    case "n": bytes.append(10)
    case "r": bytes.append(13)
    case "t": bytes.append(9)
    case "b": bytes.append(8)
    case "f": bytes.append(12)
    case "x":
      guard let value = number(text, from: index + 2, count: 2) else { return nil }
      append(value, to: &bytes)
      return 4
    case "u":
      guard let unit = number(text, from: index + 2, count: 4) else { return nil }
      if !UTF16.isSurrogate(UInt16(unit)) {
        append(unit, to: &bytes)
        return 6
      }
      guard UTF16.isLeadSurrogate(UInt16(unit)), index + 7 < text.count, text[index + 6] == 0x5C,
        text[index + 7] == 0x75, let low = number(text, from: index + 8, count: 4),
        UTF16.isTrailSurrogate(UInt16(low))
      else { return nil }
      append(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00), to: &bytes)
      return 12
    default: bytes.append(text[index + 1])
    }
    return 2
  }

  // MARK: References

  private static func reference(
    _ text: UnsafeBufferPointer<UInt8>, at index: Int, into bytes: inout [UInt8]
  ) -> Int? {
    var end = index + 1
    while end < text.count, end - index < 10, text[end] != UInt8(ascii: ";") {
      // Most ampersands are between the items of URLs.
      if text[end] <= 32 || text[end] == UInt8(ascii: "=") { return nil }
      end += 1
    }
    guard end < text.count, text[end] == UInt8(ascii: ";") else { return nil }
    let name = String(decoding: text[index + 1..<end], as: UTF8.self)
    if let character = namedReferences[name] {
      bytes.append(character)
    } else {
      guard name.hasPrefix("#") else { return nil }
      let digits = name.dropFirst(2)
      let isHexadecimal = name.hasPrefix("#x") || name.hasPrefix("#X")
      guard let value = isHexadecimal ? UInt32(digits, radix: 16) : UInt32(name.dropFirst()) else { return nil }
      append(value, to: &bytes)
    }
    return end + 1 - index
  }

  private static let namedReferences: [String: UInt8] = [
    "amp": 0x26, "lt": 0x3C, "gt": 0x3E, "quot": 0x22, "apos": 0x27,
  ]

  private static func number(_ text: UnsafeBufferPointer<UInt8>, from start: Int, count: Int) -> UInt32? {
    guard start + count <= text.count else { return nil }
    var number: UInt32 = 0
    for index in start..<start + count {
      guard let digit = PercentEncoding.hex(text[index]) else { return nil }
      number = number << 4 | UInt32(digit)
    }
    return number
  }

  private static func append(_ value: UInt32, to bytes: inout [UInt8]) {
    bytes += Array(String(Unicode.Scalar(value) ?? "\u{FFFD}").utf8)
  }
}
