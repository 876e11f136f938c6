import TrackingModel

/// A condition on the value of a param.
///
/// A literal is a matcher that accepts the value it writes, so most need no name:
///
/// ```swift
/// verifier.wait(for: .named("purchase", params: ["currency": "EUR", "coupon": nil, "total": .greater(than: 100)]))
/// ```
///
/// `nil` is JSON's null, which is a value. A missing param is accepted only by ``absent`` and by ``not(_:)``.
public struct ValueMatcher: Sendable {
  let condition: ValueCondition
  /// The reason why the matcher is invalid and accepts nothing.
  let problem: String?

  init(_ condition: ValueCondition, problem: String? = nil) {
    self.condition = condition
    self.problem = problem
  }

  /// Whether a value, or a missing one, is accepted.
  package func accepts(_ value: TrackingValue?) -> Bool {
    guard problem == nil else { return false }
    var differences = Differences(.decide)
    condition.look(at: value, .strict, into: &differences)
    return differences.isEmpty
  }

  /// The differences of a value, or of a missing one, from the accepted values; `nil` if it is accepted.
  func mismatch(of value: TrackingValue?, _ reading: Reading = .strict) -> ValueMismatch? {
    if let problem { return ValueMismatch(differences: [.condition(problem)]) }
    var differences = Differences(.explain)
    condition.look(at: value, reading, into: &differences)
    return differences.isEmpty ? nil : ValueMismatch(differences: differences.list)
  }
}

/// The differences of a value from the accepted ones.
struct ValueMismatch: Hashable {
  let differences: [EventDifference]

  /// The value's distance from being accepted, always above 0.
  var distance: Double { MismatchWeight.of(differences) }
}

extension ValueMatcher: CustomStringConvertible {
  /// The condition in words: `greater than 100`.
  public var description: String { "\(condition)" }
}

// MARK: - Any value, or none

extension ValueMatcher {
  /// A value equal to another: `.equal(to: order.id)`.
  ///
  /// A literal needs no `equal`.
  /// Numbers are equal by value, so 3 equals 3.0. Text is equal by its UTF-8 bytes. `"3"` doesn't equal 3, unless the pattern is
  /// ``EventPattern/lenient()``.
  public static func equal(to value: some TrackingValueConvertible) -> ValueMatcher {
    ValueMatcher(.equal(value.trackingValue))
  }

  /// Any value, including null, as long as the param is there.
  public static let any = ValueMatcher(.any)
  /// No value: the param is missing.
  ///
  /// Elements of arrays can't be missing, so a pattern with `["a", .absent]` is invalid.
  public static let absent = ValueMatcher(.absent)
  /// Any text.
  public static let anyString = ValueMatcher(.kind(.string))
  /// Any number.
  public static let anyNumber = ValueMatcher(.kind(.number))
  /// Any number without a fraction; 3.0 is one.
  public static let anyInteger = ValueMatcher(.kind(.integer))
  /// `true` or `false`.
  public static let anyBoolean = ValueMatcher(.kind(.boolean))
  /// Any array.
  public static let anyArray = ValueMatcher(.kind(.array))
  /// Any object.
  public static let anyObject = ValueMatcher(.kind(.object))
}

// MARK: - Order

// Numbers are compared exactly. Dates, and texts that are dates (RFC 3339), are compared as points in time, whatever their offsets from UTC. Other texts
// are compared by their UTF-8 bytes, which is the order of Unicode's code points.

extension ValueMatcher {
  /// A number less than another, or a date before another: `.less(than: 100)`.
  ///
  /// Dates are compared as points in time: 08:30+01:00 is before 08:00Z. A text that isn't a date (RFC 3339) is neither before nor after one.
  public static func less(than bound: some Comparable & TrackingValueConvertible) -> ValueMatcher {
    ordered(nil, .init(value: bound.trackingValue, isIncluded: false))
  }

  /// A number less than or equal to another, or a date not after another: `.atMost(100)`.
  public static func atMost(_ bound: some Comparable & TrackingValueConvertible) -> ValueMatcher {
    ordered(nil, .init(value: bound.trackingValue, isIncluded: true))
  }

  /// A number greater than another, or a date after another: `.greater(than: 100)`.
  public static func greater(than bound: some Comparable & TrackingValueConvertible) -> ValueMatcher {
    ordered(.init(value: bound.trackingValue, isIncluded: false), nil)
  }

  /// A number greater than or equal to another, or a date not before another: `.atLeast(100)`.
  public static func atLeast(_ bound: some Comparable & TrackingValueConvertible) -> ValueMatcher {
    ordered(.init(value: bound.trackingValue, isIncluded: true), nil)
  }

  /// A number or a date in a range: `.in(1...5)`.
  public static func `in`<Bound: Comparable & TrackingValueConvertible>(_ range: ClosedRange<Bound>) -> ValueMatcher {
    ordered(
      .init(value: range.lowerBound.trackingValue, isIncluded: true),
      .init(value: range.upperBound.trackingValue, isIncluded: true))
  }

  /// A number or a date in a range that doesn't include its end: `.in(0..<1)`.
  public static func `in`<Bound: Comparable & TrackingValueConvertible>(_ range: Range<Bound>) -> ValueMatcher {
    ordered(
      .init(value: range.lowerBound.trackingValue, isIncluded: true),
      .init(value: range.upperBound.trackingValue, isIncluded: false))
  }

