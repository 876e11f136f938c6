/// Entity tags (RFC 9110 8.8.3), which change with the content.
package enum EntityTag {
  /// Hashes the bytes (FNV-1a, eight bytes at a time) and their number.
  package static func of(_ bytes: [UInt8]) -> String {
    let hash = bytes.withUnsafeBytes { bytes in
      var hash: UInt64 = 0xcbf2_9ce4_8422_2325
      var index = 0
      while index + 8 <= bytes.count {
        hash = (hash ^ bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)) &* 0x100_0000_01b3
        // Otherwise the high bits of the words wouldn't affect the low bits of the hash.
        hash ^= hash >> 32
        index += 8
      }
      while index < bytes.count {
        hash = (hash ^ UInt64(bytes[index])) &* 0x100_0000_01b3
        index += 1
      }
      return hash
    }
    return "\"\(String(hash, radix: 16))-\(String(bytes.count, radix: 16))\""
  }
}
