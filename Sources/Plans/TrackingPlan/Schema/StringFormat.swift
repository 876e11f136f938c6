/// The values of `format` that are validated; others are annotations, as the standard allows.
package enum StringFormat: String, CaseIterable {
  case dateTime = "date-time"
  case date, time, uuid, uri, email, ipv4, ipv6, hostname

  var name: String {
    switch self {
    case .dateTime: "a date and time like 2026-11-21T10:00:00Z"
    case .date: "a date like 2026-11-21"
    case .time: "a time like 10:00:00Z"
    case .uuid: "a UUID"
    case .uri: "a URI with a scheme"
    case .email: "an email address"
    case .ipv4: "an IPv4 address"
    case .ipv6: "an IPv6 address"
    case .hostname: "a host name"
    }
  }

  package func accepts(_ text: String) -> Bool {
    text.withBytes { bytes in
      guard let start = bytes.baseAddress else { return false }
      let digits = Digits(bytes: start, count: bytes.count)
      return switch self {
      case .dateTime: digits.isDateTime
      case .date: bytes.count == 10 && digits.isDate(from: 0)
      case .time: digits.isTime(from: 0)
      case .uuid: Self.isUUID(bytes)
      case .uri: Self.isURI(bytes)
      case .email: Self.isEmail(bytes[...])
      case .ipv4: Self.isIPv4(bytes[...])
      case .ipv6: Self.isIPv6(bytes[...])
      case .hostname: Self.isHostname(bytes[...])
      }
    }
  }
}

private typealias Bytes = Slice<UnsafeBufferPointer<UInt8>>

// In ASCII.
extension UInt8 {
  package var isDigit: Bool { self &- 0x30 < 10 }
  package var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }
  package var isHexDigit: Bool { isDigit || (self | 0x20) &- 0x61 < 6 }
}

// MARK: Dates (RFC 3339 5.6)

/// Reads numbers at offsets, without slices: dates are the most common format, and slices are slow in debug builds.
private struct Digits {
  let bytes: UnsafePointer<UInt8>
  let count: Int

  func number(_ start: Int, _ length: Int) -> Int {
    var value = 0
    var index = start
    while index < start &+ length {
      guard index < count, bytes[index].isDigit else { return -1 }
      value = value &* 10 &+ Int(bytes[index] &- 0x30)
      index &+= 1
    }
    return value
  }

  func has(_ byte: UInt8, at index: Int) -> Bool {
    index < count && bytes[index] == byte
  }

  var isDateTime: Bool {
    count > 11 && bytes[10] | 0x20 == 0x74 && isDate(from: 0) && isTime(from: 11)
  }

  func isDate(from start: Int) -> Bool {
    let (year, month, day) = (number(start, 4), number(start + 5, 2), number(start + 8, 2))
    guard has(0x2D, at: start + 4), has(0x2D, at: start + 7), year >= 0, month >= 1, month <= 12, day >= 1 else {
      return false
    }
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let days = month == 2 ? (isLeap ? 29 : 28) : month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31
    return day <= days
  }

  func isTime(from start: Int) -> Bool {
    let (hour, minute, second) = (number(start, 2), number(start + 3, 2), number(start + 6, 2))
    guard has(0x3A, at: start + 2), has(0x3A, at: start + 5), hour >= 0, hour < 24, minute >= 0, minute < 60,
      second >= 0,
      second <= 60
    else { return false }
    var index = start + 8
    if has(0x2E, at: index) {
      let fraction = index + 1
      index = fraction
      while index < count, bytes[index].isDigit { index &+= 1 }
      guard index > fraction else { return false }
    }
    guard let offset = offset(from: index) else { return false }
    // RFC 3339 5.7: a leap second is the last one of a day in UTC.
    return second < 60 || (hour * 60 + minute - offset + 2 * 1_440) % 1_440 == 1_439
  }

  /// The offset from UTC in minutes, which must end the text.
  private func offset(from start: Int) -> Int? {
    guard start < count else { return nil }
    let sign = bytes[start]
    if sign | 0x20 == 0x7A { return start + 1 == count ? 0 : nil }
    let (hour, minute) = (number(start + 1, 2), number(start + 4, 2))
    guard sign == 0x2B || sign == 0x2D, start + 6 == count, has(0x3A, at: start + 3), hour >= 0, hour < 24, minute >= 0,
      minute < 60
    else { return nil }
    return (hour * 60 + minute) * (sign == 0x2D ? -1 : 1)
  }
}

// MARK: Identifiers and addresses

extension StringFormat {
  private static func number(_ digits: Bytes) -> Int? {
    digits.allSatisfy { $0.isDigit } ? digits.reduce(0) { $0 * 10 + Int($1 - 0x30) } : nil
  }

  /// RFC 4122 3.
  fileprivate static func isUUID(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard text.count == 36 else { return false }
    for (index, byte) in text.enumerated() {
      guard [8, 13, 18, 23].contains(index) ? byte == UInt8(ascii: "-") : byte.isHexDigit else { return false }
    }
    return true
  }

  /// RFC 3986 3: a scheme, and no characters that must be percent-encoded.
  fileprivate static func isURI(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")), let first = text.first, first.isLetter,
      text[..<colon].allSatisfy({ $0.isLetter || $0.isDigit || [0x2B, 0x2D, 0x2E].contains($0) })
    else { return false }
    var index = colon + 1
    var fragments = 0
    while index < text.count {
      let byte = text[index]
      switch byte {
      case UInt8(ascii: "%"):
        guard index + 2 < text.count, text[index + 1].isHexDigit, text[index + 2].isHexDigit else { return false }
        index += 2
      case UInt8(ascii: "#"): fragments += 1
      case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"), UInt8(ascii: "^"),
        UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
        return false
      default: guard 0x20 < byte, byte < 0x7F else { return false }
      }
      index += 1
    }
    return fragments <= 1 && hasAuthority(text[(colon + 1)...])
  }

