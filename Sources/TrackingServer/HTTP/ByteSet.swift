/// A set of ASCII bytes, held as two words so that asking for membership touches no memory.
struct ByteSet: Equatable {
  private let low: UInt64
  private let high: UInt64

  /// RFC 9110 5.6.2: tchar.
  static var token: ByteSet { ByteSet(low: 0x03ff_6cfa_0000_0000, high: 0x57ff_ffff_c7ff_fffe) }

  /// What a request target is read with: every visible ASCII byte but `"`, `<`, `>`, `\` and `#`.
  ///
  /// RFC 3986 also bars `[ ] { } | ^` and the backtick from paths and queries, but Foundation and browsers send them as they are, and every
  /// parser reads them alike. A backslash is a slash to some, and a fragment is never sent.
  static var target: ByteSet { ByteSet(low: 0xafff_fff2_0000_0000, high: 0x7fff_ffff_efff_ffff) }

  /// RFC 3986 3.2.2: reg-name with `%`, whose two digits are checked apart, and without the comma, which would make a list of the field.
  static var registeredName: ByteSet { ByteSet(low: 0x2bff_6ff2_0000_0000, high: 0x47ff_fffe_87ff_fffe) }

  private init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }

  /// The set of the bytes of an ASCII text.
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
