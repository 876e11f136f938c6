import TrackingModel

enum ValueKind: String {
  case string = "a string"
  case number = "a number"
  case integer = "a whole number"
  case boolean = "a boolean"
  case array = "an array"
  case object = "an object"

  private func includes(_ value: TrackingValue, _ leniency: Leniency) -> Bool {
    switch self {
    case .string:
      return value.text(leniency) != nil
    case .number:
      return value.number(leniency) != nil
    case .integer:
      return switch value.number(leniency) {
      case .int, .unsigned: true
      // Beyond 64 bits every double is whole.
      case .double(let number): number.rounded() == number
      case .null, .bool, .string, .array, .object, nil: false
      }
    case .boolean:
      if case .bool = value { return true }
      return leniency == .lenient && (value == "true" || value == "false")
    case .array:
      return if case .array = value { true } else { false }
    case .object:
      return if case .object = value { true } else { false }
    }
  }
}

extension ValueKind: ValueTest {
  func miss(of value: TrackingValue, _ leniency: Leniency) -> ValueMiss? {
    includes(value, leniency) ? nil : .kind(of: value)
  }

  var description: String { rawValue }
  var form: TrackingValue { ["kind": .string(rawValue)] }

  static func read(_ name: String, _ value: TrackingValue) -> ValueKind? {
    guard name == "kind", case .string(let name) = value else { return nil }
    return ValueKind(rawValue: name)
  }
}

// MARK: - Matchers

extension ValueMatcher {
  /// Accepts any text.
  public static let anyString = ValueMatcher(ValueKind.string)
  /// Accepts any number.
  public static let anyNumber = ValueMatcher(ValueKind.number)
  /// Accepts any number without a fraction, including 3.0.
  public static let anyInteger = ValueMatcher(ValueKind.integer)
  /// Accepts `true` and `false`.
  public static let anyBoolean = ValueMatcher(ValueKind.boolean)
  /// Accepts any array.
  public static let anyArray = ValueMatcher(ValueKind.array)
  /// Accepts any object.
  public static let anyObject = ValueMatcher(ValueKind.object)
}
