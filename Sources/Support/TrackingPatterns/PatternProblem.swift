/// The reason why a pattern or a matcher is refused where it is used.
package struct PatternProblem: PatternRefusal, Hashable {
  package let reason: String
  /// A sentence that says what to write instead.
  package private(set) var advice: String?
  package var isImpossible = false

  package static func invalid(_ reason: String) -> PatternProblem { PatternProblem(reason: reason) }

  package static func impossible(_ reason: String, advice: String? = nil) -> PatternProblem {
    PatternProblem(reason: reason, advice: advice, isImpossible: true)
  }

}

/// The reason why a pattern is refused, as combinations of patterns see it.
package protocol PatternRefusal: Sendable {
  /// Whether the pattern only can't match, so that an alternative in an `or` makes up for it; a mistake such as an invalid regular expression is
  /// always refused.
  var isImpossible: Bool { get set }
}

extension PatternRefusal {
  /// The problem of a part whose negation would match everything.
  package var ofNegation: Self {
    var problem = self
    problem.isImpossible = false
    return problem
  }

  /// The problem of a pattern that needs all parts: a mistake first.
  package static func all(of problems: [Self?]) -> Self? {
    let problems = problems.compactMap(\.self)
    return problems.first { !$0.isImpossible } ?? problems.first
  }

  /// The problem of a pattern that needs one of its parts: a mistake, or that no part can match.
  package static func any(of problems: [Self?]) -> Self? {
    all(of: problems).flatMap { $0.isImpossible && problems.contains { $0 == nil } ? nil : $0 }
  }
}