  /// RFC 3986 3.2: brackets occur only around an IP literal, and a port is a number.
  private static func hasAuthority(_ rest: Bytes) -> Bool {
    let isBracket: (UInt8) -> Bool = { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "]") }
    guard rest.starts(with: [0x2F, 0x2F]) else { return !rest.contains(where: isBracket) }
    let afterSlashes = rest.dropFirst(2)
    let authority = afterSlashes.prefix { ![0x2F, 0x3F, 0x23].contains($0) }
    guard !afterSlashes.dropFirst(authority.count).contains(where: isBracket) else { return false }
    var host = authority
    if let at = authority.lastIndex(of: UInt8(ascii: "@")) {
      guard !authority[..<at].contains(where: { isBracket($0) || $0 == UInt8(ascii: "@") }) else { return false }
      host = authority[(at + 1)...]
    }
    if host.first == UInt8(ascii: "[") {
      guard let close = host.firstIndex(of: UInt8(ascii: "]")) else { return false }
      let literal = host[(host.startIndex + 1)..<close]
      guard literal.first.map({ $0 | 0x20 }) == UInt8(ascii: "v") || isIPv6(literal) else { return false }
      host = host[(close + 1)...]
      guard host.isEmpty || host.first == UInt8(ascii: ":") else { return false }
    }
    let port = host.firstIndex(of: UInt8(ascii: ":")).map { host[($0 + 1)...] } ?? host.suffix(0)
    return port.allSatisfy { $0.isDigit } && !host.contains(where: isBracket)
  }

  /// RFC 5321 4.1.2, without comments.
  fileprivate static func isEmail(_ text: Bytes) -> Bool {
    guard let at = text.lastIndex(of: UInt8(ascii: "@")) else { return false }
    let (local, domain) = (text[..<at], text[(at + 1)...])
    guard !local.isEmpty, local.count <= 64, isLocalPart(local) else { return false }
    guard domain.first == UInt8(ascii: "["), domain.last == UInt8(ascii: "]") else { return isHostname(domain) }
    let literal = domain.dropFirst().dropLast()
    return literal.starts(with: Array("IPv6:".utf8)) ? isIPv6(literal.dropFirst(5)) : isIPv4(literal)
  }

  private static func isLocalPart(_ text: Bytes) -> Bool {
    if text.count > 2, text.first == UInt8(ascii: "\""), text.last == UInt8(ascii: "\"") {
      var isEscaped = false
      for byte in text.dropFirst().dropLast() {
        guard 0x20 <= byte, byte < 0x7F else { return false }
        if !isEscaped, byte == UInt8(ascii: "\"") { return false }
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
      }
      return !isEscaped
    }
    let atoms = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let marks = Array("!#$%&'*+-/=?^_`{|}~".utf8)
    return atoms.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0.isLetter || $0.isDigit || marks.contains($0) } }
  }

  /// RFC 2673 3.2: four decimal numbers without leading zeros.
  fileprivate static func isIPv4(_ text: Bytes) -> Bool {
    let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { part in
        guard (1...3).contains(part.count), part.count == 1 || part.first != UInt8(ascii: "0"),
          let value = number(part)
        else { return false }
        return value < 256
      }
  }

  /// RFC 4291 2.2.
  fileprivate static func isIPv6(_ text: Bytes) -> Bool {
    let colon = UInt8(ascii: ":")
    var groups = text.split(separator: colon, omittingEmptySubsequences: false)
    guard groups.count >= 3 else { return false }
    // `::` yields one empty group, and a second one at either end of the text.
    if groups.first!.isEmpty {
      guard groups[1].isEmpty else { return false }
      groups.removeFirst()
    }
    if groups.last!.isEmpty {
      guard groups[groups.count - 2].isEmpty else { return false }
      if groups.count > 1 { groups.removeLast() }
    }
    let gaps = groups.count { $0.isEmpty }
    guard gaps <= 1 else { return false }
    var count = groups.count - gaps
    if let last = groups.last, last.contains(UInt8(ascii: ".")) {
      guard isIPv4(last) else { return false }
      groups.removeLast()
      count += 1
    }
    guard groups.allSatisfy({ $0.count <= 4 && $0.allSatisfy { $0.isHexDigit } }) else { return false }
    return gaps == 1 ? count <= 7 : count == 8
  }

  /// RFC 1123 2.1.
  fileprivate static func isHostname(_ text: Bytes) -> Bool {
    guard !text.isEmpty, text.count <= 253 else { return false }
    let dash = UInt8(ascii: "-")
    return text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { label in
      guard (1...63).contains(label.count), label.first != dash, label.last != dash,
        label.allSatisfy({ $0.isLetter || $0.isDigit || $0 == dash })
      else { return false }
      // RFC 5891 4.2.3.1: hyphens in the third and fourth place are reserved for encodings, and `xn--` is the only one.
      let marks = label.dropFirst(2).prefix(2)
      return marks.count < 2 || !marks.allSatisfy { $0 == dash } || label.prefix(2).map { $0 | 0x20 } == [0x78, 0x6E]
    }
  }
}
