import Foundation
import TrackingModel

// What decoders of formats read out of values.

extension TrackingValue {
  /// The id that a string or a number is.
  package var id: String? {
    switch self {
    case .string(let text): text.isEmpty ? nil : text
    case .int, .unsigned, .double, .bool: description
    case .null, .array, .object: nil
    }
  }

  /// The members of an object.
  package var members: [String: TrackingValue]? {
    if case .object(let members) = self { members } else { nil }
  }

  /// The elements of an array.
  package var elements: [TrackingValue]? {
    if case .array(let values) = self { values } else { nil }
  }

  /// The text of a string.
  package var text: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The number of a number, or of a text that is one.
  package var numeric: Double? {
    switch self {
    case .int(let value): Double(value)
    case .unsigned(let value): Double(value)
    case .double(let value): value
    case .string(let text): Double(text)
    case .null, .bool, .array, .object: nil
    }
  }
}

extension Date {
  /// The time that a value says: ISO 8601, or a number since 1970 whose size tells its unit.
  package init?(wire value: TrackingValue) {
    if case .string(let text) = value, let date = WireDate.date(from: text) {
      self = date
      return
    }
    guard let number = value.numeric, number.isFinite, number > 0 else { return nil }
    switch number {
    case ..<1e11: self.init(timeIntervalSince1970: number)
    case ..<1e14: self.init(timeIntervalSince1970: number / 1e3)
    case ..<1e17: self.init(timeIntervalSince1970: number / 1e6)
    default: self.init(timeIntervalSince1970: number / 1e9)
    }
  }
}
