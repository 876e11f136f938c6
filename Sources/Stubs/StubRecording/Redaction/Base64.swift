import Foundation
import StubModel

/// Base64 in either alphabet (RFC 4648 4 and 5), and what a value looks like inside of it.
enum Base64 {
  /// The characters that a value becomes wherever it is in an encoded text.
  struct Core: Hashable {
    let text: [UInt8]
    /// The number of characters of its first group of four before it.
    let offset: Int
  }

  /// The cores of a value: for each of the three offsets in a group, and both alphabets.
  ///
  /// Characters that also hold bits of a neighbour are left out.
  static func cores(of value: [UInt8]) -> [Core] {
    var cores: [Core] = []
    for lead in 0..<3 {
      let encoded = Array(Data([UInt8](repeating: 0, count: lead) + value).base64EncodedString().utf8)
      // With one byte before it, the value begins in the second character, with two in the third; those are shared.
      let first = lead == 0 ? 0 : lead + 1
      let core = Array(encoded[first..<(lead + value.count) * 8 / 6])
      cores.append(Core(text: core, offset: first))
      let other = core.map(urlSafe)
      if other != core { cores.append(Core(text: other, offset: first)) }
    }
    return cores
  }

  /// The characters that are encoded with a core: from its first group of four to the end.
  struct Run {
    let range: Range<Int>
    private let text: [UInt8]

    init(around core: Range<Int>, offset: Int, in bytes: [UInt8]) {
      // The groups before are encoded apart from it, and in a path they may be something else.
      let group = core.lowerBound - offset
      let isWhole = group >= 0 && bytes[group..<core.lowerBound].allSatisfy(Base64.isCharacter)
      let start = isWhole ? group : core.lowerBound
      var alphabet = bytes[core].lazy.compactMap(Base64.alphabet).first
      var end = core.upperBound
      while end < bytes.count, Base64.isCharacter(bytes[end]) {
        if let other = Base64.alphabet(of: bytes[end]) {
          guard alphabet == nil || alphabet == other else { break }
          alphabet = other
        }
        end += 1
      }
      // One character too many can't be decoded.
      if (end - start) % 4 == 1 { end = max(end - 1, core.upperBound) }
      let padding = bytes[end...].prefix(2).prefix { $0 == UInt8(ascii: "=") }.count
      text = Array(bytes[start..<end])
      range = start..<end + min(padding, (4 - text.count % 4) % 4)
    }

    /// The run with its content replaced, encoded as before; `nil` if nothing in it was replaced.
    func replacing(_ replace: ([UInt8]) -> [UInt8]?) -> [UInt8]? {
      guard let replaced = Base64.decoded(text).flatMap(replace) else { return nil }
      var encoded = Array(Data(replaced).base64EncodedString().utf8)
      if range.count % 4 != 0 { encoded.removeAll { $0 == UInt8(ascii: "=") } }
      let isURLSafe = text.contains(UInt8(ascii: "-")) || text.contains(UInt8(ascii: "_"))
      return isURLSafe ? encoded.map(Base64.urlSafe) : encoded
    }
  }

  /// The bytes of a text with or without its padding; `nil` if it isn't base64.
  static func decoded(_ text: some Collection<UInt8>) -> [UInt8]? {
    Data(base64: text).map { [UInt8]($0) }
  }

  static func isCharacter(_ byte: UInt8) -> Bool {
    byte.isLetterOrDigit || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "-")
      || byte == UInt8(ascii: "_")
  }

  /// Whether a character is only in the alphabet for URLs; `nil` for those of both.
  private static func alphabet(of byte: UInt8) -> Bool? {
    switch byte {
    case UInt8(ascii: "-"), UInt8(ascii: "_"): true
    case UInt8(ascii: "+"), UInt8(ascii: "/"): false
    default: nil
    }
  }

  private static func urlSafe(_ byte: UInt8) -> UInt8 {
    switch byte {
    case UInt8(ascii: "+"): UInt8(ascii: "-")
    case UInt8(ascii: "/"): UInt8(ascii: "_")
    default: byte
    }
  }
}
