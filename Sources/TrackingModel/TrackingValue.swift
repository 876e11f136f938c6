/// The value of an event's param: any JSON value, with integers from `Int64.min` to `UInt64.max`.
///
/// ```swift
/// let items: TrackingValue = [["id": "42", "price": 9.5, "gift": true, "note": nil]]
/// ```
///
/// Equality and hash values use the canonical form, in which a value returns from JSON. `.int(3) == .double(3.0)`, because both are the number 3 in
/// JSON; `.bool(true)` isn't `.int(1)`; a number that JSON can't represent is its name, so `.double(.nan) == .string("NaN")`. Text is equal when
/// its UTF-8 bytes are: "é" as one code point isn't "é" as a letter and an accent. Only the member names of objects are compared as Swift strings.
public enum TrackingValue: Sendable {
  /// JSON's `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A whole number that fits an `Int`.
  case int(Int)
  /// A whole number that may be larger than `Int.max`.
  case unsigned(UInt64)
  /// A number with a fraction, or outside the range of 64-bit integers.
  case double(Double)
  /// Text.
  case string(String)
  /// A list of values.
  case array([TrackingValue])
  /// Values by name.
  case object([String: TrackingValue])
}

// MARK: - Canonical form

extension TrackingValue {
  /// The form in which the value returns from the wire.
  ///
  /// A number is an `Int` if it is one exactly, else a `UInt64`, else a double; -0.0 is 0. NaN and the infinities are the strings `"NaN"`,
  /// `"Infinity"` and `"-Infinity"`.
  package var canonical: TrackingValue {
    switch self {
    case .array(let values): .array(values.map { $0.canonical })
    case .object(let members): .object(members.mapValues { $0.canonical })
    case .null, .bool, .int, .unsigned, .double, .string: canonicalScalar
    }
  }

  /// Returns arrays and objects unchanged.
  package var canonicalScalar: TrackingValue {
    switch self {
    case .null, .bool, .int, .string, .array, .object: self
    case .unsigned(let value): Int(exactly: value).map(TrackingValue.int) ?? self
    case .double(let value): Self.number(value)
    }
  }

  private static func number(_ value: Double) -> TrackingValue {
    if let int = Int(exactly: value) { return .int(int) }
    if let unsigned = UInt64(exactly: value) { return .unsigned(unsigned) }
    if value.isNaN { return .string(nan) }
    guard value.isInfinite else { return .double(value) }
    return .string(value > 0 ? infinity : negativeInfinity)
  }

  static let nan = "NaN"
  static let infinity = "Infinity"
  static let negativeInfinity = "-Infinity"

  /// The JSON kind in words: "a string", "a number", "null".
  package var kind: String {
    switch canonicalScalar {
    case .null: "null"
    case .bool: "a boolean"
    case .int, .unsigned, .double: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }

}

// MARK: - Reading

extension TrackingValue {
  /// A whole number that fits an `Int`, including one sent as `3.0`; `nil` for any other value, such as `"3"`.
  public var intValue: Int? { if case .int(let value) = canonicalScalar { value } else { nil } }

  /// A number, rounded to the nearest double if it is beyond 2^53; `nil` for any other value.
  public var doubleValue: Double? {
    switch self {
    case .int(let value): Double(value)
    case .unsigned(let value): Double(value)
    case .double(let value): value
    case .null, .bool, .string, .array, .object: nil
    }
  }

  /// `true` or `false`; `nil` for any other value, such as `1`.
  public var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }

  /// The text of a string; `nil` for any other value.
  public var stringValue: String? { if case .string(let value) = self { value } else { nil } }

  /// The elements of a list; `nil` for any other value.
  public var arrayValue: [TrackingValue]? { if case .array(let values) = self { values } else { nil } }

  /// The members of an object by their names; `nil` for any other value.
  public var objectValue: [String: TrackingValue]? { if case .object(let members) = self { members } else { nil } }
}

// MARK: - Equality

extension TrackingValue: Hashable {
  /// Compares canonical forms.
  public static func == (left: TrackingValue, right: TrackingValue) -> Bool {
    switch (left.canonicalScalar, right.canonicalScalar) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.int(let left), .int(let right)): left == right
    case (.unsigned(let left), .unsigned(let right)): left == right
    case (.double(let left), .double(let right)): left == right
    case (.string(let left), .string(let right)): left.isSameText(as: right)
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
    case .string(let value): value.hashText(into: &hasher)
    case .array(let values): hasher.combine(values)
    case .object(let members): hasher.combine(members)
    }
  }
}

// MARK: - Literals

extension TrackingValue: ExpressibleByNilLiteral {
  /// Creates JSON's `null`.
  public init(nilLiteral: ()) {
    self = .null
  }
}

extension TrackingValue: ExpressibleByBooleanLiteral {
  /// Creates `true` or `false`.
  public init(booleanLiteral value: Bool) {
    self = .bool(value)
  }
}

extension TrackingValue: ExpressibleByIntegerLiteral {
  /// Creates a whole number from `Int.min` to `Int.max`; write a larger one as `.unsigned(18_446_744_073_709_551_615)`.
  public init(integerLiteral value: Int) {
    self = .int(value)
  }
}

extension TrackingValue: ExpressibleByFloatLiteral {
  /// Creates a number with a fraction.
  public init(floatLiteral value: Double) {
    self = .double(value)
  }
}

extension TrackingValue: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
  /// Creates text.
  public init(stringLiteral value: String) {
    self = .string(value)
  }
}

extension TrackingValue: ExpressibleByArrayLiteral {
  /// Creates a list of values.
  public init(arrayLiteral elements: TrackingValue...) {
    self = .array(elements)
  }
}

extension TrackingValue: ExpressibleByDictionaryLiteral {
  /// Creates an object; the last value of a repeated name is used.
  public init(dictionaryLiteral elements: (String, TrackingValue)...) {
    self = .object(Dictionary(elements) { $1 })
  }
}
