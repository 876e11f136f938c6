import TrackingModel

/// A condition on the value of a param.
///
/// A literal is a matcher that accepts the value it writes, so most need no name:
///
/// ```swift
/// verifier.wait(for: .named("purchase", params: ["currency": "EUR", "coupon": nil, "total": .greater(than: 100)]))
/// ```
///
/// `nil` is JSON's null, which is a value. A missing param is accepted only by ``absent`` and by ``not(_:)``. Matchers are equal if they have the
/// same conditions; a closure or a Swift `Regex` is equal only to its own copies.
public struct ValueMatcher: Hashable, Sendable {
  let condition: ValueCondition
  /// The reason why the matcher is invalid and accepts nothing.
  let problem: String?

  init(_ condition: ValueCondition, problem: String? = nil) {
    self.condition = condition
    self.problem = problem
  }

  init(_ test: some ValueTest) {
    self.init(.test(test), problem: test.problem)
  }

  /// Whether a value, or a missing one, is accepted.
  package func accepts(_ value: TrackingValue?) -> Bool {
    guard problem == nil else { return false }
    var differences = Differences(.decide)
    condition.look(at: value, .strict, into: &differences)
    return differences.isEmpty
  }

  /// Whether text in which invalid UTF-8 is replaced by U+FFFD decides as the bytes would.
  package var isOfASCII: Bool { condition.isOfASCII }

  /// Whether it accepts texts for what they are not, or that there is none.
  package var excludesTexts: Bool { condition.excludesTexts }

  /// The differences of a value, or of a missing one, from the accepted values; `nil` if it is accepted.
  func mismatch(of value: TrackingValue?, _ leniency: Leniency = .strict) -> ValueMismatch? {
    if let problem { return ValueMismatch(differences: [.condition(problem)]) }
    var differences = Differences(.explain)
    condition.look(at: value, leniency, into: &differences)
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
    ValueMatcher(.object(conditions(of: params)), problem: problem(of: params))
  }
}

// MARK: - Combinations

extension ValueMatcher {
  /// A value that at least one of several matchers accepts: `"coupon": .one(of: ["SPRING", "SUMMER", .absent])`.
  ///
  /// An empty list is invalid.
  public static func one(of matchers: [ValueMatcher]) -> ValueMatcher {
    ValueMatcher(
      .one(of: matchers.map(\.condition)),
      problem: matchers.isEmpty ? "no value is one of an empty list" : problem(of: matchers))
  }

  /// A value that all of several matchers accept: `"id": .all(of: [.hasPrefix("A"), .not("A0")])`.
  ///
  /// An empty list is invalid.
  public static func all(of matchers: [ValueMatcher]) -> ValueMatcher {
    ValueMatcher(
      .all(of: matchers.map(\.condition)),
      problem: matchers.isEmpty
        ? "an empty list of matchers checks nothing; write `.any` for any value" : problem(of: matchers))
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

  /// The first problem of several matchers with names, in the order of the names.
  static func problem(of matchers: [some Comparable: ValueMatcher]) -> String? {
    matchers.filter { $0.value.problem != nil }.min { $0.key < $1.key }?.value.problem
  }
}
