import Foundation

extension UUID {
  /// Returns a random UUID, also on a system without `/dev/urandom`, where Foundation's own is zero on Linux.
  package static func random() -> UUID {
    var generator = SystemRandomNumberGenerator()
    var id = UUID().uuid
    withUnsafeMutableBytes(of: &id) { bytes in
      for index in bytes.indices { bytes[index] = .random(in: .min ... .max, using: &generator) }
      // RFC 9562 5.4: the version, 4, and the variant.
      bytes[6] = bytes[6] & 0x0F | 0x40
      bytes[8] = bytes[8] & 0x3F | 0x80
    }
    return UUID(uuid: id)
  }
}
