extension TrackingValue: ExpressibleByNilLiteral {
  /// JSON's `null`.
  public init(nilLiteral: ()) {
    self = .null
  }
}

extension TrackingValue: ExpressibleByBooleanLiteral {
  /// `true` or `false`.
  public init(booleanLiteral value: Bool) {
    self = .bool(value)
  }
}

extension TrackingValue: ExpressibleByIntegerLiteral {
  /// A whole number from `Int.min` to `Int.max`; a larger one is written `.unsigned(18_446_744_073_709_551_615)`.
  public init(integerLiteral value: Int) {
    self = .int(value)
  }
}

extension TrackingValue: ExpressibleByFloatLiteral {
  /// A number with a fraction.
  public init(floatLiteral value: Double) {
    self = .double(value)
  }
}

extension TrackingValue: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
  /// Text.
  public init(stringLiteral value: String) {
    self = .string(value)
  }
}

extension TrackingValue: ExpressibleByArrayLiteral {
  /// A list of values.
  public init(arrayLiteral elements: TrackingValue...) {
    self = .array(elements)
  }
}

extension TrackingValue: ExpressibleByDictionaryLiteral {
  /// Values by name; of a name that stands twice, the last counts.
  public init(dictionaryLiteral elements: (String, TrackingValue)...) {
    self = .object(Dictionary(elements) { $1 })
  }
}
