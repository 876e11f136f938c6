import Foundation

/// The digests that SDKs use for "hashed" personal data, as hexadecimal text.
///
/// Implemented here because Foundation has no digests and a library would be a dependency. They only find known texts and protect nothing.
enum Digest: String, CaseIterable {
  case md5 = "MD5"
  case sha1 = "SHA-1"
  case sha256 = "SHA-256"

  func hex(of text: String) -> String {
    let bytes =
      switch self {
      case .md5: Self.md5(Array(text.utf8))
      case .sha1: Self.sha1(Array(text.utf8))
      case .sha256: Self.sha256(Array(text.utf8))
      }
    return bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
  }

  /// RFC 1321 3.1 and FIPS 180-4 5.1.1: a one bit, zeros and the length in bits fill the last block of 64 bytes.
  private static func padded(_ message: [UInt8], bigEndianLength: Bool) -> [UInt8] {
    var bytes = message + [0x80]
    while bytes.count % 64 != 56 { bytes.append(0) }
    let length = UInt64(message.count) * 8
    withUnsafeBytes(of: bigEndianLength ? length.bigEndian : length.littleEndian) { bytes.append(contentsOf: $0) }
    return bytes
  }

  private static func rotated(_ value: UInt32, left count: UInt32) -> UInt32 {
    value << count | value >> (32 - count)
  }

  // MARK: MD5 (RFC 1321)

  /// The integer parts of 2^32 times the sine of 1 to 64.
  private static let sines: [UInt32] = (1...64).map { UInt32((abs(sin(Double($0))) * 4_294_967_296).rounded(.down)) }
  private static let md5Shifts: [[UInt32]] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]]

  private static func md5(_ message: [UInt8]) -> [UInt8] {
    var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476]
    let bytes = padded(message, bigEndianLength: false)
    for start in stride(from: 0, to: bytes.count, by: 64) {
      let words = (0..<16).map { word in
        (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[start + word * 4 + $1]) << (8 * UInt32($1)) }
      }
      var (a, b, c, d) = (state[0], state[1], state[2], state[3])
      for step in 0..<64 {
        let (mixed, word): (UInt32, Int) =
          switch step / 16 {
          case 0: (b & c | ~b & d, step)
          case 1: (d & b | ~d & c, (5 * step + 1) % 16)
          case 2: (b ^ c ^ d, (3 * step + 5) % 16)
          default: (c ^ (b | ~d), 7 * step % 16)
          }
        let sum = a &+ mixed &+ sines[step] &+ words[word]
        (a, d, c, b) = (d, c, b, b &+ rotated(sum, left: md5Shifts[step / 16][step % 4]))
      }
      for (index, value) in [a, b, c, d].enumerated() { state[index] &+= value }
    }
    return state.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) } }
  }

  // MARK: SHA-1 and SHA-256 (FIPS 180-4)

  private static func blocks(_ message: [UInt8]) -> [[UInt32]] {
    let bytes = padded(message, bigEndianLength: true)
    return stride(from: 0, to: bytes.count, by: 64).map { start in
      (0..<16).map { word in (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(bytes[start + word * 4 + $1]) } }
    }
  }

  private static func bytes(of state: [UInt32]) -> [UInt8] {
    state.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * UInt32($0))) } }
  }

  private static func sha1(_ message: [UInt8]) -> [UInt8] {
    var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
    for block in blocks(message) {
      var words = block
      for index in 16..<80 {
        words.append(rotated(words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], left: 1))
      }
      var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
      for (step, word) in words.enumerated() {
        let (mixed, constant): (UInt32, UInt32) =
          switch step / 20 {
          case 0: (b & c | ~b & d, 0x5A82_7999)
          case 1: (b ^ c ^ d, 0x6ED9_EBA1)
          case 2: (b & c | b & d | c & d, 0x8F1B_BCDC)
          default: (b ^ c ^ d, 0xCA62_C1D6)
          }
        let next = rotated(a, left: 5) &+ mixed &+ e &+ constant &+ word
        (e, d, c, b, a) = (d, c, rotated(b, left: 30), a, next)
      }
      for (index, value) in [a, b, c, d, e].enumerated() { state[index] &+= value }
    }
    return bytes(of: state)
  }

  /// The first 32 bits of the fractional parts of the roots of the first primes.
  private static func fractions(of count: Int, root: (Double) -> Double) -> [UInt32] {
    let primes = (2...).lazy.filter { number in !(2..<number).contains { $0 * $0 <= number && number % $0 == 0 } }
    return primes.prefix(count).map { prime in
      let value = root(Double(prime))
      return UInt32(((value - value.rounded(.down)) * 4_294_967_296).rounded(.down))
    }
  }

  private static let roundConstants = fractions(of: 64, root: cbrt)
  private static let initialState = fractions(of: 8, root: { $0.squareRoot() })

  private static func sha256(_ message: [UInt8]) -> [UInt8] {
    var state = initialState
    for block in blocks(message) {
      var words = block
      for index in 16..<64 {
        let (early, late) = (words[index - 15], words[index - 2])
        let small = rotated(early, left: 25) ^ rotated(early, left: 14) ^ early >> 3
        let large = rotated(late, left: 15) ^ rotated(late, left: 13) ^ late >> 10
        words.append(words[index - 16] &+ small &+ words[index - 7] &+ large)
      }
      var current = state
      for step in 0..<64 {
        let (a, e) = (current[0], current[4])
        let large = rotated(e, left: 26) ^ rotated(e, left: 21) ^ rotated(e, left: 7)
        let choice = e & current[5] ^ ~e & current[6]
        let first = current[7] &+ large &+ choice &+ roundConstants[step] &+ words[step]
        let small = rotated(a, left: 30) ^ rotated(a, left: 19) ^ rotated(a, left: 10)
        let majority = a & current[1] ^ a & current[2] ^ current[1] & current[2]
        current = [
          first &+ small &+ majority, a, current[1], current[2], current[3] &+ first, e, current[5], current[6],
        ]
      }
      for index in state.indices { state[index] &+= current[index] }
    }
    return bytes(of: state)
  }
}
