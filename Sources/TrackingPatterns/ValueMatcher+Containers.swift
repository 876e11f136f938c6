import TrackingModel

extension ValueMatcher {
  /// An array of which a matcher accepts each element: `.each(.object(["price": .greater(than: 0)]))`.
  ///
  /// An empty array has no element that it would not accept; `.all(of: [.count(.atLeast(1)), .each(...)])` wants one.
  public static func each(_ matcher: ValueMatcher) -> ValueMatcher {
    ValueMatcher(.each(matcher.condition), problem: matcher.problem)
  }

  /// An array of which a matcher accepts at least one element: `.contains(element: "42")`.
  public static func contains(element matcher: ValueMatcher) -> ValueMatcher {
    ValueMatcher(.contains(matcher.condition), problem: matcher.problem)
  }

  /// An array with a number of elements: `.count(3)`, `.count(.in(1...3))`.
  public static func count(_ matcher: ValueMatcher) -> ValueMatcher {
    ValueMatcher(.count(matcher.condition), problem: matcher.problem)
  }

  /// An object of which some parts are as asked for; it may have others.
  ///
  /// ```swift
  /// .named("purchase", params: ["items": .each(.object(["id": .anyString, "price.currency": "EUR"]))])
  /// ```
  ///
  /// Keys may be paths, as those of a pattern are.
  public static func object(_ params: [TrackingParam: ValueMatcher]) -> ValueMatcher {
    ValueMatcher(.object(conditions(of: params)), problem: problem(of: params.values))
  }
}
