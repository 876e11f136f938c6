import TrackingModel

extension ValueMatcher: ExpressibleByNilLiteral {
  /// JSON's `null`; a missing param is ``absent``.
  public init(nilLiteral: ()) {
    self.init(.equal(.null))
  }
}

extension ValueMatcher: ExpressibleByBooleanLiteral {
  /// `true` or `false`.
  public init(booleanLiteral value: Bool) {
    self.init(.equal(.bool(value)))
  }
}

extension ValueMatcher: ExpressibleByIntegerLiteral {
  /// A number equal to this one, written as an integer or not.
  public init(integerLiteral value: Int) {
    self.init(.equal(.int(value)))
  }
}

extension ValueMatcher: ExpressibleByFloatLiteral {
  /// A number equal to this one.
  public init(floatLiteral value: Double) {
    self.init(.equal(.double(value)))
  }
}

extension ValueMatcher: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
  /// This text.
  public init(stringLiteral value: String) {
    self.init(.equal(.string(value)))
  }
}

extension ValueMatcher: ExpressibleByArrayLiteral {
  /// An array with as many elements, each of which its matcher accepts: `["id-1", .any, .greater(than: 2)]`.
  public init(arrayLiteral elements: ValueMatcher...) {
    let isAbsent = elements.contains { if case .absent = $0.condition { true } else { false } }
    let problem = Self.problem(of: elements) ?? (isAbsent ? "an array has no absent elements" : nil)
    let values = elements.compactMap(\.condition.onlyValue)
    let isPlain = values.count == elements.count
    self.init(isPlain ? .equal(.array(values)) : .elements(elements.map(\.condition)), problem: problem)
  }
}

extension ValueMatcher: ExpressibleByDictionaryLiteral {
  /// An object with the same names, each value of which its matcher accepts: `["id": "42", "price": .greater(than: 0)]`.
  ///
  /// A name may be missing only if its matcher names ``absent``: `"coupon": .one(of: [.anyString, .absent])`. If a name is written twice, its last
  /// matcher is used. For an object that may have other names, use ``object(_:)``.
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
  /// The only value that is accepted, if there is one.
  var onlyValue: TrackingValue? {
    if case .equal(let value) = self { value } else { nil }
  }
}
