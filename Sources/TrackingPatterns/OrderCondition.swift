import TrackingModel

/// The bounds between which a number, a date or a text must be.
struct OrderCondition: Sendable {
  struct Bound: Sendable {
    let value: TrackingValue
    let isIncluded: Bool
  }

  var lower: Bound?
  var upper: Bound?

  private var bounds: [TrackingValue] { [lower, upper].compactMap { $0?.value } }

  /// The reason why no value can be between the bounds.
  var problem: String? {
    for bound in bounds {
      if case .double(let number) = bound, !number.isFinite { return "\(number) can't be a bound" }
      if bound.number == nil, bound.text(.strict) == nil { return "\(bound) can't be a bound: it has no order" }
    }
    return nil
  }

  /// Whether the bounds are dates, so that values are compared as points in time and not as texts.
  private var isOfDates: Bool {
    bounds.allSatisfy { $0.text(.strict).flatMap(WireDate.instant) != nil }
  }

  /// The difference of a value from the bounds; `nil` if it is between them.
  func miss(of value: TrackingValue, _ reading: Reading) -> Miss? {
    guard let comparable = comparable(value, reading) else {
      let isText = isOfDates && value.text(.strict) != nil
      return .kind(isText ? "it isn't a date" : "it is \(value.kind)")
    }
    for (bound, isLower) in [(lower, true), (upper, false)] {
      guard let bound, let limit = self.comparable(bound.value, .strict) else { continue }
      let isInside = isLower ? limit.isLess(than: comparable) : comparable.isLess(than: limit)
      if !isInside, !(bound.isIncluded && limit == comparable) { return .distance(share(of: value, from: bound.value)) }
    }
    return nil
  }

  enum Miss {
    /// The value has no place in the order: why.
    case kind(String)
    /// The value is outside: a share from 0 to 1.
    case distance(Double)
  }

  /// The part of a value that is compared with the bounds.
  private func comparable(_ value: TrackingValue, _ reading: Reading) -> Quantity? {
    if bounds.first?.number != nil { return value.number(reading).map(Quantity.number) }
    if isOfDates { return value.text(.strict).flatMap(WireDate.instant).map(Quantity.date) }
    return value.text(reading).map(Quantity.text)
  }

  private func share(of value: TrackingValue, from bound: TrackingValue) -> Double {
    guard let value = value.number, let bound = bound.number else { return 0.5 }
    return MismatchWeight.share(of: value, from: bound)
  }
}

extension OrderCondition: CustomStringConvertible {
  var description: String {
    switch (lower, upper) {
    case (let lower?, nil): "\(lower.isIncluded ? "at least" : "greater than") \(lower.value)"
    case (nil, let upper?): "\(upper.isIncluded ? "at most" : "less than") \(upper.value)"
    case (let lower?, let upper?): "in \(lower.value)\(upper.isIncluded ? "..." : "..<")\(upper.value)"
    case (nil, nil): "a number"
    }
  }
}

/// A value with a place in an order.
private enum Quantity: Equatable {
  case number(TrackingValue)
  case date(WireDate.Instant)
  case text(String)

  static func == (left: Quantity, right: Quantity) -> Bool {
    switch (left, right) {
    case (.number(let left), .number(let right)): left == right
    case (.date(let left), .date(let right)): left == right
    case (.text(let left), .text(let right)): left.isSameText(as: right)
    case (.number, _), (.date, _), (.text, _): false
    }
  }

  func isLess(than other: Quantity) -> Bool {
    switch (self, other) {
    case (.number(let left), .number(let right)): Self.isLess(left.canonicalScalar, right.canonicalScalar)
    case (.date(let left), .date(let right)): left < right
    case (.text(let left), .text(let right)): left.precedes(right)
    case (.number, _), (.date, _), (.text, _): false
    }
  }

  private static func isLess(_ left: TrackingValue, _ right: TrackingValue) -> Bool {
    switch (left, right) {
    case (.int(let left), .int(let right)): left < right
    case (.int(let left), .unsigned(let right)): left < right
    case (.unsigned(let left), .int(let right)): left < right
    case (.unsigned(let left), .unsigned(let right)): left < right
    case (.double(let left), .double(let right)): left < right
    // A canonical double isn't a 64-bit integer. If rounding makes the two equal, the integer is the one nearer to 0.
    case (let left, .double(let right)):
      left.number.map { $0 < right || $0 == right && right > 0 } ?? false
    case (.double(let left), let right):
      right.number.map { left < $0 || left == $0 && left < 0 } ?? false
    case (.null, _), (.bool, _), (.int, _), (.unsigned, _), (.string, _), (.array, _), (.object, _): false
    }
  }
}

/// A number and the distance up to which others are accepted.
struct ApproximateNumber: Sendable {
  let number: Double
  let tolerance: Double

  /// Whether a number, in canonical form, is near enough.
  func accepts(_ value: TrackingValue) -> Bool {
    let expected = TrackingValue.double(number).canonical
    if value == expected { return true }
    if let distance = Self.distance(value, expected) {
      // Whole numbers are compared exactly, however large they are.
      return tolerance >= 0x1p64 || distance <= UInt64(tolerance)
    }
    guard let found = value.number else { return false }
    // 1.1 is 0.1 away from 1.0, but not in binary. From 2^53 there are no fractions to be rounded.
    let largest = max(abs(found), abs(number))
    return abs(found - number) <= tolerance + (largest < 0x1p53 ? 2 * largest.ulp : 0)
  }

  /// A number's distance from the bounds: `0.5 less`; `nil` if that takes many digits.
  func note(on value: TrackingValue) -> String? {
    guard let found = value.number else { return nil }
    let direction = found < number ? "less" : "more"
    if let distance = Self.distance(value, TrackingValue.double(number).canonical) { return "\(distance) \(direction)" }
    let difference = abs(found - number)
    let rounded = (difference * 1e9).rounded() / 1e9
    return rounded.isFinite && rounded > 0 ? "\(TrackingValue.double(rounded)) \(direction)" : nil
  }

  /// The exact distance of two 64-bit integers; `nil` if one isn't a 64-bit integer, or if 64 bits can't hold it.
  private static func distance(_ left: TrackingValue, _ right: TrackingValue) -> UInt64? {
    guard let (leftMagnitude, leftIsNegative) = integer(left), let (rightMagnitude, rightIsNegative) = integer(right)
    else { return nil }
    if leftIsNegative == rightIsNegative {
      return max(leftMagnitude, rightMagnitude) - min(leftMagnitude, rightMagnitude)
    }
    let (sum, overflow) = leftMagnitude.addingReportingOverflow(rightMagnitude)
    return overflow ? nil : sum
  }

  private static func integer(_ value: TrackingValue) -> (magnitude: UInt64, isNegative: Bool)? {
    switch value {
    case .int(let int): (UInt64(int.magnitude), int < 0)
    case .unsigned(let unsigned): (unsigned, false)
    case .null, .bool, .double, .string, .array, .object: nil
    }
  }
}
