import TrackingModel

extension ValueMatcher: ExpressibleByNilLiteral {
  /// JSON's `null`; a param that is not there is ``absent``.
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
  /// That number, however it was written.
  public init(integerLiteral value: Int) {
    self.init(.equal(.int(value)))
  }
}

extension ValueMatcher: ExpressibleByFloatLiteral {
  /// That number, however it was written.
  public init(floatLiteral value: Double) {
    self.init(.equal(.double(value)))
  }
}

extension ValueMatcher: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
  /// That text.
  public init(stringLiteral value: String) {
    self.init(.equal(.string(value)))
  }
}

extension ValueMatcher: ExpressibleByArrayLiteral {
  /// An array of as many elements, each as written: `["id-1", .any, .greater(than: 2)]`.
  public init(arrayLiteral elements: ValueMatcher...) {
    let problem = Self.problem(of: elements)
    let values = elements.compactMap(\.condition.onlyValue)
    let isPlain = values.count == elements.count
    self.init(isPlain ? .equal(.array(values)) : .elements(elements.map(\.condition)), problem: problem)
  }
}

extension ValueMatcher: ExpressibleByDictionaryLiteral {
  /// An object of the same names, each value as written: `["id": "42", "price": .greater(than: 0)]`; of a name that stands twice, the last counts.
  ///
  /// An object that may have more is ``object(_:)``.
  public init(dictionaryLiteral elements: (String, ValueMatcher)...) {
    let members = Dictionary(elements) { $1 }
    let values = members.compactMapValues(\.condition.onlyValue)
    let isPlain = values.count == members.count
    self.init(
      isPlain ? .equal(.object(values)) : .members(members.mapValues(\.condition)),
      problem: Self.problem(of: members.values))
  }
}

extension ValueCondition {
  /// The one value that is accepted, if it is named.
  fileprivate var onlyValue: TrackingValue? {
    if case .equal(let value) = self { value } else { nil }
  }
}
