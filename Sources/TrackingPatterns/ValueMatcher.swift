import TrackingModel

/// Which values of a param a pattern accepts.
///
/// Any literal is a matcher that accepts the value it writes, so that most need no name:
///
/// ```swift
/// verifier.wait(for: .named("purchase", params: ["currency": "EUR", "coupon": nil, "total": .greater(than: 100)]))
/// ```
///
/// `nil` is JSON's null, which is a value; of a param that is not there only ``absent`` holds, and what ``not(_:)`` makes of a matcher.
public struct ValueMatcher: Sendable {
  let condition: ValueCondition
  /// Why it can accept nothing, if it was made in a way that makes no sense.
  let problem: String?

  init(_ condition: ValueCondition, problem: String? = nil) {
    self.condition = condition
    self.problem = problem
  }

  /// Whether a value, or its absence, is accepted.
  package func accepts(_ value: TrackingValue?) -> Bool {
    guard problem == nil else { return false }
    var differences = Differences(.decide)
    condition.look(at: value, .strict, into: &differences)
    return differences.isEmpty
  }

  /// Why a value, or that there is none, is not accepted, and how far off it is; `nil` when it is accepted.
  func mismatch(of value: TrackingValue?, _ reading: Reading = .strict) -> ValueMismatch? {
    if let problem { return ValueMismatch(differences: [.condition(problem)]) }
    var differences = Differences(.explain)
    condition.look(at: value, reading, into: &differences)
    return differences.isEmpty ? nil : ValueMismatch(differences: differences.list)
  }
}

extension ValueMatcher {
  /// A value equal to one: `.equal(to: order.id)`; a literal needs no `equal`.
  ///
  /// Numbers are equal by value, 3 and 3.0 alike; `"3"` is not 3, unless the pattern is ``EventPattern/lenient()``.
  public static func equal(to value: some TrackingValueConvertible) -> ValueMatcher {
    ValueMatcher(.equal(value.trackingValue))
  }

  /// Whatever value, null too, as long as the param is there.
  public static let any = ValueMatcher(.any)

  /// No value: the param is not there.
  public static let absent = ValueMatcher(.absent)

  /// A value that at least one matcher accepts: `"coupon": .one(of: ["SPRING", "SUMMER", .absent])`.
  public static func one(of matchers: [ValueMatcher]) -> ValueMatcher {
    ValueMatcher(.one(of: matchers.map(\.condition)), problem: problem(of: matchers))
  }

  /// A value that all matchers accept: `"id": .all(of: [.hasPrefix("A"), .not("A0")])`.
  public static func all(of matchers: [ValueMatcher]) -> ValueMatcher {
    ValueMatcher(.all(of: matchers.map(\.condition)), problem: problem(of: matchers))
  }

  /// A value that a matcher does not accept; that the param is missing is one way not to be accepted.
  ///
  /// ```swift
  /// .named("login", params: ["method": .not("password")])                       // also without a method
  /// .named("login", params: ["method": .all(of: [.any, .not("password")])])     // with another method
  /// ```
  public static func not(_ matcher: ValueMatcher) -> ValueMatcher {
    if case .not(let condition) = matcher.condition { return ValueMatcher(condition, problem: matcher.problem) }
    return ValueMatcher(.not(matcher.condition), problem: matcher.problem)
  }

  /// A value for which a condition holds; the description stands for it in failures: `.satisfying("an even number") { ... }`.
  ///
  /// The condition runs on the thread of the test, for an expectation on the one that receives the event; perhaps more than once for a value.
  public static func satisfying(
    _ description: String, _ condition: @escaping @Sendable (TrackingValue) -> Bool
  ) -> ValueMatcher {
    ValueMatcher(.satisfying(description, condition))
  }

  /// What matchers ask for, in the order of their paths, so that a text about it is the same on every run.
  static func conditions(of params: [TrackingParam: ValueMatcher]) -> [(path: ParamPath, value: ValueCondition)] {
    params.sorted { $0.key < $1.key }.map { (ParamPath($0.key), $0.value.condition) }
  }

  /// The first problem among matchers: one that accepts nothing by mistake must not become one that accepts all by a `not` around it.
  static func problem(of matchers: some Sequence<ValueMatcher>) -> String? {
    matchers.lazy.compactMap(\.problem).first
  }
}

extension ValueMatcher: CustomStringConvertible {
  /// What is accepted, in words: `greater than 100`.
  public var description: String { "\(condition)" }
}
