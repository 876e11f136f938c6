import Foundation
import TrackingModel

/// Explains an inconspicuous difference between two values.
enum ValueNote {
  /// `nil` if the difference is easy to see.
  static func of(_ found: TrackingValue, expected: TrackingValue) -> String? {
    switch (expected.canonical, found.canonical) {
    case (.string(let expected), .string(let found)):
      return TextNote.of(found, expected: expected)
    case (.int(let expected), .int(let found)):
      return note(onIntegers: found, expected: expected)
    case (.unsigned(let expected), .unsigned(let found)):
      return note(onIntegers: found, expected: expected)
    case (let expected, .string(let text)) where expected.number != nil && Double(text).map { !$0.isFinite } ?? false:
      return "\(TrackingValue.string(text)) is how a number that JSON can't write is sent"
    case (let expected, let found):
      if let expected = expected.number, let found = found.number { return note(onNumbers: found, expected: expected) }
      guard expected.kind != found.kind else { return nil }
      if expected.plainText.isSameText(as: found.plainText) || isSameSwitch(expected, found) {
        return "\(found) is \(found.kind), expected \(definite(expected))"
      }
      return "\(found.kind), expected \(expected.kind)"
    }
  }

  /// One wrong digit of a long number is hard to see.
  private static func note<Number: FixedWidthInteger>(onIntegers found: Number, expected: Number) -> String? {
    let isLess = found < expected
    let (difference, isTooFar) =
      isLess
      ? expected.subtractingReportingOverflow(found) : found.subtractingReportingOverflow(expected)
    guard max(expected.description.count, found.description.count) >= 6, !isTooFar else { return nil }
    let off = "\(difference) \(isLess ? "less" : "more")"
    return Number(exactly: Double(expected)) == found ? "\(off): a double can't hold the expected number" : off
  }

  private static func note(onNumbers found: Double, expected: Double) -> String? {
    guard abs(found - expected) < 1e-9 * max(abs(found), abs(expected)) else { return nil }
    return "differs by rounding only; .approximately(_:tolerance:) allows for it"
  }

  /// Whether one value is 1 or 0 and the other the equivalent Boolean.
  private static func isSameSwitch(_ left: TrackingValue, _ right: TrackingValue) -> Bool {
    switch (left, right) {
    case (.bool(let isOn), .int(let number)), (.int(let number), .bool(let isOn)): number == (isOn ? 1 : 0)
    case (.null, _), (.bool, _), (.int, _), (.unsigned, _), (.double, _), (.string, _), (.array, _), (.object, _): false
    }
  }

  private static func definite(_ value: TrackingValue) -> String {
    value == .null ? "null" : "the \(value.kind.split(separator: " ").last ?? "") \(value)"
  }
}
