import TrackingModel

/// A condition on the value of a param.
///
/// A literal is a matcher that accepts its value:
///
/// ```swift
/// verifier.wait(for: .named("purchase", params: ["currency": "EUR", "coupon": nil, "total": .greater(than: 100)]))
/// ```
///
/// `nil` is JSON's null, which is a value. Only ``absent`` and ``not(_:)`` accept a missing param. Matchers are equal if they have the same
/// conditions; a closure or a Swift `Regex` is equal only to its own copies.
public struct ValueMatcher: Hashable, Sendable {
  let condition: ValueCondition
  let problem: PatternProblem?

  init(_ condition: ValueCondition, problem: PatternProblem? = nil) {
    self.condition = condition
    self.problem = problem
  }

  init(_ test: some ValueTest) {
    self.init(.test(test), problem: test.problem.map(PatternProblem.invalid))
  }

  /// `nil` is a missing value.
  package func accepts(_ value: TrackingValue?) -> Bool {
    guard problem == nil else { return false }
    var differences = Differences(.decide)
    condition.look(at: value, .strict, into: &differences)
    return differences.isEmpty
  }

  /// Whether replacing invalid UTF-8 with U+FFFD leaves the result unchanged.
  package var isOfASCII: Bool { condition.isOfASCII }

  /// Whether the matcher excludes certain texts, or requires the value's absence.
  package var excludesTexts: Bool { condition.excludesTexts }

  /// The differences of a value, or of a missing one, from the accepted values; `nil` if it is accepted.
  func mismatch(of value: TrackingValue?, _ leniency: Leniency = .strict) -> ValueMismatch? {
    if let problem { return ValueMismatch(differences: [.condition(problem.reason)]) }
    var differences = Differences(.explain)
    condition.look(at: value, leniency, into: &differences)
    return differences.isEmpty ? nil : ValueMismatch(differences: differences.list)
  }
}

struct ValueMismatch: Hashable {
  let differences: [Difference]

  /// The value's distance from being accepted, always above 0.
  var distance: Double { differences.distance }
}

extension ValueMatcher: CustomStringConvertible {
  /// The condition in words: `greater than 100`.
  public var description: String { "\(condition)" }
}

// MARK: - Any value, or none

extension ValueMatcher {
  /// Accepts a value equal to a variable's: `.equal(to: order.id)`; a literal needs no `equal`.
  ///
  /// Numbers are equal by value: 3 equals 3.0. Texts are equal by their UTF-8 bytes. `"3"` equals 3 only if the pattern is
  /// ``EventPattern/lenient()``.
  public static func equal(to value: some TrackingValueConvertible) -> ValueMatcher {
    ValueMatcher(.equal(value.trackingValue))
  }

  /// Accepts any value of a present param, including null.
  public static let any = ValueMatcher(.any)
  /// Accepts only a missing param.
  ///
  /// Elements of arrays can't be missing, so a pattern with `["a", .absent]` is invalid.
  public static let absent = ValueMatcher(.absent)
}

// MARK: - Arrays and objects

extension ValueMatcher {
  /// Accepts an array if a matcher accepts each element: `.each(.object(["price": .greater(than: 0)]))`.
  ///
  /// An empty array is accepted. To require an element, write `.all(of: [.count(.atLeast(1)), .each(...)])`.
  public static func each(_ matcher: ValueMatcher) -> ValueMatcher {
    ValueMatcher(.each(matcher.condition), problem: matcher.problem)
  }

  /// Accepts an array with at least one element that a matcher accepts: `.contains(element: "42")`.
  public static func contains(element matcher: ValueMatcher) -> ValueMatcher {
    ValueMatcher(.contains(matcher.condition), problem: matcher.problem)
  }

  /// Accepts an array by the number of its elements: `.count(3)`, `.count(.in(1...3))`.
  public static func count(_ matcher: ValueMatcher) -> ValueMatcher {
    ValueMatcher(.count(matcher.condition), problem: matcher.problem)
  }

  /// Accepts an object with some matching parts; it may have others.
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
  /// Accepts a value that at least one matcher accepts: `"coupon": .one(of: ["SPRING", "SUMMER", .absent])`; an empty list is invalid.
  public static func one(of matchers: [ValueMatcher]) -> ValueMatcher {
    ValueMatcher(
      .one(of: matchers.map(\.condition)),
      problem: matchers.isEmpty
        ? .impossible("no value is one of an empty list") : .any(of: matchers.map(\.problem)))
  }

  /// Accepts a value that all matchers accept: `"id": .all(of: [.hasPrefix("A"), .not("A0")])`; an empty list is invalid.
  public static func all(of matchers: [ValueMatcher]) -> ValueMatcher {
    ValueMatcher(
      .all(of: matchers.map(\.condition)),
      problem: matchers.isEmpty
        ? .invalid("an empty list of matchers checks nothing; write `.any` for any value")
        : problem(of: matchers) ?? ValueCondition.contradiction(among: matchers.map(\.condition)))
  }

  /// Accepts a value that a matcher doesn't accept, and a missing param.
  ///
  /// ```swift
  /// .named("login", params: ["method": .not("password")])                       // also without a method
  /// .named("login", params: ["method": .all(of: [.any, .not("password")])])     // with another method
  /// ```
  ///
  /// In an array or object literal, the value must exist: `[.not("x")]` doesn't accept an empty array.
  public static func not(_ matcher: ValueMatcher) -> ValueMatcher {
    if case .not(let condition) = matcher.condition {
      return ValueMatcher(condition, problem: matcher.problem?.ofNegation)
    }
    return ValueMatcher(.not(matcher.condition), problem: matcher.problem?.ofNegation)
  }

  /// Sorted by path, so that the text is the same on every run.
  static func conditions(of params: [TrackingParam: ValueMatcher]) -> [(path: ParamPath, value: ValueCondition)] {
    params.sorted { $0.key < $1.key }.map { (ParamPath($0.key), $0.value.condition) }
  }

  /// The first problem of several matchers: a combination has the problems of its parts, so that a `not` around a mistake doesn't accept
  /// everything.
  static func problem(of matchers: some Sequence<ValueMatcher>) -> PatternProblem? {
    .all(of: matchers.map(\.problem))
  }

  /// The first problem of several matchers, in the order of their names.
  static func problem(of matchers: [some Comparable: ValueMatcher]) -> PatternProblem? {
    .all(of: matchers.sorted { $0.key < $1.key }.map(\.value.problem))
  }
}
