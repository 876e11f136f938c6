import TrackingModel

extension ValueMatcher: ExpressibleByNilLiteral {
  /// Accepts JSON's `null`; for a missing param, use ``absent``.
  public init(nilLiteral: ()) {
    self.init(.equal(.null))
  }
}

extension ValueMatcher: ExpressibleByBooleanLiteral {
  /// Accepts `true` or `false`.
  public init(booleanLiteral value: Bool) {
    self.init(.equal(.bool(value)))
  }
}

extension ValueMatcher: ExpressibleByIntegerLiteral {
  /// Accepts a number equal to the literal, with or without a fraction: 3.0 equals 3.
  public init(integerLiteral value: Int) {
    self.init(.equal(.int(value)))
  }
}

extension ValueMatcher: ExpressibleByFloatLiteral {
  /// Accepts a number equal to the literal.
  public init(floatLiteral value: Double) {
    self.init(.equal(.double(value)))
  }
}

extension ValueMatcher: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
  /// Accepts a text equal to the literal.
  public init(stringLiteral value: String) {
    self.init(.equal(.string(value)))
  }
}

extension ValueMatcher: ExpressibleByArrayLiteral {
  /// Accepts an array with one element for each matcher: `["id-1", .any, .greater(than: 2)]`.
  public init(arrayLiteral elements: ValueMatcher...) {
    let isAbsent = elements.contains { if case .absent = $0.condition { true } else { false } }
    let problem = Self.problem(of: elements) ?? (isAbsent ? .invalid("an array has no absent elements") : nil)
    let values = elements.compactMap(\.condition.onlyValue)
    let isPlain = values.count == elements.count
    self.init(isPlain ? .equal(.array(values)) : .elements(elements.map(\.condition)), problem: problem)
  }
}

extension ValueMatcher: ExpressibleByDictionaryLiteral {
  /// Accepts an object with the same names, each value of which its matcher accepts: `["id": "42", "price": .greater(than: 0)]`.
  ///
  /// A name may be missing only if its matcher names ``absent``: `"coupon": .one(of: [.anyString, .absent])`. The last matcher of a repeated name
  /// is used. For objects with other names, use ``object(_:)``.
  public init(dictionaryLiteral elements: (String, ValueMatcher)...) {
    let members = Dictionary(elements) { $1 }
    let values = members.compactMapValues(\.condition.onlyValue)
    let isPlain = values.count == members.count
    self.init(
      isPlain ? .equal(.object(values)) : .members(members.mapValues(\.condition)),
      problem: Self.problem(of: members))
  }
}

extension ValueCondition {
  var onlyValue: TrackingValue? {
    if case .equal(let value) = self { value } else { nil }
  }
}
