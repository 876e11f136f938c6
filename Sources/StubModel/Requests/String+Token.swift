extension String {
  /// Whether it is a token (RFC 9110 5.6.2): what methods and field names are made of.
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
