/// The syntax of an IPv6 address inside the brackets of an authority.
///
/// A zone (RFC 6874) and a future version of IP literals are not taken: no client on a loopback interface has a use for them.
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
