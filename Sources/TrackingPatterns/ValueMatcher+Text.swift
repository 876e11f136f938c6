extension ValueMatcher {
  /// A text with a part: `.contains("checkout")`.
  public static func contains(_ part: String) -> ValueMatcher {
    ValueMatcher(.text(.contains(part)))
  }

  /// A text with a beginning: `.hasPrefix("https://")`.
  public static func hasPrefix(_ prefix: String) -> ValueMatcher {
    ValueMatcher(.text(.prefix(prefix)))
  }

  /// A text with an end: `.hasSuffix("_screen")`.
  public static func hasSuffix(_ suffix: String) -> ValueMatcher {
    ValueMatcher(.text(.suffix(suffix)))
  }

  /// A text that matches a regular expression from its beginning to its end.
  ///
  /// ```swift
  /// .named("order", params: ["id": .matches(#"A-\d{6}"#), "note": .matches(".*gift.*")])
  /// ```
  ///
  /// The syntax is that of Swift's `Regex`. What is no regular expression accepts nothing, not even behind a ``not(_:)``, and a failure
  /// says what is wrong with it.
  public static func matches(_ pattern: String) -> ValueMatcher {
    let pattern = TextPattern(pattern)
    return ValueMatcher(.text(.matches(pattern)), problem: pattern.problem)
  }

  /// A text that matches a regular expression of Swift's from its beginning to its end: `.matches(/A-\d{6}/, as: "an order number")`.
  ///
  /// A `Regex` cannot be written out, so a failure calls it by its description. One thread at a time uses it.
  public static func matches(_ regex: Regex<some Any>, as description: String = "a regular expression") -> ValueMatcher
  {
    ValueMatcher(.text(.matches(TextPattern(regex, name: description))))
  }
}
