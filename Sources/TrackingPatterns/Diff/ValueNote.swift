import Foundation
import TrackingModel

/// What the eye might miss in a value that is not the one that was expected.
enum ValueNote {
  /// A note in words; `nil` when the difference speaks for itself.
  static func of(_ found: TrackingValue, expected: TrackingValue) -> String? {
    switch (expected.canonical, found.canonical) {
    case (.string(let expected), .string(let found)):
      return TextNote.of(found, expected: expected)
    case (.int(let expected), .int(let found)):
      return note(onIntegers: found, expected: expected)
    case (.unsigned(let expected), .unsigned(let found)):
      return note(onIntegers: found, expected: expected)
    case (let expected, .string(let text)) where expected.number != nil && Double(text).map { !$0.isFinite } ?? false:
      return "\(TrackingValue.string(text)) stands for a number that JSON cannot write"
    case (let expected, let found):
      if let expected = expected.number, let found = found.number { return note(onNumbers: found, expected: expected) }
      guard expected.kind != found.kind else { return nil }
      if expected.plainText == found.plainText || isSameSwitch(expected, found) {
        return "\(found) is \(found.kind), expected \(definite(expected))"
      }
      return "\(found.kind), expected \(expected.kind)"
    }
  }

  /// Whole numbers of few digits need no help; of many, one digit is easily missed.
  private static func note<Number: FixedWidthInteger>(onIntegers found: Number, expected: Number) -> String? {
    let isLess = found < expected
    let (difference, isTooFar) =
      isLess
      ? expected.subtractingReportingOverflow(found) : found.subtractingReportingOverflow(expected)
    guard max(expected.description.count, found.description.count) >= 6, !isTooFar else { return nil }
    let off = "\(difference) \(isLess ? "less" : "more")"
    return Number(exactly: Double(expected)) == found ? "\(off): it went through a double, which cannot hold it" : off
  }

  private static func note(onNumbers found: Double, expected: Double) -> String? {
    guard abs(found - expected) < 1e-9 * max(abs(found), abs(expected)) else { return nil }
    return "off by rounding alone: .approximately(_:tolerance:) allows for that"
  }

  /// Whether one is 1 or 0 and the other the boolean for which it is often sent.
  private static func isSameSwitch(_ left: TrackingValue, _ right: TrackingValue) -> Bool {
    switch (left, right) {
    case (.bool(let isOn), .int(let number)), (.int(let number), .bool(let isOn)): number == (isOn ? 1 : 0)
    case (.null, _), (.bool, _), (.int, _), (.unsigned, _), (.double, _), (.string, _), (.array, _), (.object, _): false
    }
  }

  /// `the number 3`.
  private static func definite(_ value: TrackingValue) -> String {
    value == .null ? "null" : "the \(value.kind.split(separator: " ").last ?? "") \(value)"
  }
}
