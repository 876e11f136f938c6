/// A coding of request bodies (RFC 9110 8.4.1) that the server decodes.
package enum ContentCoding: Equatable {
  /// RFC 1952: one or more gzip members.
  case gzip
  /// RFC 1950: DEFLATE data in zlib's format, which is what `deflate` means in HTTP.
  case deflate

  /// The coding that a Content-Encoding field names; RFC 9110 8.4.1.3: `x-gzip` is `gzip`.
  init?(_ head: borrowing RequestHead) {
    if head.field(.contentEncoding, equalsIgnoringCase: "gzip")
      || head.field(.contentEncoding, equalsIgnoringCase: "x-gzip")
    {
      self = .gzip
    } else if head.field(.contentEncoding, equalsIgnoringCase: "deflate") {
      self = .deflate
    } else {
      return nil
    }
  }

  package init?(named name: String) {
    switch name.lowercased() {
    case "gzip", "x-gzip": self = .gzip
    case "deflate": self = .deflate
    default: return nil
    }
  }

  /// Returns the decoded bytes, at most `limit`.
  package func decoded(_ bytes: UnsafeBufferPointer<UInt8>, limit: Int) throws(CodingError) -> [UInt8] {
    var inflate = Inflate(bytes, limit: max(limit, 0))
    switch self {
    case .gzip:
      repeat { try Self.gzipMember(&inflate, bytes) } while !inflate.isAtEnd
    case .deflate:
      try Self.zlibStream(&inflate)
      guard inflate.isAtEnd else { throw inflate.broken("bytes follow the end of the compressed data") }
    }
    return Array(inflate.output(from: 0))
  }

  /// RFC 1952 2.3.
  private static func gzipMember(_ inflate: inout Inflate, _ bytes: UnsafeBufferPointer<UInt8>) throws(CodingError) {
    let header = inflate.offset
    guard try inflate.byte() == 0x1f, try inflate.byte() == 0x8b else {
      throw .broken(
        header == 0 ? "a gzip body begins with the bytes 1f 8b" : "bytes that are not gzip follow the compressed data",
        offset: header)
    }
    guard try inflate.byte() == 8 else { throw inflate.broken("the gzip header names an unknown compression method") }
    let flags = try inflate.byte()
    // RFC 1952 2.3.1.2: reserved bits may announce a field that would be read as data.
    guard flags & 0xe0 == 0 else { throw inflate.broken("the gzip header has unknown flags") }
    // Time, extra flags, system.
    for _ in 0..<6 { _ = try inflate.byte() }
    if flags & 4 != 0 { for _ in 0..<(try number(&inflate, bytes: 2)) { _ = try inflate.byte() } }
    // A file name and a comment, each up to a zero byte.
    if flags & 8 != 0 { while try inflate.byte() != 0 {} }
    if flags & 16 != 0 { while try inflate.byte() != 0 {} }
    if flags & 2 != 0 {
      let checksum = crc32(UnsafeBufferPointer(rebasing: bytes[header..<inflate.offset])) & 0xffff
      guard try number(&inflate, bytes: 2) == checksum else {
        throw inflate.broken("the checksum of the gzip header is wrong")
      }
    }
    let start = inflate.count
    try inflate.stream()
    let output = inflate.output(from: start)
    guard try number(&inflate, bytes: 4) == crc32(output) else {
      throw inflate.broken("the checksum (CRC-32) is wrong")
    }
    guard try number(&inflate, bytes: 4) == UInt32(truncatingIfNeeded: inflate.count - start) else {
      throw inflate.broken("the size in the gzip trailer is wrong")
    }
  }

  /// RFC 1950 2.2.
  private static func zlibStream(_ inflate: inout Inflate) throws(CodingError) {
    let method = try inflate.byte()
    let flags = try inflate.byte()
    guard method & 15 == 8, method >> 4 <= 7, (UInt32(method) << 8 | UInt32(flags)) % 31 == 0 else {
      throw .broken("a body coded as deflate begins with a zlib header", offset: 0)
    }
    guard flags & 0x20 == 0 else { throw .broken("the data needs a preset dictionary", offset: 1) }
    try inflate.stream()
    let sum = adler32(inflate.output(from: 0))
    var found: UInt32 = 0
    for _ in 0..<4 { found = found << 8 | UInt32(try inflate.byte()) }
    guard found == sum else { throw inflate.broken("the checksum (Adler-32) is wrong") }
  }

  private static func number(_ inflate: inout Inflate, bytes: UInt32) throws(CodingError) -> UInt32 {
    var value: UInt32 = 0
    for index in 0..<bytes { value |= UInt32(try inflate.byte()) << (8 * index) }
    return value
  }

  /// RFC 1952 8, eight bytes at a time: each has a table of its effect on the checksum together with the bytes after it.
  private static func crc32(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt32 {
    let tables = crcTables
    return tables.withUnsafeBufferPointer { tables in
      var crc: UInt32 = 0xffff_ffff
      var index = 0
      while index &+ 8 <= bytes.count {
        var next: UInt32 = 0
        for place in 0..<8 {
          let byte = bytes[index &+ place] ^ (place < 4 ? UInt8(truncatingIfNeeded: crc >> UInt32(8 &* place)) : 0)
          next ^= tables[(7 &- place) &* 256 &+ Int(byte)]
        }
        crc = next
        index &+= 8
      }
      for byte in bytes[index...] { crc = tables[Int(UInt8(truncatingIfNeeded: crc) ^ byte)] ^ crc >> 8 }
      return ~crc
    }
  }

  /// Eight tables of 256, one after the other.
  private static let crcTables: [UInt32] = {
    var tables: [UInt32] = []
    for number in 0..<UInt32(256) {
      var value = number
      for _ in 0..<8 { value = value & 1 == 1 ? 0xedb8_8320 ^ value >> 1 : value >> 1 }
      tables.append(value)
    }
    for index in 256..<2_048 {
      let value = tables[index - 256]
      tables.append(tables[Int(UInt8(truncatingIfNeeded: value))] ^ value >> 8)
    }
    return tables
  }()

  /// RFC 1950 8.2.
  private static func adler32(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt32 {
    var (low, high): (UInt32, UInt32) = (1, 0)
    // The largest number of bytes for which neither sum overflows.
    for start in stride(from: 0, to: bytes.count, by: 5_552) {
      for byte in bytes[start..<min(start + 5_552, bytes.count)] {
        low &+= UInt32(byte)
        high &+= low
      }
      low %= 65_521
      high %= 65_521
    }
    return high << 16 | low
  }
}
