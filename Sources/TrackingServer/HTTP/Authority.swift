/// A host with an optional port, from the Host field or from a request target.
struct Authority: Equatable {
  /// The host as sent; an IPv6 literal keeps its brackets.
  let host: ByteRange
  let port: Int?

  init(emptyAt offset: Int) {
    host = ByteRange(start: offset, end: offset)
    port = nil
  }

  /// RFC 9110 7.2: uri-host [ ":" port ]; `nil` if malformed or without a host.
  ///
  /// User information isn't allowed (RFC 9110 4.2.4).
  init?(_ bytes: RequestBytes, _ range: ByteRange) {
    guard !range.isEmpty,
      let hostEnd = bytes[range.start] == ASCII.openingBracket
        ? Self.endOfAddress(bytes, range) : Self.endOfName(bytes, range),
      hostEnd > range.start
    else { return nil }
    host = ByteRange(start: range.start, end: hostEnd)
    if hostEnd == range.end {
      port = nil
    } else {
      guard bytes[hostEnd] == ASCII.colon else { return nil }
      let digits = ByteRange(start: hostEnd + 1, end: range.end)
      let number = digits.decimal(in: bytes)
      // RFC 3986 3.2.3: a port may be empty, which means no port.
      guard digits.isEmpty || number.map({ $0.fits && $0.value <= 65_535 }) == true else { return nil }
      port = number.map { Int($0.value) }
    }
  }

  private static func endOfAddress(_ bytes: RequestBytes, _ range: ByteRange) -> Int? {
    guard let bracket = range.firstIndex(of: ASCII.closingBracket, in: bytes),
      IPv6Address.isValid(bytes, ByteRange(start: range.start + 1, end: bracket))
    else { return nil }
    return bracket + 1
  }

  private static func endOfName(_ bytes: RequestBytes, _ range: ByteRange) -> Int? {
    var index = range.start
    while index < range.end, bytes[index] != ASCII.colon {
      guard ByteSet.registeredName.contains(bytes[index]) else { return nil }
      if bytes[index] == ASCII.percent {
        guard range.isPercentEncoding(at: index, in: bytes) else { return nil }
      }
      index += 1
    }
    return index
  }
}

/// The syntax of an IPv6 address in brackets; zones (RFC 6874) and future IP literals aren't supported: no client on a loopback interface needs them.
enum IPv6Address {
  /// RFC 3986 3.2.2: eight groups, of which one run may be written as `::` and the last two as an IPv4 address.
  static func isValid(_ bytes: RequestBytes, _ range: ByteRange) -> Bool {
    var groups = 0
    var isCompressed = false
    var index = range.start
    if index + 1 < range.end, bytes[index] == ASCII.colon, bytes[index + 1] == ASCII.colon {
      isCompressed = true
      index += 2
    }
    while index < range.end {
      let groupStart = index
      while index < range.end, ASCII.hexadecimalValue(bytes[index]) != nil { index += 1 }
      if index < range.end, bytes[index] == ASCII.period {
        guard isIPv4(bytes, ByteRange(start: groupStart, end: range.end)) else { return false }
        groups += 2
        break
      }
      guard 1...4 ~= index - groupStart else { return false }
      groups += 1
      if index == range.end { break }
      guard bytes[index] == ASCII.colon else { return false }
      index += 1
      guard index < range.end else { return false }
      if bytes[index] == ASCII.colon {
        guard !isCompressed else { return false }
        isCompressed = true
        index += 1
      }
    }
    return isCompressed ? groups <= 7 : groups == 8
  }

  /// RFC 3986 3.2.2: four numbers up to 255 without leading zeros, which some read as octal.
  private static func isIPv4(_ bytes: RequestBytes, _ range: ByteRange) -> Bool {
    var index = range.start
    for part in 0..<4 {
      if part > 0 {
        guard index < range.end, bytes[index] == ASCII.period else { return false }
        index += 1
      }
      let start = index
      var number = 0
      while index < range.end, index - start < 3, let digit = ASCII.decimalValue(bytes[index]) {
        number = number * 10 + digit
        index += 1
      }
      guard index > start, number <= 255, index - start == 1 || bytes[start] != ASCII.zero else { return false }
    }
    return index == range.end
  }
}
