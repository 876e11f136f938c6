import TrackingPatterns

/// The number of conditions, and how many of them name one value.
package struct Specificity: Hashable, Sendable {
  var conditions = 0
  var singleValues = 0

  static func + (left: Specificity, right: Specificity) -> Specificity {
    Specificity(
      conditions: left.conditions + right.conditions, singleValues: left.singleValues + right.singleValues)
  }
}

extension Specificity {
  /// A matcher is one condition, whatever it accepts.
  init(_ matcher: ValueMatcher) {
    self.init(conditions: 1, singleValues: matcher.isOneValue ? 1 : 0)
  }
}

extension Sequence<Specificity> {
  var sum: Specificity { reduce(Specificity(), +) }
}
