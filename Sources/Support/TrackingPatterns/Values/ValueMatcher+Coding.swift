import TrackingModel

// A matcher that is handed to another process travels as a value. Closures and regexes of Swift's have no such form.

extension ValueCondition: Hashable {
  /// Whether two conditions ask for the same; code is equal to its copies alone.
  static func == (left: ValueCondition, right: ValueCondition) -> Bool {
    left.form == right.form && left.code.elementsEqual(right.code, by: { $0 === $1 })
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(form)
  }
}

extension ValueMatcher: Codable {
  /// The matcher that another process has encoded.
  public init(from decoder: any Decoder) throws {
    let form = try TrackingValue(from: decoder)
    guard let matcher = ValueMatcher(form: form) else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "\(form) is not a matcher"))
    }
    self = matcher
  }

  /// Encodes what is asked for.
  ///
  /// - Throws: `EncodingError` for a closure or a Swift `Regex`, which exist in this process only.
  public func encode(to encoder: any Encoder) throws {
    if let part = closure {
      throw EncodingError.invalidValue(
        self,
        EncodingError.Context(
          codingPath: encoder.codingPath,
          debugDescription: "\"\(part)\" is a closure or a Regex, which exists in this process only"))
    }
    try condition.form.encode(to: encoder)
  }

  /// The description of a part that exists in this process only, a closure or a Swift `Regex`; `nil` if it has no such part.
  package var closure: String? {
    condition.code.first?.name
  }
}

extension ValueCondition {
  /// The condition as a value: a name, or an object with one member of that name.
  fileprivate var form: TrackingValue {
    switch self {
    case .equal(let value): ["equal": value]
    case .any: "any"
    case .absent: "absent"
    case .test(let test): test.form
    case .elements(let conditions): ["elements": .array(conditions.map(\.form))]
    case .members(let members): ["members": .object(members.mapValues(\.form))]
    case .object(let conditions):
      ["object": .object(Dictionary(conditions.map { ($0.path.param.key, $0.value.form) }) { $1 })]
    case .each(let condition): ["each": condition.form]
    case .contains(let condition): ["contains": condition.form]
    case .count(let condition): ["count": condition.form]
    case .one(let conditions): ["one": .array(conditions.map(\.form))]
    case .all(let conditions): ["all": .array(conditions.map(\.form))]
    case .not(let condition): ["not": condition.form]
    }
  }
}

extension ValueMatcher {
  /// The matcher of a form; `nil` for a value that isn't one.
  fileprivate init?(form: TrackingValue) {
    switch form {
    case "any": self = .any
    case "absent": self = .absent
    case .object(let members):
      guard members.count == 1, let (name, value) = members.first, let matcher = Self.matcher(name, value) else {
        return nil
      }
      self = matcher
    default: return nil
    }
  }

  private static func matcher(_ name: String, _ value: TrackingValue) -> ValueMatcher? {
    switch (name, value) {
    case ("equal", let value): ValueMatcher(.equal(value))
    case ("elements", .array(let forms)):
      matchers(forms).map { ValueMatcher(.elements($0.map(\.condition)), problem: problem(of: $0)) }
    case ("members", .object(let forms)):
      matchers(forms).map { ValueMatcher(.members($0.mapValues(\.condition)), problem: problem(of: $0)) }
    case ("object", .object(let forms)):
      matchers(forms).map { matchers in
        .object(Dictionary(matchers.map { (TrackingParam(stringLiteral: $0.key), $0.value) }) { $1 })
      }
    case ("each", let form): ValueMatcher(form: form).map { .each($0) }
    case ("contains", let form): ValueMatcher(form: form).map { .contains(element: $0) }
    case ("count", let form): ValueMatcher(form: form).map { .count($0) }
    case ("one", .array(let forms)): matchers(forms).map { .one(of: $0) }
    case ("all", .array(let forms)): matchers(forms).map { .all(of: $0) }
    case ("not", let form): ValueMatcher(form: form).map { ValueMatcher(.not($0.condition), problem: $0.problem) }
    default: tests.lazy.compactMap { $0.read(name, value) }.first.map { ValueMatcher($0) }
    }
  }

  private static func matchers(_ forms: [TrackingValue]) -> [ValueMatcher]? {
    let matchers = forms.compactMap { ValueMatcher(form: $0) }
    return matchers.count == forms.count ? matchers : nil
  }

  private static func matchers(_ forms: [String: TrackingValue]) -> [String: ValueMatcher]? {
    let matchers = forms.compactMapValues { ValueMatcher(form: $0) }
    return matchers.count == forms.count ? matchers : nil
  }
}
