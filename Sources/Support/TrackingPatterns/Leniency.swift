import TrackingModel

/// The interpretation of values before they are compared.
enum Leniency {
  case strict
  /// For senders that write everything as text: `"12.5"` is also 12.5, and `"true"` is also `true`.
  case lenient

  /// Lenient for text-only formats, which have lost the types that the app tracked.
  init(of event: TrackingEvent) {
    self = event.origin?.isText ?? false ? .lenient : .strict
  }
}

extension TrackingValue {
  /// The text of a value, without a string's quotation marks.
  var plainText: String {
    if case .string(let text) = self { text } else { description }
  }

  /// A number as a double, rounded if necessary.
  var number: Double? {
    switch canonicalScalar {
    case .int(let value): Double(value)
    case .unsigned(let value): Double(value)
    case .double(let value): value
    case .null, .bool, .string, .array, .object: nil
    }
  }

  /// The value's text; leniently, also the text that a sender may have written for another value.
  func text(_ leniency: Leniency) -> String? {
    switch (canonicalScalar, leniency) {
    case (.string(let text), _): text
    case (.array, _), (.object, _), (.null, _), (_, .strict): nil
    case (let scalar, .lenient): scalar.description
    }
  }

  /// The value's number; leniently, also the number that its text spells; in canonical form.
  func number(_ leniency: Leniency) -> TrackingValue? {
    switch (canonicalScalar, leniency) {
    case (.string(let text), .lenient): Self.number(text)
    case (.int, _), (.unsigned, _), (.double, _): canonicalScalar
    case (.null, _), (.bool, _), (.string, _), (.array, _), (.object, _): nil
    }
  }

  func equals(_ other: TrackingValue, _ leniency: Leniency) -> Bool {
    if leniency == .strict { return self == other }
    switch (canonicalScalar, other.canonicalScalar) {
    case (.array(let left), .array(let right)):
      return left.count == right.count && zip(left, right).allSatisfy { $0.equals($1, .lenient) }
    case (.object(let left), .object(let right)):
      return left.count == right.count && left.allSatisfy { right[$0]?.equals($1, .lenient) ?? false }
    case (.string(let left), .string(let right)):
      return left.isSameText(as: right)
    case (.string(let text), let value), (let value, .string(let text)):
      if let number = value.number(.strict) { return Self.number(text) == number }
      return value.isScalar && value.description.isSameText(as: text)
    case (let left, let right):
      return left == right
    }
  }

  private var isScalar: Bool {
    switch self {
    case .array, .object: false
    case .null, .bool, .int, .unsigned, .double, .string: true
    }
  }

  /// The number that a text spells, in JSON's grammar; a leading zero belongs to a code, not to a number.
  private static func number(_ text: String) -> TrackingValue? {
    let digits = text.utf8.drop { $0 == UInt8(ascii: "-") }
    let isDigit = { (byte: UInt8) in UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }
    guard text.utf8.count - digits.count <= 1, let first = digits.first, isDigit(first),
      let last = digits.last, isDigit(last),
      first != UInt8(ascii: "0") || !(digits.dropFirst().first.map(isDigit) ?? false),
      digits.allSatisfy({ isDigit($0) || ".eE+-".utf8.contains($0) })
    else { return nil }
    if let int = Int(text) { return .int(int) }
    if let unsigned = UInt64(text) { return .unsigned(unsigned) }
    return Double(text).flatMap { $0.isFinite ? TrackingValue.double($0).canonical : nil }
  }
}
