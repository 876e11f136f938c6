import TrackingModel
import TrackingPlan

typealias ValueChange = MutationReport.ValueChange

extension ValueChange {
  /// Whether it is one of the nearest other values, which a test that pins the value notices.
  var isNearest: Bool {
    switch self {
    case .oneMore, .oneLess, .letterMore, .letterChanged, .flipped, .secondLater, .text, .elementDropped,
      .elementDoubled:
      true
    case .zero, .empty, .otherCase, .reversed, .memberAdded, .otherType, .null, .dropped: false
    }
  }

  /// Whether closures may see the changed value: code that can read the value must be able to read the new one, and to divide by it.
  func isSafe(for value: TrackingValue) -> Bool {
    switch (self, value.canonicalScalar, applied(to: value)) {
    case (.oneMore, .int(let number), .int(let sum)?), (.oneLess, .int(let number), .int(let sum)?):
      sum != 0 && (sum < 0) == (number < 0)
    // A closure may round it.
    case (.oneMore, .double(let number), .double(let sum)?), (.oneLess, .double(let number), .double(let sum)?):
      abs(sum) >= 1 && (sum < 0) == (number < 0)
    case (.oneMore, _, _), (.oneLess, _, _), (.letterMore, _, _), (.letterChanged, _, _), (.flipped, _, _),
      (.secondLater, _, _):
      true
    default: false
    }
  }
}

extension ValueChange {
  /// The changes that turn a value into another one.
  static func changes(of value: TrackingValue) -> [ValueChange] {
    let candidates: [ValueChange] =
      switch value {
      case .null: [.text]
      case .bool: [.flipped, .otherType, .null]
      case .int, .unsigned, .double: [.oneMore, .oneLess, .zero, .otherType, .null]
      case .string(let text) where WireDate.instant(from: text) != nil: [.secondLater, .empty, .null]
      case .string: [.letterMore, .letterChanged, .empty, .otherCase, .otherType, .null]
      case .array: [.elementDropped, .elementDoubled, .reversed, .otherType, .null]
      case .object: [.memberAdded, .otherType, .null]
      }
    var seen = [value]
    return candidates.filter { change in
      guard let changed = change.applied(to: value), !seen.contains(changed) else { return false }
      seen.append(changed)
      return true
    }
  }

  /// The changed value; `nil` for a change that doesn't apply, and for no value.
  func applied(to value: TrackingValue) -> TrackingValue? {
    switch (self, value.canonicalScalar) {
    case (.null, _): .null
    case (.dropped, _): nil
    case (.text, .null): "x"
    case (.letterMore, .string(let text)): .string(text + "x")
    case (.letterChanged, .string(let text)): text.isEmpty ? nil : .string(Self.otherLetter(text) + text.dropFirst())
    case (.empty, .string): ""
    case (.otherCase, .string(let text)): .string(text == text.uppercased() ? text.lowercased() : text.uppercased())
    case (.otherType, .string(let text)): Self.scalar(in: text)
    case (.secondLater, .string(let text)): Self.secondLater(text).map { .string($0) }
    case (.flipped, .bool(let value)): .bool(!value)
    case (.otherType, .bool(let value)): .int(value ? 1 : 0)
    case (.zero, .int), (.zero, .unsigned), (.zero, .double): 0
    case (.otherType, .int), (.otherType, .unsigned), (.otherType, .double), (.otherType, .array),
      (.otherType, .object):
      .string("\(value)")
    case (.oneMore, let number): Self.adding(1, to: number)
    case (.oneLess, let number): Self.adding(-1, to: number)
    case (.elementDropped, .array(let elements)): elements.isEmpty ? nil : .array(elements.dropLast())
    case (.elementDoubled, .array(let elements)): .array(elements + [elements.last ?? "x"])
    case (.reversed, .array(let elements)): .array(elements.reversed())
    case (.memberAdded, .object(let members)): .object(members.merging([Self.addedName: 1]) { $1 })
    default: nil
    }
  }

  /// The name of an added param or member.
  static let addedName = "unexpected"

  private static func otherLetter(_ text: String) -> String { text.hasPrefix("x") ? "y" : "x" }

  private static func adding(_ step: Int, to value: TrackingValue) -> TrackingValue? {
    switch value {
    case .int(let number):
      let (sum, overflow) = number.addingReportingOverflow(step)
      return overflow ? nil : .int(sum)
    case .unsigned(let number):
      guard step > 0 else { return TrackingValue.unsigned(number - 1).canonical }
      return number == .max ? nil : .unsigned(number + 1)
    case .double(let number):
      // Above 2^53 the next whole number may be the same double.
      let sum = number + Double(step)
      return (sum == number ? TrackingValue.double(step > 0 ? number.nextUp : number.nextDown) : .double(sum)).canonical
    case .null, .bool, .string, .array, .object: return nil
    }
  }

  /// Parses the number or the Boolean in a text.
  private static func scalar(in text: String) -> TrackingValue? {
    switch text {
    case "true": true
    case "false": false
    default: Int(text).map { .int($0) } ?? Double(text).flatMap { $0.isFinite ? .double($0) : nil }
    }
  }

  /// A date one second later, or earlier if it is the last second of a minute.
  private static func secondLater(_ text: String) -> String? {
    // The seconds end at the fraction, or at the offset from UTC.
    guard let time = text.firstIndex(where: { "Tt ".contains($0) }) else { return nil }
    let digits = text[time...].dropFirst(7).prefix(2)
    guard let seconds = Int(digits) else { return nil }
    let other = seconds < 59 ? seconds + 1 : seconds - 1
    return text[..<digits.startIndex] + (other < 10 ? "0\(other)" : "\(other)") + text[digits.endIndex...]
  }
}
