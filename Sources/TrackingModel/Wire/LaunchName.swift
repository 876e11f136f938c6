/// The name of a launch on the wire, `k3f9.1.ShopWidget`: the token of a process, the number of its double, and optionally the process's name.
///
/// The process's name is written in visible ASCII, other bytes and `%` as `%20`.
package enum LaunchName {
  /// In bytes on the wire.
  static let longestProcess = 100

  package static func text(token: String, number: Int, process: String) -> String {
    let name = escaped(process)
    return "\(token).\(number)\(name.isEmpty ? "" : ".")\(name)"
  }

  package static func token(of launch: String) -> Substring { launch.prefix { $0 != "." } }

  package static func process(of launch: String) -> String? {
    let parts = launch.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, !parts[2].isEmpty else { return nil }
    return unescaped(parts[2])
  }

  private static func escaped(_ name: String) -> String {
    var text = ""
    for character in name {
      var part = ""
      for byte in String(character).utf8 {
        if (0x21...0x7E).contains(byte), byte != UInt8(ascii: "%") {
          part.unicodeScalars.append(Unicode.Scalar(byte))
        } else {
          part += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
      }
      guard text.utf8.count + part.utf8.count <= longestProcess else { break }
      text += part
    }
    return text
  }

  /// Leaves an incomplete escape as it is.
  private static func unescaped(_ name: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Array(name.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
