import Foundation

/// A text in UTF-16 that begins with a byte order mark.
struct UTF16Text {
  /// The text in UTF-8.
  let bytes: [UInt8]
  private let isBigEndian: Bool

  /// `nil` if the bytes are anything else.
  init?(_ bytes: [UInt8]) {
    guard bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]), bytes.count % 2 == 0 else { return nil }
    isBigEndian = bytes[0] == 0xFE
    let data = Data(bytes[2...])
    guard let text = String(data: data, encoding: isBigEndian ? .utf16BigEndian : .utf16LittleEndian) else {
      return nil
    }
    self.bytes = Array(text.utf8)
    guard encoded(self.bytes) == bytes else { return nil }
  }

  func encoded(_ text: [UInt8]) -> [UInt8] {
    let units = Array(String(decoding: text, as: UTF8.self).utf16)
    return (isBigEndian ? [0xFE, 0xFF] : [0xFF, 0xFE])
      + units.flatMap { unit in
        let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
        return isBigEndian ? [high, low] : [low, high]
      }
  }
}
