import Foundation
import TrackingPlan
import TrackingPlanKit

extension JSONTree {
  /// Reads JSON5 (https://spec.json5.org).
  ///
  /// - Throws: `PlanError` with the line of what isn't JSON5.
  static func json5(_ data: Data, file: String) throws(PlanError) -> JSONTree {
    let json = JSON5Translation.json(of: [UInt8](data))
    do throws(JSONError) {
      return try JSONTree(json)
    } catch {
      let line = 1 + json.prefix(error.offset).count { $0 == UInt8(ascii: "\n") }
      throw PlanError(inForeign: file, line: line, "isn't JSON5: \(error.reason)")
    }
  }
}

/// Translates JSON5 to JSON token by token, and each line to a line, so that the strict reader's errors have the right lines.
///
/// Copies unknown tokens unchanged, so that the strict reader refuses them.
private struct JSON5Translation {
  private let text: [UInt8]
  private var index = 0
  private var json: [UInt8] = []
  /// The open brackets.
  private var open: [UInt8] = []
  /// The first byte of the last token; 0 at the start.
  private var last: UInt8 = 0
  /// Whether a comma is held back until the next token is known, because JSON allows none after the last element.
  private var hasComma = false

  static func json(of text: [UInt8]) -> [UInt8] {
    var translation = JSON5Translation(text: text)
    while translation.index < text.count { translation.translateToken() }
    return translation.json + (translation.hasComma ? [UInt8(ascii: ",")] : [])
  }

  private init(text: [UInt8]) {
    self.text = text
    json.reserveCapacity(text.count)
  }

  private func byte(_ offset: Int = 0) -> UInt8 { index + offset < text.count ? text[index + offset] : 0 }

  private mutating func copy(_ count: Int = 1) {
    json += text[index..<min(index + count, text.count)]
    index = min(index + count, text.count)
  }

