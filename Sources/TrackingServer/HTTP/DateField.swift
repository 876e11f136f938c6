import Foundation

/// The time of day as the Date field writes it, made anew once a second.
struct DateField {
  private var second = 0
  /// The whole field line, with its CRLF.
  private(set) var line: [UInt8] = []

  private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Brings the text up to date.
  mutating func update() {
    var now = time(nil)
    guard now != second else { return }
    second = now
    var parts = tm()
    guard gmtime_r(&now, &parts) != nil else { return }
    // RFC 9110 5.6.7: IMF-fixdate, always in English and in GMT.
    let text = """
      Date: \(Self.days[Int(parts.tm_wday) % 7]), \(Self.padded(parts.tm_mday)) \(Self.months[Int(parts.tm_mon) % 12]) \
      \(parts.tm_year + 1_900) \(Self.padded(parts.tm_hour)):\(Self.padded(parts.tm_min)):\(Self.padded(parts.tm_sec)) GMT\r\n
      """
    line = Array(text.utf8)
  }

  private static func padded(_ number: Int32) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }
}
