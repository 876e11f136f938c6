/// The digest of a plan's content, independent of indentation and location; distinguishes versions of a plan, and isn't secure against forgery.
struct PlanDigest: Sendable {
  // FNV-1a.
  private var hash: UInt64 = 0xcbf2_9ce4_8422_2325

  /// Adds a file; `path` is its path in the plan's folder, or empty if the plan is that file.
  mutating func add(_ json: [UInt8], path: String) {
    for byte in path.utf8 { add(byte) }
    add(0)
    var (isInString, isEscaped) = (false, false)
    for byte in json {
      if isInString {
        add(byte)
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
      } else if byte > 0x20 {
        add(byte)
        isInString = byte == UInt8(ascii: "\"")
      }
    }
    add(0)
  }

  private mutating func add(_ byte: UInt8) {
    hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
  }

  /// Sixteen hexadecimal digits.
  var text: String {
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
