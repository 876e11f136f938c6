extension TrackingValue {
  /// The one form of this value that the wire gives back.
  ///
  /// A number is an `Int` if it is one exactly, else a `UInt64`, else a double; -0.0 is 0. What JSON has no number for is a string: `"NaN"`,
  /// `"Infinity"`, `"-Infinity"`. Arrays and objects hold canonical values.
  public var canonical: TrackingValue {
    switch self {
    case .array(let values): .array(values.map { $0.canonical })
    case .object(let members): .object(members.mapValues { $0.canonical })
    case .null, .bool, .int, .unsigned, .double, .string: canonicalScalar
    }
  }

  /// The canonical form of a value that is no array and no object; those are given back as they are.
  var canonicalScalar: TrackingValue {
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

  /// How a value that is not a number stands on the wire.
  static let nan = "NaN"
  /// How positive infinity stands on the wire.
  static let infinity = "Infinity"
  /// How negative infinity stands on the wire.
  static let negativeInfinity = "-Infinity"
}
