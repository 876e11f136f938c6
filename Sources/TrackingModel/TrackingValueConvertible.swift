import Foundation

/// A type whose values can be event params.
///
/// An enum with raw values conforms by name alone:
///
/// ```swift
/// enum Screen: String, TrackingValueConvertible { case main = "main_screen", cart }
/// ```
public protocol TrackingValueConvertible {
  /// The tracked value.
  var trackingValue: TrackingValue { get }
}

extension TrackingValueConvertible where Self: RawRepresentable, RawValue: TrackingValueConvertible {
  /// The raw value.
  public var trackingValue: TrackingValue { rawValue.trackingValue }
}

extension TrackingValue {
  /// Converts any convertible value: `TrackingValue(product.id)`.
  public init(_ value: some TrackingValueConvertible) {
    self = value.trackingValue
  }

  /// Creates an object, leaving out the members that are `null`.
  package init(present members: KeyValuePairs<String, any TrackingValueConvertible>) {
    let values = members.map { ($0, $1.trackingValue) }.filter { $1 != .null }
    self = .object([String: TrackingValue](values) { $1 })
  }
}

extension TrackingValue: TrackingValueConvertible {
  /// The value itself.
  public var trackingValue: TrackingValue { self }
}

extension TrackingValueConvertible where Self: StringProtocol {
  /// The text.
  public var trackingValue: TrackingValue { .string(String(self)) }
}

extension String: TrackingValueConvertible {}
extension Substring: TrackingValueConvertible {}

extension Bool: TrackingValueConvertible {
  /// `true` or `false`.
  public var trackingValue: TrackingValue { .bool(self) }
}

extension TrackingValueConvertible where Self: BinaryInteger {
  /// The number: exact if it fits 64 bits, else the nearest double.
  public var trackingValue: TrackingValue {
    if let int = Int(exactly: self) { return .int(int) }
    if let unsigned = UInt64(exactly: self) { return .unsigned(unsigned) }
    return .double(Double(self))
  }
}

extension Int: TrackingValueConvertible {}
extension Int8: TrackingValueConvertible {}
extension Int16: TrackingValueConvertible {}
extension Int32: TrackingValueConvertible {}
extension Int64: TrackingValueConvertible {}
extension UInt: TrackingValueConvertible {}
extension UInt8: TrackingValueConvertible {}
extension UInt16: TrackingValueConvertible {}
extension UInt32: TrackingValueConvertible {}
extension UInt64: TrackingValueConvertible {}

extension TrackingValueConvertible where Self: BinaryFloatingPoint {
  /// The number; NaN and the infinities are sent as their names.
  public var trackingValue: TrackingValue { .double(Double(self)) }
}

extension Double: TrackingValueConvertible {}
extension CGFloat: TrackingValueConvertible {}

extension Float: TrackingValueConvertible {
  /// The number with the float's shortest decimal: 0.1, not 0.10000000149011612.
  public var trackingValue: TrackingValue { .double(isFinite ? Double(description) ?? Double(self) : Double(self)) }
}

extension Decimal: TrackingValueConvertible {
  /// The number, if a 64-bit integer or a double has all its digits, else its text: `"0.12345678901234567890"`.
  public var trackingValue: TrackingValue {
    let text = description
    if let int = Int(text) { return .int(int) }
    if let unsigned = UInt64(text) { return .unsigned(unsigned) }
    guard let double = Double(text), double.isFinite else { return .double(.nan) }
    return Decimal(string: "\(double)") == self ? .double(double) : .string(text)
  }
}

extension Date: TrackingValueConvertible {
  /// The date in UTC to the nearest millisecond, `"2026-11-21T10:00:00.000Z"`; beyond the year 275760, the seconds since 1970.
  public var trackingValue: TrackingValue {
    WireDate.string(from: self).map(TrackingValue.string) ?? .double(timeIntervalSince1970)
  }
}

extension UUID: TrackingValueConvertible {
  /// The UUID's text in upper case.
  public var trackingValue: TrackingValue { .string(uuidString) }
}

extension URL: TrackingValueConvertible {
  /// The absolute URL as text.
  public var trackingValue: TrackingValue { .string(absoluteString) }
}

extension Data: TrackingValueConvertible {
  /// The bytes in base64.
  public var trackingValue: TrackingValue { .string(base64EncodedString()) }
}

extension Optional: TrackingValueConvertible where Wrapped: TrackingValueConvertible {
  /// The wrapped value, or JSON's `null`.
  public var trackingValue: TrackingValue { self?.trackingValue ?? .null }
}

extension Array: TrackingValueConvertible where Element: TrackingValueConvertible {
  /// The list of the elements' values.
  public var trackingValue: TrackingValue { .array(map(\.trackingValue)) }
}

extension Set: TrackingValueConvertible where Element: TrackingValueConvertible {
  /// The list of the elements' values, sorted by their texts, so that every run has the same order.
  public var trackingValue: TrackingValue {
    .array(map(\.trackingValue).sorted { $0.description.precedes($1.description) })
  }
}

extension Dictionary: TrackingValueConvertible where Key: CodingKeyRepresentable, Value: TrackingValueConvertible {
  /// The values by the keys' coding names.
  public var trackingValue: TrackingValue {
    .object(Dictionary<String, TrackingValue>(map { ($0.codingKey.stringValue, $1.trackingValue) }) { $1 })
  }
}
