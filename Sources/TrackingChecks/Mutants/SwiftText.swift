import TrackingModel
import TrackingPlan

/// Values as a test writes them, in the same way as "Copy as Swift" in the inspector.
enum SwiftText {
  /// A string literal; characters that a reader couldn't see are escaped.
  static func literal(_ text: String) -> String {
    var literal = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": literal += "\\\(scalar)"
      case "\n": literal += "\\n"
      case "\r": literal += "\\r"
      case "\t": literal += "\\t"
      default:
        let isVisible =
          scalar == " "
          || !(scalar.properties.isWhitespace || scalar.properties.isDefaultIgnorableCodePoint
            || scalar.properties.generalCategory == .control)
        literal += isVisible ? String(scalar) : "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      }
    }
    return literal + "\""
  }

  /// A matcher; `nil` for a value that holds an identifier or a date, which differ from run to run.
  static func matcher(_ value: TrackingValue) -> String? {
    switch value.canonicalScalar {
    case .null: return "nil"
    case .bool(let value): return "\(value)"
    case .int(let value): return "\(value)"
    case .unsigned(let value): return ".equal(to: \(value) as UInt64)"
    case .double(let value): return "\(value)"
    case .string(let text): return volatileForm(of: value) == nil ? literal(text) : nil
    case .array(let elements):
      let parts = elements.compactMap { matcher($0) }
      return parts.count == elements.count ? "[\(parts.joined(separator: ", "))]" : nil
    case .object(let members):
      let parts = members.sorted { $0.key.precedes($1.key) }.compactMap { name, value in
        matcher(value).map { "\(literal(name)): \($0)" }
      }
      guard parts.count == members.count else { return nil }
      return parts.isEmpty ? "[:]" : "[\(parts.joined(separator: ", "))]"
    }
  }

  /// A method of HTTP.
  static func method(_ method: String) -> String {
    ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"].contains(method)
      ? ".\(method.lowercased())" : literal(method)
  }

  /// `UUID` or `date`, for a value that is likely to be another one in each run; else `nil`.
  static func volatileForm(of value: TrackingValue) -> String? {
    guard case .string(let text) = value else { return nil }
    if TextFormat.accepts(text, "uuid") { return "UUID" }
    return TextFormat.accepts(text, "date-time") ? "date" : nil
  }
}
