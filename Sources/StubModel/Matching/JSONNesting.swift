import Foundation

/// How deep JSON is nested, told before it is read.
///
/// Foundation's decoder goes 512 levels deep and calls itself for each. A stub inside the app is looked for on a thread of Dispatch, whose stack of 512 KiB
/// on Apple's platforms that overflows.
enum JSONNesting {
  static let deepest = 64

  /// Whether any value of a text lies deeper than the limit; what is no JSON may say either.
  static func isTooDeep(_ text: Data) -> Bool {
    var depth = 0
    var isInString = false
    var isEscaped = false
    for byte in text {
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isInString = true
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        depth += 1
        if depth > deepest { return true }
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      default: break
      }
    }
    return false
  }
}
