import TrackingModel

// A matcher travels to another process as a value. Closures and Swift's `Regex`es have no such form.

extension ValueCondition: Hashable {
  /// Closures and regexes equal only their copies.
  static func == (left: ValueCondition, right: ValueCondition) -> Bool {
    left.form == right.form && left.code.elementsEqual(right.code, by: { $0 === $1 })
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(form)
  }
}

extension ValueMatcher {
  /// The description of a closure or Swift `Regex`, which exists in this process only; `nil` if there is none.
  package var closure: String? {
    condition.code.first?.name
  }
}

extension ValueCondition {
  /// A name, or an object whose only member has that name.
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

extension ValueMatcher: FormConvertible {
  /// The tests that another process may encode.
  private static let tests: [any ValueTest.Type] = [
    ValueKind.self, BoundCondition.self, ApproximateNumber.self, TextCondition.self,
  ]

  /// A closure or regex is only named, and can't be read back.
  package var form: TrackingValue { condition.form }

  package static func read(_ form: TrackingValue) -> ValueMatcher? {
    switch form {
    case "any": .any
    case "absent": .absent
    default: form.onlyMember.flatMap { matcher($0.name, $0.value) }
    }
  }

  private static func matcher(_ name: String, _ value: TrackingValue) -> ValueMatcher? {
    switch (name, value) {
    case ("equal", let value): ValueMatcher(.equal(value))
    case ("elements", let form):
      [ValueMatcher].read(form).map { ValueMatcher(.elements($0.map(\.condition)), problem: problem(of: $0)) }
    case ("members", let form):
      [String: ValueMatcher].read(form).map {
        ValueMatcher(.members($0.mapValues(\.condition)), problem: problem(of: $0))
      }
    case ("object", let form):
      [String: ValueMatcher].read(form).map { matchers in
        .object(Dictionary(matchers.map { (TrackingParam(stringLiteral: $0.key), $0.value) }) { $1 })
      }
    case ("each", let form): read(form).map { .each($0) }
    case ("contains", let form): read(form).map { .contains(element: $0) }
    case ("count", let form): read(form).map { .count($0) }
    case ("one", let form): [ValueMatcher].read(form).map { .one(of: $0) }
    case ("all", let form): [ValueMatcher].read(form).map { .all(of: $0) }
    case ("not", let form): read(form).map { ValueMatcher(.not($0.condition), problem: $0.problem?.ofNegation) }
    default: tests.lazy.compactMap { $0.read(name, value) }.first.map { ValueMatcher($0) }
    }
  }
}
