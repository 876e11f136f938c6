/// The bytes that have a meaning in HTTP.
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

  @inline(__always)
  static func decimalValue(_ byte: UInt8) -> Int? {
    let value = byte &- zero
    return value < 10 ? Int(value) : nil
  }

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

/// A set of ASCII bytes in two words; a membership test reads no memory.
struct ByteSet: Equatable {
  private let low: UInt64
  private let high: UInt64

  /// RFC 9110 5.6.2: tchar.
  static var token: ByteSet { ByteSet(low: 0x03ff_6cfa_0000_0000, high: 0x57ff_ffff_c7ff_fffe) }

  /// The bytes of a request target: every visible ASCII byte but `"`, `<`, `>`, `\` and `#`.
  ///
  /// RFC 3986 also bars `[ ] { } | ^` and the backtick, but Foundation and browsers send them, and every parser reads them alike. Some read a
  /// backslash as a slash, and a fragment is never sent.
  static var target: ByteSet { ByteSet(low: 0xafff_fff2_0000_0000, high: 0x7fff_ffff_efff_ffff) }

  /// RFC 3986 3.2.2: reg-name with `%`, whose digits are checked separately, and without the comma, which would make the field a list.
  static var registeredName: ByteSet { ByteSet(low: 0x2bff_6ff2_0000_0000, high: 0x47ff_fffe_87ff_fffe) }

  private init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }

  init(_ text: String) {
    var low: UInt64 = 0
    var high: UInt64 = 0
    for byte in text.utf8 {
      if byte < 64 {
        low |= 1 << UInt64(byte)
      } else if byte < 128 {
        high |= 1 << UInt64(byte - 64)
      }
    }
    self.init(low: low, high: high)
  }

  @inline(__always)
  func contains(_ byte: UInt8) -> Bool {
    let word = byte < 64 ? low : high
    return byte < 128 && (word &>> UInt64(byte & 63)) & 1 == 1
  }
}
