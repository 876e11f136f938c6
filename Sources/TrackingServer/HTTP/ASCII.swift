/// The bytes that HTTP gives a meaning to.
enum ASCII {
  static var tab: UInt8 { 0x09 }
  static var lineFeed: UInt8 { 0x0a }
  static var carriageReturn: UInt8 { 0x0d }
  static var space: UInt8 { 0x20 }
  static var quote: UInt8 { 0x22 }
  static var percent: UInt8 { 0x25 }
  static var asterisk: UInt8 { 0x2a }
  static var comma: UInt8 { 0x2c }
  static var period: UInt8 { 0x2e }
  static var slash: UInt8 { 0x2f }
  static var zero: UInt8 { 0x30 }
  static var colon: UInt8 { 0x3a }
  static var semicolon: UInt8 { 0x3b }
  static var equals: UInt8 { 0x3d }
  static var questionMark: UInt8 { 0x3f }
  static var openingBracket: UInt8 { 0x5b }
  static var backslash: UInt8 { 0x5c }
  static var closingBracket: UInt8 { 0x5d }
  static var delete: UInt8 { 0x7f }

  /// RFC 9110 5.6.3: OWS is made of spaces and tabs.
  @inline(__always)
  static func isWhitespace(_ byte: UInt8) -> Bool {
    byte == space || byte == tab
  }

  /// RFC 9110 5.5: a field value is made of visible bytes, spaces, tabs and obs-text.
  @inline(__always)
  static func isFieldContent(_ byte: UInt8) -> Bool {
    (byte >= space && byte != delete) || byte == tab
  }

  /// What a decimal digit stands for, or `nil` for any other byte.
  @inline(__always)
  static func decimalValue(_ byte: UInt8) -> Int? {
    let value = byte &- zero
    return value < 10 ? Int(value) : nil
  }

  /// What a hexadecimal digit stands for, or `nil` for any other byte.
  @inline(__always)
  static func hexadecimalValue(_ byte: UInt8) -> UInt64? {
    let value = byte &- zero
    if value < 10 { return UInt64(value) }
    let letter = lowercased(byte) &- 0x61
    return letter < 6 ? UInt64(letter) + 10 : nil
  }

  @inline(__always)
  static func lowercased(_ byte: UInt8) -> UInt8 {
    byte &- 0x41 < 26 ? byte | 0x20 : byte
  }
}
