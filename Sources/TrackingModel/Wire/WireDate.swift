import Foundation

/// Dates on the wire: UTC with milliseconds, `2026-11-21T10:00:00.000Z` (RFC 3339 5.6).
///
/// Not with Foundation's format style, which truncates (most dates of whole milliseconds would lose one), writes an infinite date as a finite one,
/// and accepts February 30 and any text after the `Z`.
package enum WireDate {
  /// ECMA-262 21.4.1.1: the largest distance from 1970 that JavaScript dates can represent, in milliseconds.
  private static let limit = 8.64e15
  private static let millisecondsOfDay = 86_400_000

  /// Rounds to the nearest millisecond.
  ///
  /// A year of more than four digits is written with a sign and six digits (ISO 8601); a date after the year 275760 has no text.
  package static func string(from date: Date) -> String? {
    let milliseconds = (date.timeIntervalSince1970 * 1_000).rounded()
    guard abs(milliseconds) <= limit else { return nil }
    let (days, rest) = floored(Int(milliseconds), by: millisecondsOfDay)
    let (year, month, day) = civil(ofDay: days)
    let yearText =
      0...9_999 ~= year ? padded(year, to: 4) : (year < 0 ? "-" : "+") + padded(abs(year), to: 6)
    let time = [rest / 3_600_000, rest / 60_000 % 60, rest / 1_000 % 60].map { padded($0, to: 2) }
    return "\(yearText)-\(padded(month, to: 2))-\(padded(day, to: 2))"
      + "T\(time.joined(separator: ":")).\(padded(rest % 1_000, to: 3))Z"
  }

  /// Reads any form of RFC 3339, rounded to the nearest millisecond; `nil` for any other text.
  package static func date(from text: String) -> Date? {
    guard let instant = instant(from: text) else { return nil }
    // Both are exact, so their quotient is the nearest double; more digits don't change the nearest millisecond.
    let (digits, scale) = instant.fraction.prefix(15).reduce((0, 1)) {
      ($0.0 * 10 + Int($1 - UInt8(ascii: "0")), $0.1 * 10)
    }
    let fraction = Double(digits) / Double(scale)
    return Date(timeIntervalSince1970: (Double(instant.seconds * 1_000) + (fraction * 1_000).rounded()) / 1_000)
  }

  /// A point in time, to any fraction of a second.
  package struct Instant: Comparable, Sendable {
    let seconds: Int
    /// The decimal digits, without trailing zeros.
    let fraction: [UInt8]

    package static func < (left: Instant, right: Instant) -> Bool {
      left.seconds == right.seconds
        ? left.fraction.lexicographicallyPrecedes(right.fraction) : left.seconds < right.seconds
    }
  }

  /// Reads any form of RFC 3339, also with a signed six-digit year; `nil` for any other text.
  package static func instant(from text: String) -> Instant? {
    var text = text
    return text.withUTF8 { instant(from: $0) }
  }

  private static func instant(from text: UnsafeBufferPointer<UInt8>) -> Instant? {
    var reader = Reader(rest: text[...])
    guard let year = reader.year(), reader.take("-"), let month = reader.number(digits: 2), reader.take("-"),
      let day = reader.number(digits: 2), reader.take("T", "t"),
      let hour = reader.number(digits: 2), reader.take(":"), let minute = reader.number(digits: 2), reader.take(":"),
      let second = reader.number(digits: 2), let fraction = reader.fraction(), let offset = reader.offset(),
      reader.rest.isEmpty, 1...12 ~= month, hour < 24, minute < 60, second <= 60
    else { return nil }
    let days = dayNumber(year: year, month: month, day: day)
    guard civil(ofDay: days) == (year, month, day) else { return nil }
    return Instant(seconds: days * 86_400 + (hour * 60 + minute - offset) * 60 + second, fraction: fraction)
  }

  // Both functions count years from March, so that the leap day is the last of a year, and eras of 400 years, after which the calendar repeats.

  private static func dayNumber(year: Int, month: Int, day: Int) -> Int {
    let (era, yearOfEra) = floored(month > 2 ? year : year - 1, by: 400)
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func civil(ofDay number: Int) -> (year: Int, month: Int, day: Int) {
    let (era, dayOfEra) = floored(number + 719_468, by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
  }

  private static func floored(_ value: Int, by divisor: Int) -> (quotient: Int, remainder: Int) {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }

  private static func padded(_ number: Int, to digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}

private struct Reader {
  var rest: Slice<UnsafeBufferPointer<UInt8>>

  mutating func take(_ character: Unicode.Scalar, _ other: Unicode.Scalar? = nil) -> Bool {
    guard let byte = rest.first, Unicode.Scalar(byte) == character || Unicode.Scalar(byte) == other else {
      return false
    }
    rest.removeFirst()
    return true
  }

  mutating func number(digits: Int) -> Int? {
    let text = rest.prefix(digits)
    guard text.count == digits, text.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return nil }
    rest.removeFirst(digits)
    return text.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }

  mutating func year() -> Int? {
    if take("+") { return number(digits: 6) }
    if take("-") { return number(digits: 6).map { -$0 } }
    return number(digits: 4)
  }

  /// Without trailing zeros.
  mutating func fraction() -> [UInt8]? {
    guard take(".") else { return [] }
    let digits = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    rest.removeFirst(digits.count)
    guard let last = digits.lastIndex(where: { $0 != UInt8(ascii: "0") }) else { return digits.isEmpty ? nil : [] }
    return Array(digits[...last])
  }

  /// In minutes ahead of UTC.
  mutating func offset() -> Int? {
    if take("Z", "z") { return 0 }
    let sign = take("-") ? -1 : take("+") ? 1 : 0
    guard sign != 0, let hour = number(digits: 2), take(":"), let minute = number(digits: 2), hour < 24, minute < 60
    else { return nil }
    return sign * (hour * 60 + minute)
  }
}
