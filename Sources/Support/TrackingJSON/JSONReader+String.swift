import Foundation
import TrackingModel

extension JSONReader {
  /// The next byte must be the opening quotation mark.
  package mutating func string() throws(JSONError) -> String {
    offset += 1
    var start = offset
    // The text before `start`, if it has escapes.
    var resolved: [UInt8] = []
    while offset < count {
      skipPlainText()
      guard offset < count else { break }
      switch bytes[offset] {
      case UInt8(ascii: "\""):
        defer { offset += 1 }
        guard !resolved.isEmpty else { return text(from: start) }
        resolved += UnsafeBufferPointer(start: bytes + start, count: offset - start)
        return String(decoding: resolved, as: UTF8.self)
      case UInt8(ascii: "\\"):
        resolved += UnsafeBufferPointer(start: bytes + start, count: offset - start)
        try escape(into: &resolved)
        start = offset
      case 0x80...0xFF:
        try skipScalar()
      default:
        // RFC 8259 7: control characters must be escaped.
        throw failure("a control character in a string must be escaped, found \(found())")
      }
    }
    throw failure("the string has no closing quotation mark")
  }

  /// Returns a plain ASCII string's bytes, valid as long as the text; the next byte must be the opening quotation mark.
  ///
  /// Reads nothing and returns `nil` if the string has an escape, a byte beyond ASCII, or an error.
  package mutating func plainString() -> UnsafeBufferPointer<UInt8>? {
    let start = offset
    offset += 1
    skipPlainText()
    guard offset < count, bytes[offset] == UInt8(ascii: "\"") else {
      offset = start
      return nil
    }
    offset += 1
    return UnsafeBufferPointer(start: bytes + start + 1, count: offset - start - 2)
  }

  /// The bytes from an offset to here, valid as long as the text.
  package func written(from start: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: bytes + start, count: offset - start)
  }

  /// Skips bytes if they are next: a value that has been read before.
  package mutating func skip(_ value: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = value.baseAddress, value.count <= count - offset, memcmp(bytes + offset, first, value.count) == 0
    else { return false }
    offset += value.count
    return true
  }

  func text(from start: Int) -> String {
    String(unsafeUninitializedCapacity: offset - start) { storage in
      _ = storage.update(fromContentsOf: UnsafeBufferPointer(start: bytes + start, count: offset - start))
      return offset - start
    }
  }

  private mutating func skipPlainText() {
    var index = offset
    while index < count, case let byte = bytes[index], byte &- 0x20 < 0x60,
      byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\")
    {
      index &+= 1
    }
    offset = index
  }

  private mutating func escape(into text: inout [UInt8]) throws(JSONError) {
    guard offset + 1 < count else { throw failure("the string has no closing quotation mark") }
    let plain: UInt8
    switch bytes[offset + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): plain = bytes[offset + 1]
    case UInt8(ascii: "b"): plain = 0x08
    case UInt8(ascii: "f"): plain = 0x0C
    case UInt8(ascii: "n"): plain = UInt8(ascii: "\n")
    case UInt8(ascii: "r"): plain = UInt8(ascii: "\r")
    case UInt8(ascii: "t"): plain = UInt8(ascii: "\t")
    case UInt8(ascii: "u"):
      UTF8.encode(try unicodeEscape()).map { text.append(contentsOf: $0) }
      return
    default: throw failure("unknown escape sequence")
    }
    text.append(plain)
    offset += 2
  }

  /// Reads `\uXXXX`, or a surrogate pair of two.
  private mutating func unicodeEscape() throws(JSONError) -> Unicode.Scalar {
    let start = offset
    let high = try codeUnit()
    if let scalar = Unicode.Scalar(high) { return scalar }
    // RFC 8259 8.2: readers disagree about the meaning of a lone surrogate.
    guard UTF16.isLeadSurrogate(high), offset + 1 < count, bytes[offset] == UInt8(ascii: "\\"),
      bytes[offset + 1] == UInt8(ascii: "u")
    else { throw JSONError(reason: "a surrogate must be one of a pair", offset: start) }
    let low = try codeUnit()
    guard UTF16.isTrailSurrogate(low) else {
      throw JSONError(reason: "a surrogate must be one of a pair", offset: start)
    }
    return UTF16.decode(UTF16.EncodedScalar([high, low]))
  }

  private mutating func codeUnit() throws(JSONError) -> UInt16 {
    var unit: UInt16 = 0
    for index in 2..<6 {
      guard offset + index < count, let digit = Self.hexadecimalDigit(bytes[offset + index]) else {
        throw failure("expected four hexadecimal digits after \\u")
      }
      unit = unit << 4 | UInt16(digit)
    }
    offset += 6
    return unit
  }

  private static func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// Skips one character beyond ASCII.
  ///
  /// RFC 3629 4: well-formed sequences only, so no overlong forms, no surrogates and nothing above U+10FFFF.
  private mutating func skipScalar() throws(JSONError) {
    let (length, second): (Int, ClosedRange<UInt8>)
    switch bytes[offset] {
    case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xE1...0xEC, 0xEE...0xEF: (length, second) = (3, 0x80...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    default: throw failure("invalid UTF-8")
    }
    guard offset + length <= count, second.contains(bytes[offset + 1]) else { throw failure("invalid UTF-8") }
    for index in stride(from: 2, to: length, by: 1) where bytes[offset + index] & 0xC0 != 0x80 {
      throw failure("invalid UTF-8")
    }
    offset += length
  }
}
