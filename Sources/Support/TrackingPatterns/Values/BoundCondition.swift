import TrackingModel

struct BoundCondition: Sendable {
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

  /// Whether values are compared as points in time, and not as texts.
  private var isOfDates: Bool {
    bounds.allSatisfy { $0.text(.strict).flatMap(WireDate.instant) != nil }
  }

  func miss(of value: TrackingValue, _ leniency: Leniency) -> ValueMiss? {
    guard let comparable = comparable(value, leniency) else {
      let isText = isOfDates && value.text(.strict) != nil
      return isText ? ValueMiss(note: "it isn't a date", weight: MismatchWeight.type) : .kind(of: value)
    }
    for (bound, isLower) in [(lower, true), (upper, false)] {
      guard let bound, let limit = self.comparable(bound.value, .strict) else { continue }
      let isInside = isLower ? limit.isLess(than: comparable) : comparable.isLess(than: limit)
      if !isInside, !(bound.isIncluded && limit == comparable) {
        return ValueMiss(share: share(of: value, from: bound.value))
      }
    }
    return nil
  }

  private func comparable(_ value: TrackingValue, _ leniency: Leniency) -> Quantity? {
    if bounds.first?.number != nil { return value.number(leniency).map(Quantity.number) }
    if isOfDates { return value.text(.strict).flatMap(WireDate.instant).map(Quantity.date) }
    return value.text(leniency).map(Quantity.text)
  }

  private func share(of value: TrackingValue, from bound: TrackingValue) -> Double {
    guard let value = value.number, let bound = bound.number else { return 0.5 }
    return MismatchWeight.share(of: value, from: bound)
  }
}

extension BoundCondition: ValueTest {
  var form: TrackingValue { ["ordered": .array([Self.form(lower), Self.form(upper)])] }

  private static func form(_ bound: Bound?) -> TrackingValue {
    bound.map { [$0.value, .bool($0.isIncluded)] } ?? .null
  }

  static func read(_ name: String, _ value: TrackingValue) -> BoundCondition? {
    guard name == "ordered", case .array(let bounds) = value, bounds.count == 2 else { return nil }
    return BoundCondition(lower: bound(bounds[0]), upper: bound(bounds[1]))
  }

  private static func bound(_ form: TrackingValue) -> Bound? {
    guard case .array(let parts) = form, parts.count == 2, case .bool(let isIncluded) = parts[1] else { return nil }
    return Bound(value: parts[0], isIncluded: isIncluded)
  }

  var description: String {
    switch (lower, upper) {
    case (let lower?, nil): "\(lower.isIncluded ? "at least" : "greater than") \(lower.value)"
    case (nil, let upper?): "\(upper.isIncluded ? "at most" : "less than") \(upper.value)"
    case (let lower?, let upper?): "in \(lower.value)\(upper.isIncluded ? "..." : "..<")\(upper.value)"
    case (nil, nil): "a number"
    }
  }
}

// MARK: - Matchers

// Numbers are compared exactly. Dates, and texts that are dates (RFC 3339), are compared as points in time, regardless of UTC offsets. Other texts
// are compared by their UTF-8 bytes, which is the order of Unicode's code points.

extension ValueMatcher {
  /// Accepts a number less than another, or a date before another: `.less(than: 100)`.
  ///
  /// Dates are compared as points in time: 08:30+01:00 is before 08:00Z. A text that isn't a date (RFC 3339) is neither before nor after a date.
  public static func less(than bound: some Comparable & TrackingValueConvertible) -> ValueMatcher {
    ValueMatcher(BoundCondition(upper: .init(value: bound.trackingValue, isIncluded: false)))
  }

  /// Accepts a number less than or equal to another, or a date not after another: `.atMost(100)`.
  public static func atMost(_ bound: some Comparable & TrackingValueConvertible) -> ValueMatcher {
    ValueMatcher(BoundCondition(upper: .init(value: bound.trackingValue, isIncluded: true)))
  }

  /// Accepts a number greater than another, or a date after another: `.greater(than: 100)`.
  public static func greater(than bound: some Comparable & TrackingValueConvertible) -> ValueMatcher {
    ValueMatcher(BoundCondition(lower: .init(value: bound.trackingValue, isIncluded: false)))
  }

  /// Unavailable: renamed.
  @available(*, unavailable, renamed: "greater(than:)")
  public static func greaterThan(_ bound: some Comparable & TrackingValueConvertible) -> ValueMatcher {
    greater(than: bound)
  }

  /// Unavailable: renamed.
  @available(*, unavailable, renamed: "less(than:)")
  public static func lessThan(_ bound: some Comparable & TrackingValueConvertible) -> ValueMatcher { less(than: bound) }

  /// Accepts a number greater than or equal to another, or a date not before another: `.atLeast(100)`.
  public static func atLeast(_ bound: some Comparable & TrackingValueConvertible) -> ValueMatcher {
    ValueMatcher(BoundCondition(lower: .init(value: bound.trackingValue, isIncluded: true)))
  }

  /// Accepts a number or a date in a range: `.in(1...5)`.
  public static func `in`<Bound: Comparable & TrackingValueConvertible>(_ range: ClosedRange<Bound>) -> ValueMatcher {
    ValueMatcher(
      BoundCondition(
        lower: .init(value: range.lowerBound.trackingValue, isIncluded: true),
        upper: .init(value: range.upperBound.trackingValue, isIncluded: true)))
  }

  /// Accepts a number or a date in a range that excludes its upper bound: `.in(0..<1)`.
  public static func `in`<Bound: Comparable & TrackingValueConvertible>(_ range: Range<Bound>) -> ValueMatcher {
    ValueMatcher(
      BoundCondition(
        lower: .init(value: range.lowerBound.trackingValue, isIncluded: true),
        upper: .init(value: range.upperBound.trackingValue, isIncluded: false)))
  }
}

/// A value that can be ordered.
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
    // A canonical double isn't a 64-bit integer. If rounding makes both equal, the integer is the one nearer to 0.
    case (let left, .double(let right)):
      left.number.map { $0 < right || $0 == right && right > 0 } ?? false
    case (.double(let left), let right):
      right.number.map { left < $0 || left == $0 && left < 0 } ?? false
    case (.null, _), (.bool, _), (.int, _), (.unsigned, _), (.string, _), (.array, _), (.object, _): false
    }
  }
}
