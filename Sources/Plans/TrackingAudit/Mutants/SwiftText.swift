import TrackingModel
import TrackingPlan

/// Values in Swift code, as "Copy as Swift" in the inspector writes them.
enum SwiftText {
  /// A matcher; `nil` for a value that contains an identifier or a time, which differ from run to run.
  static func matcher(_ value: TrackingValue) -> String? {
    if volatileKind(of: value) != nil { return nil }
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
  static func volatileKind(of value: TrackingValue) -> String? {
    switch VolatileForm.first(of: [.uuid, .dateTimePrefix, .recentTimestamp, .token], in: value) {
    case .uuid?: "UUID"
    case .dateTimePrefix?: "date"
    case .recentTimestamp?: "time"
    case .some: "token"
    case nil: nil
    }
  }
}
