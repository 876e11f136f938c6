import TrackingModel

/// Bounds between which a number, or a text by the order of its characters, must lie.
struct OrderCondition: Sendable {
  struct Bound: Sendable {
    let value: TrackingValue
    let isIncluded: Bool
  }

  var lower: Bound?
  var upper: Bound?

  /// Why it cannot be asked for, if it cannot.
  var problem: String? {
    for bound in [lower, upper].compactMap({ $0?.value }) {
      if case .double(let number) = bound, !number.isFinite { return "\(number) is no bound of anything" }
      if bound.number == nil, bound.text(.strict) == nil { return "\(bound) is no bound: it has no order" }
    }
    return nil
  }

  /// What of a value is compared with the bounds: its number or its text; `nil` when it has none.
  func comparable(_ value: TrackingValue, _ reading: Reading) -> TrackingValue? {
    guard let bound = lower?.value ?? upper?.value else { return nil }
    return bound.number == nil ? value.text(reading).map(TrackingValue.string) : value.number(reading)
  }

  /// By how much a number or text lies outside, from 0 to 1; `nil` when it lies inside.
  func share(of value: TrackingValue) -> Double? {
    if let lower, !(lower.value.isLess(than: value) || lower.isIncluded && lower.value == value) {
      return Self.share(of: value, from: lower.value)
    }
    if let upper, !(value.isLess(than: upper.value) || upper.isIncluded && upper.value == value) {
      return Self.share(of: value, from: upper.value)
    }
    return nil
  }

  private static func share(of value: TrackingValue, from bound: TrackingValue) -> Double {
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

extension TrackingValue {
  /// The order of numbers by size, exactly, and of texts by their characters.
  fileprivate func isLess(than other: TrackingValue) -> Bool {
    switch (canonical, other.canonical) {
    case (.int(let left), .int(let right)): left < right
    case (.int(let left), .unsigned(let right)): left < right
    case (.unsigned(let left), .int(let right)): left < right
    case (.unsigned(let left), .unsigned(let right)): left < right
    case (.double(let left), .double(let right)): left < right
    case (.string(let left), .string(let right)): left < right
    // A canonical double is no integer of 64 bits; where rounding makes the two equal, the integer is the one nearer to 0.
    case (let left, .double(let right)):
      left.number.map { $0 < right || $0 == right && right > 0 } ?? false
    case (.double(let left), let right):
      right.number.map { left < $0 || left == $0 && left < 0 } ?? false
    case (.null, _), (.bool, _), (.int, _), (.unsigned, _), (.string, _), (.array, _), (.object, _): false
    }
  }
}
