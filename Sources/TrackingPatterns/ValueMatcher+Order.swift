import TrackingModel

// Numbers compare exactly, by size. Texts compare by their characters, and so do dates, which travel as texts of one length.

extension ValueMatcher {
  /// Less than a number, or earlier than a date: `.less(than: 100)`.
  public static func less(than bound: some Comparable & TrackingValueConvertible) -> ValueMatcher {
    ordered(nil, .init(value: bound.trackingValue, isIncluded: false))
  }

  /// At most a number: `.atMost(100)`.
  public static func atMost(_ bound: some Comparable & TrackingValueConvertible) -> ValueMatcher {
    ordered(nil, .init(value: bound.trackingValue, isIncluded: true))
  }

  /// Greater than a number, or later than a date: `.greater(than: 100)`.
  public static func greater(than bound: some Comparable & TrackingValueConvertible) -> ValueMatcher {
    ordered(.init(value: bound.trackingValue, isIncluded: false), nil)
  }

  /// At least a number: `.atLeast(100)`.
  public static func atLeast(_ bound: some Comparable & TrackingValueConvertible) -> ValueMatcher {
    ordered(.init(value: bound.trackingValue, isIncluded: true), nil)
  }

  /// In a range: `.in(1...5)`.
  public static func `in`<Bound: Comparable & TrackingValueConvertible>(_ range: ClosedRange<Bound>) -> ValueMatcher {
    ordered(
      .init(value: range.lowerBound.trackingValue, isIncluded: true),
      .init(value: range.upperBound.trackingValue, isIncluded: true))
  }

  /// In a range without its end: `.in(0..<1)`.
  public static func `in`<Bound: Comparable & TrackingValueConvertible>(_ range: Range<Bound>) -> ValueMatcher {
    ordered(
      .init(value: range.lowerBound.trackingValue, isIncluded: true),
      .init(value: range.upperBound.trackingValue, isIncluded: false))
  }

  /// A number no further from another than a tolerance: `.approximately(9.5, tolerance: 0.01)` accepts 9.49 and 9.51.
  public static func approximately(_ number: Double, tolerance: Double) -> ValueMatcher {
    let isSensible = number.isFinite && tolerance >= 0
    return ValueMatcher(
      .approximately(number, tolerance: tolerance),
      problem: isSensible ? nil : "no number is approximately \(number) with a tolerance of \(tolerance)")
  }

  private static func ordered(_ lower: OrderCondition.Bound?, _ upper: OrderCondition.Bound?) -> ValueMatcher {
    let condition = OrderCondition(lower: lower, upper: upper)
    return ValueMatcher(.ordered(condition), problem: condition.problem)
  }
}
