/// A value of an event's param: any JSON value, with integers to both ends of `Int64` and `UInt64`.
///
/// ```swift
/// let items: TrackingValue = [["id": "42", "price": 9.5, "gift": true, "note": nil]]
/// ```
///
/// Every value has one ``canonical`` form, and equality and hash go through it: `.int(3) == .double(3.0)`, as both are the number 3 in JSON;
/// `.bool(true)` is not `.int(1)`. A number that JSON cannot write is its name: `.double(.nan) == .string("NaN")`.
public enum TrackingValue: Sendable {
  /// JSON's `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A whole number that fits an `Int`.
  case int(Int)
  /// A whole number that may be larger than `Int.max`.
  case unsigned(UInt64)
  /// A number with a fraction, or beyond all integers.
  case double(Double)
  /// Text.
  case string(String)
  /// A list of values.
  case array([TrackingValue])
  /// Values by name.
  case object([String: TrackingValue])

  /// The value of anything convertible: `TrackingValue(product.id)`.
  public init(_ value: some TrackingValueConvertible) {
    self = value.trackingValue
  }
}

extension TrackingValue: Hashable {
  /// Compares canonical forms.
  public static func == (left: TrackingValue, right: TrackingValue) -> Bool {
    switch (left.canonicalScalar, right.canonicalScalar) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.int(let left), .int(let right)): left == right
    case (.unsigned(let left), .unsigned(let right)): left == right
    case (.double(let left), .double(let right)): left == right
    case (.string(let left), .string(let right)): left == right
    case (.array(let left), .array(let right)): left == right
    case (.object(let left), .object(let right)): left == right
    case (.null, _), (.bool, _), (.int, _), (.unsigned, _), (.double, _), (.string, _), (.array, _), (.object, _): false
    }
  }

  /// Hashes the canonical form.
  public func hash(into hasher: inout Hasher) {
    switch canonicalScalar {
    case .null: hasher.combine(0)
    case .bool(let value): hasher.combine(value)
    case .int(let value): hasher.combine(value)
    case .unsigned(let value): hasher.combine(value)
    case .double(let value): hasher.combine(value)
    case .string(let value): hasher.combine(value)
    case .array(let values): hasher.combine(values)
    case .object(let members): hasher.combine(members)
    }
  }
}
