import TrackingModel
import TrackingPlan

/// Values in Swift code, as "Copy as Swift" in the inspector writes them.
enum SwiftText {
  /// A matcher; `nil` for a value that contains an identifier or a time, which differ from run to run.
  static func matcher(_ value: TrackingValue) -> String? {
    if volatileForm(of: value) != nil { return nil }
    switch value.canonicalScalar {
    case .null: return "nil"
    case .bool(let value): return "\(value)"
    case .int(let value): return "\(value)"
    case .unsigned(let value): return ".equal(to: \(value) as UInt64)"
    case .double(let value): return "\(value)"
    case .string(let text): return text.swiftLiteral
    case .array(let elements):
      let parts = elements.compactMap { matcher($0) }
      return parts.count == elements.count ? "[\(parts.joined(separator: ", "))]" : nil
    case .object(let members):
      let parts = members.sorted { $0.key.precedes($1.key) }.compactMap { name, value in
        matcher(value).map { "\(name.swiftLiteral): \($0)" }
      }
      guard parts.count == members.count else { return nil }
      return parts.isEmpty ? "[:]" : "[\(parts.joined(separator: ", "))]"
    }
  }

  static func method(_ method: String) -> String {
    ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"].contains(method)
      ? ".\(method.lowercased())" : method.swiftLiteral
  }

  /// `UUID`, `date`, `time` or `token`, for a value that probably differs in each run; follows `isVolatile` in the inspector's page.
  static func volatileForm(of value: TrackingValue) -> String? {
    switch value.canonicalScalar {
    case .int(let number): isUnixTime(Double(number)) ? "time" : nil
    case .double(let number): isUnixTime(number) ? "time" : nil
    case .string(let text): volatileForm(of: text)
    default: nil
    }
  }

  /// Whether a number is a time between 2014 and 2039, in seconds or milliseconds.
  private static func isUnixTime(_ number: Double) -> Bool {
    number > 1.4e9 && number < 2.2e9 || number > 1.4e12 && number < 2.2e12
  }

  private static func volatileForm(of text: String) -> String? {
    func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }
    func isLetter(_ byte: UInt8) -> Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 }
    if StringFormat.uuid.accepts(text) { return "UUID" }
    let start = String(decoding: text.utf8.prefix(16).map { isDigit($0) ? UInt8(ascii: "0") : $0 }, as: UTF8.self)
    if ["0000-00-00T00:00", "0000-00-00 00:00"].contains(start) { return "date" }
    let isToken =
      text.utf8.count >= 20 && text.utf8.contains(where: isDigit) && text.utf8.contains(where: isLetter)
      && text.utf8.allSatisfy { isDigit($0) || isLetter($0) || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") }
    return isToken ? "token" : nil
  }
}