  /// A number whose distance from another is at most a tolerance: `.approximately(9.5, tolerance: 0.01)` accepts 9.49 and 9.51.
  ///
  /// Whole numbers are compared exactly. For numbers with a fraction the tolerance includes the binary rounding of decimals, so that 1.1 is within 0.1 of
  /// 1.0, and 0.1 + 0.2 within 0 of 0.3.
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

// MARK: - Text

extension ValueMatcher {
  /// A text that contains another: `.contains("checkout")`.
  ///
  /// Texts are compared by their UTF-8 bytes.
  public static func contains(_ part: String) -> ValueMatcher {
    ValueMatcher(.text(.contains(part)))
  }

  /// A text that begins with another: `.hasPrefix("https://")`.
  ///
  /// Texts are compared by their UTF-8 bytes.
  public static func hasPrefix(_ prefix: String) -> ValueMatcher {
    ValueMatcher(.text(.prefix(prefix)))
  }

  /// A text that ends with another: `.hasSuffix("_screen")`.
  ///
  /// Texts are compared by their UTF-8 bytes.
  public static func hasSuffix(_ suffix: String) -> ValueMatcher {
    ValueMatcher(.text(.suffix(suffix)))
  }

  /// A text that matches a regular expression as a whole.
  ///
  /// ```swift
  /// .named("order", params: ["id": .matches(#"A-\d{6}"#), "note": .matches(".*gift.*")])
  /// ```
  ///
  /// The syntax is that of Swift's `Regex`. An invalid regular expression accepts nothing, even inside a ``not(_:)``, and the failure says what
  /// is wrong with it.
  public static func matches(_ pattern: String) -> ValueMatcher {
    let pattern = TextPattern(pattern)
    return ValueMatcher(.text(.matches(pattern)), problem: pattern.problem)
  }

  /// A text that matches a Swift `Regex` as a whole: `.matches(/A-\d{6}/, as: "an order number")`.
  ///
  /// A `Regex` can't be printed, so failures show its description. Closures in it may be called on several threads at once, with no lock held.
  public static func matches(_ regex: Regex<some Any>, as description: String = "a regular expression") -> ValueMatcher
  {
    ValueMatcher(.text(.matches(TextPattern(regex, name: description))))
  }
}

// MARK: - Arrays and objects

extension ValueMatcher {
  /// An array, each element of which a matcher accepts: `.each(.object(["price": .greater(than: 0)]))`.
  ///
  /// An empty array is accepted. To require an element, write `.all(of: [.count(.atLeast(1)), .each(...)])`.
  public static func each(_ matcher: ValueMatcher) -> ValueMatcher {
    ValueMatcher(.each(matcher.condition), problem: matcher.problem)
  }

  /// An array with at least one element that a matcher accepts: `.contains(element: "42")`.
  public static func contains(element matcher: ValueMatcher) -> ValueMatcher {
    ValueMatcher(.contains(matcher.condition), problem: matcher.problem)
  }

  /// An array with a number of elements: `.count(3)`, `.count(.in(1...3))`.
  public static func count(_ matcher: ValueMatcher) -> ValueMatcher {
    ValueMatcher(.count(matcher.condition), problem: matcher.problem)
  }

  /// An object with some matching parts; it may have others.
  ///
  /// ```swift
  /// .named("purchase", params: ["items": .each(.object(["id": .anyString, "price.currency": "EUR"]))])
  /// ```
  ///
  /// A key may be a path, as in a pattern's params.
  public static func object(_ params: [TrackingParam: ValueMatcher]) -> ValueMatcher {
    ValueMatcher(.object(conditions(of: params)), problem: problem(of: params.values))
  }
}

// MARK: - Combinations

extension ValueMatcher {
  /// A value that at least one of several matchers accepts: `"coupon": .one(of: ["SPRING", "SUMMER", .absent])`.
  public static func one(of matchers: [ValueMatcher]) -> ValueMatcher {
    ValueMatcher(.one(of: matchers.map(\.condition)), problem: problem(of: matchers))
  }

  /// A value that all of several matchers accept: `"id": .all(of: [.hasPrefix("A"), .not("A0")])`.
  public static func all(of matchers: [ValueMatcher]) -> ValueMatcher {
    ValueMatcher(.all(of: matchers.map(\.condition)), problem: problem(of: matchers))
  }

  /// A value that a matcher doesn't accept, or a missing param.
  ///
  /// ```swift
  /// .named("login", params: ["method": .not("password")])                       // also without a method
  /// .named("login", params: ["method": .all(of: [.any, .not("password")])])     // with another method
  /// ```
  ///
  /// In the literal of an array or an object there must be a value: `[.not("x")]` doesn't accept an empty array.
  public static func not(_ matcher: ValueMatcher) -> ValueMatcher {
    if case .not(let condition) = matcher.condition { return ValueMatcher(condition, problem: matcher.problem) }
    return ValueMatcher(.not(matcher.condition), problem: matcher.problem)
  }

  /// A value for which a closure returns `true`; failures show the description: `.satisfying("an even number") { ... }`.
  ///
  /// The closure runs on the test's thread, and for an expectation on the thread that receives the event. It may be called more than once for a
  /// value.
  public static func satisfying(
    _ description: String, _ condition: @escaping @Sendable (TrackingValue) -> Bool
  ) -> ValueMatcher {
    ValueMatcher(.satisfying(ValueClosure(description, condition)))
  }

  /// The conditions of matchers in the order of their paths, so that their text is the same on every run.
  static func conditions(of params: [TrackingParam: ValueMatcher]) -> [(path: ParamPath, value: ValueCondition)] {
    params.sorted { $0.key < $1.key }.map { (ParamPath($0.key), $0.value.condition) }
  }

  /// The first problem of several matchers.
  ///
  /// A combination has the problems of its parts, so that a `not` around a mistake doesn't accept everything.
  static func problem(of matchers: some Sequence<ValueMatcher>) -> String? {
    matchers.lazy.compactMap(\.problem).first
  }
}
