import Foundation

/// Dates as they stand on the wire: UTC with milliseconds, `2026-11-21T10:00:00.000Z` (RFC 3339 5.6).
enum WireDate {
  private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
  private static let wholeSeconds = Date.ISO8601FormatStyle()

  static func string(from date: Date) -> String {
    // The format style truncates: a date that is a whole number of milliseconds may lie just below it as a double, and would lose one.
    let milliseconds = (date.timeIntervalSince1970 * 1_000).rounded()
    return Date(timeIntervalSince1970: milliseconds / 1_000 + 0.000_1).formatted(style)
  }

  /// The date of a text that this format or the same without milliseconds reads, else `nil`.
  static func date(from text: String) -> Date? {
    guard let date = (try? style.parse(text)) ?? (try? wholeSeconds.parse(text)) else { return nil }
    let milliseconds = (date.timeIntervalSince1970 * 1_000).rounded()
    return Date(timeIntervalSince1970: milliseconds / 1_000)
  }
}
