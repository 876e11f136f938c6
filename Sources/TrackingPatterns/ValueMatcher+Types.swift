extension ValueMatcher {
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
