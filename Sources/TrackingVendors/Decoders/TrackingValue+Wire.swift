import Foundation
import TrackingModel

// Readings of values for decoders of formats.

extension TrackingValue {
  /// The text of a string or a number, as an id.
  var id: String? {
    switch self {
    case .string(let text): text.isEmpty ? nil : text
    case .int, .unsigned, .double, .bool: description
    case .null, .array, .object: nil
    }
  }

  /// The members of an object.
  var members: [String: TrackingValue]? {
    if case .object(let members) = self { members } else { nil }
  }

  /// The elements of an array.
  var elements: [TrackingValue]? {
    if case .array(let values) = self { values } else { nil }
  }

  /// The text of a string.
  var text: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The value of a number, or of a text that is one.
  var numeric: Double? {
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
  /// The time of a value: ISO 8601, or a number since 1970 whose size tells its unit.
  init?(wire value: TrackingValue) {
    if case .string(let text) = value,
      let date = WireDate.date(from: text) ?? WireDate.date(from: text.withColonInOffset)
    {
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

extension String {
  /// A time whose offset has no colon, such as `+0000` (ISO 8601's basic format), with one.
  fileprivate var withColonInOffset: String {
    guard utf8.count > 5 else { return self }
    return utf8.suffix(5).first.map { "+-".utf8.contains($0) } == true ? "\(dropLast(2)):\(suffix(2))" : self
  }
}
