import TrackingModel

/// A type of values, as a matcher asks for it.
enum ValueKind: String, Sendable {
  case string = "a string"
  case number = "a number"
  case integer = "a whole number"
  case boolean = "a boolean"
  case array = "an array"
  case object = "an object"

  func includes(_ value: TrackingValue, _ reading: Reading) -> Bool {
    switch self {
    case .string:
      return value.text(reading) != nil
    case .number:
      return value.number(reading) != nil
    case .integer:
      return switch value.number(reading) {
      case .int, .unsigned: true
      // Beyond 64 bits every double is whole.
      case .double(let number): number.rounded() == number
      case .null, .bool, .string, .array, .object, nil: false
      }
    case .boolean:
      if case .bool = value { return true }
      return reading == .lenient && (value == "true" || value == "false")
    case .array:
      return if case .array = value { true } else { false }
    case .object:
      return if case .object = value { true } else { false }
    }
  }
}