  private mutating func translateToken() {
    let first = byte()
    if let length = lengthOfSpace { return skip(length) }
    if first == UInt8(ascii: "/"), byte(1) == UInt8(ascii: "/") {
      return skip(text[index...].firstIndex { $0 == 0x0A || $0 == 0x0D }.map { $0 - index } ?? text.count - index)
    }
    if first == UInt8(ascii: "/"), byte(1) == UInt8(ascii: "*"),
      let end = text[(index + 2)...].firstRange(of: "*/".utf8)
    {
      return skip(end.upperBound - index)
    }
    let isKey = open.last == UInt8(ascii: "{") && (last == UInt8(ascii: "{") || last == UInt8(ascii: ","))
    if hasComma {
      if first != UInt8(ascii: "}"), first != UInt8(ascii: "]") { json.append(UInt8(ascii: ",")) }
      hasComma = false
    }
    switch first {
    // A comment without an end: copied as a whole, because a search for the end at each opening would take quadratic time.
    case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "*"): copy(text.count - index)
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      open.append(first)
      copy()
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      _ = open.popLast()
      copy()
    case UInt8(ascii: ",") where ![0, UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ",")].contains(last):
      hasComma = true
      index += 1
    case UInt8(ascii: "\""), UInt8(ascii: "'"): translateString(closedBy: first)
    case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "0")...UInt8(ascii: "9"):
      translateNumber()
    case _ where Self.isName(first):
      if isKey { json.append(UInt8(ascii: "\"")) }
      repeat { copy() } while Self.isName(byte()) && lengthOfSpace == nil
      if isKey { json.append(UInt8(ascii: "\"")) }
    default: copy()
    }
    last = first
  }

  /// Bytes of names, and their escapes, which strings of JSON have too.
  private static func isName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), UInt8(ascii: "\\"), 0x80...:
      true
    default: false
    }
  }

  // MARK: White space

  /// The length in bytes of the white-space character at the current position; `nil` if there isn't one.
  private var lengthOfSpace: Int? {
    switch (byte(), byte(1), byte(2)) {
    case (0x09...0x0D, _, _), (0x20, _, _): 1
    // No-break space, U+2000 to U+200A and the other separators, and the byte order mark.
    case (0xC2, 0xA0, _): 2
    case (0xE2, 0x80, 0x80...0x8A), (0xE2, 0x80, 0xA8...0xA9), (0xE2, 0x80, 0xAF), (0xE2, 0x81, 0x9F),
      (0xE1, 0x9A, 0x80), (0xE3, 0x80, 0x80), (0xEF, 0xBB, 0xBF):
      3
    default: nil
    }
  }

  /// Moves past white space or a comment, and keeps its lines.
  private mutating func skip(_ count: Int) {
    json.append(UInt8(ascii: " "))
    json += text[index..<(index + count)].filter { $0 == 0x0A }
    index += count
  }

  // MARK: Values

  private mutating func translateString(closedBy quote: UInt8) {
    json.append(UInt8(ascii: "\""))
    index += 1
    var lines: [UInt8] = []
    while index < text.count, byte() != quote {
      switch (byte(), byte(1)) {
      case (UInt8(ascii: "\\"), _): translateEscape(&lines)
      case (UInt8(ascii: "\""), _):
        json += [UInt8(ascii: "\\"), UInt8(ascii: "\"")]
        index += 1
      case (0x0A, _), (0x0D, _): copy()
      case (let control, _) where control < 0x20:
        replace(1, "\\u00" + (control < 0x10 ? "0" : "") + String(control, radix: 16))
      default: copy()
      }
    }
    if index < text.count {
      index += 1
      json.append(UInt8(ascii: "\""))
    }
    json += lines
  }

  /// Translates an escape; continued lines end behind the string.
  private mutating func translateEscape(_ lines: inout [UInt8]) {
    switch (byte(1), byte(2), byte(3)) {
    case (UInt8(ascii: "\""), _, _), (UInt8(ascii: "\\"), _, _), (UInt8(ascii: "/"), _, _), (UInt8(ascii: "b"), _, _),
      (UInt8(ascii: "f"), _, _), (UInt8(ascii: "n"), _, _), (UInt8(ascii: "r"), _, _), (UInt8(ascii: "t"), _, _),
      (UInt8(ascii: "u"), _, _), (UInt8(ascii: "1")...UInt8(ascii: "9"), _, _):
      copy(2)
    case (UInt8(ascii: "v"), _, _): replace(2, "\\u000b")
    case (UInt8(ascii: "0"), let next, _) where !(0x30...0x39 ~= next): replace(2, "\\u0000")
    case (UInt8(ascii: "x"), _, _): replace(2, "\\u00")
    case (0x0D, 0x0A, _):
      lines.append(0x0A)
      index += 3
    case (0x0A, _, _):
      lines.append(0x0A)
      index += 2
    case (0x0D, _, _): index += 2
    case (0xE2, 0x80, 0xA8...0xA9): index += 4
    // Any other character stands for itself.
    default:
      index += 1
      copy()
    }
  }

  private mutating func replace(_ count: Int, _ other: String) {
    json += other.utf8
    index = min(index + count, text.count)
  }

  private mutating func translateNumber() {
    // Only the beginning of a value is translated: the `+` in `1+2` must not vanish.
    guard [0, UInt8(ascii: "["), UInt8(ascii: ":"), UInt8(ascii: ",")].contains(last) else { return copy() }
    if byte() == UInt8(ascii: "+") {
      switch byte(1) {
      case 0x30...0x39, UInt8(ascii: "."), UInt8(ascii: "I"), UInt8(ascii: "N"): index += 1
      default: return copy()
      }
    }
    if byte() == UInt8(ascii: "-") { copy() }
    if byte() == UInt8(ascii: "0"), byte(1) | 0x20 == UInt8(ascii: "x") {
      let digits = String(decoding: text[(index + 2)...].prefix(while: Self.isName), as: UTF8.self)
      // Larger numbers, and fractions, are refused with the digits that they have.
      guard let value = UInt64(digits, radix: 16), byte(2 + digits.utf8.count) != UInt8(ascii: ".") else {
        return copy(2 + digits.utf8.count)
      }
      return replace(2 + digits.utf8.count, "\(value)")
    }
    func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }
    let hasWhole = isDigit(byte())
    if !hasWhole, byte() == UInt8(ascii: "."), isDigit(byte(1)) { json.append(UInt8(ascii: "0")) }
    while isDigit(byte()) { copy() }
    guard byte() == UInt8(ascii: ".") else { return copyExponent() }
    copy()
    if hasWhole, !isDigit(byte()) { json.append(UInt8(ascii: "0")) }
    while isDigit(byte()) { copy() }
    copyExponent()
  }

  private mutating func copyExponent() {
    guard byte() | 0x20 == UInt8(ascii: "e") else { return }
    copy()
    if byte() == UInt8(ascii: "+") || byte() == UInt8(ascii: "-") { copy() }
  }
}
