import TrackingModel

// Matchers for named texts that may repeat: header fields, cookies, query items and form fields.

extension ValueMatcher {
  package struct FieldMiss {
    /// A note, if the texts alone don't show the difference.
    package let note: String?
    /// The wrong share, from just above 0 to 1.
    package let share: Double
  }

  /// Accepts any value of a field that is present.
  public static let present = any

  /// Whether the matcher accepts a field.
  ///
  /// One accepted value of several is enough, except for ``absent``, which accepts only an empty list, and for ``not(_:)``, whose matcher must
  /// accept no value. Texts are read leniently, so `.greater(than: 1)` accepts `"2"`.
  package func accepts(fieldWith values: [String]) -> Bool {
    problem == nil && condition.accepts(values.map(TrackingValue.string))
  }

  package func miss(ofFieldWith values: [String]) -> FieldMiss? {
    guard !accepts(fieldWith: values) else { return nil }
    let misses = values.map { value in
      var differences = Differences(.explain)
      condition.look(at: .string(value), .lenient, into: &differences)
      return differences
    }
    guard let nearest = misses.min(by: { $0.distance < $1.distance }) else { return FieldMiss(note: nil, share: 1) }
    return FieldMiss(note: nearest.list.first?.note, share: min(max(nearest.distance / MismatchWeight.value, 0.01), 1))
  }
}

extension ValueCondition {
  fileprivate func accepts(_ values: [TrackingValue]) -> Bool {
    switch self {
    case .absent:
      return values.isEmpty
    case .not(let condition):
      return !condition.accepts(values)
    case .one(let alternatives):
      return alternatives.contains { $0.accepts(values) }
    case .all(let conditions):
      // One value must meet all positive conditions, and no value an excluded one.
      let excluding = conditions.filter(\.isExcluding)
      let including = conditions.filter { !$0.isExcluding }
      return excluding.allSatisfy { $0.accepts(values) }
        && (including.isEmpty || values.contains { value in including.allSatisfy { $0.accepts([value]) } })
    default:
      return values.contains { value in
        var differences = Differences(.decide)
        look(at: value, .lenient, into: &differences)
        return differences.isEmpty
      }
    }
  }

  /// Whether the condition says what must be absent.
  private var isExcluding: Bool {
    switch self {
    case .absent, .not: true
    default: false
    }
  }
}

// MARK: - Parts of requests

extension ValueMatcher {
  /// Matches a value equal to another, except that `texts` may return separate matchers for some texts in it; objects with such keys match
  /// anything.
  package init(equalTo value: TrackingValue, texts: (String) -> ValueMatcher?) {
    self.init(ValueCondition(equalTo: value, texts: texts))
  }

  /// The reason why the matcher is invalid or can't accept a value, such as an invalid regular expression; `nil` if it is usable.
  package var invalidity: PatternProblem? { problem }

  package var onlyText: String? {
    if case .equal(.string(let text)) = condition { text } else { nil }
  }

  package var isOneValue: Bool {
    if case .equal = condition { true } else { false }
  }

  package var isList: Bool {
    switch condition {
    case .elements, .equal(.array): true
    default: false
    }
  }

  /// The differences of a JSON value, with their paths; empty if it is accepted.
  package func differences(of value: TrackingValue) -> [Difference] {
    mismatch(of: value)?.differences ?? []
  }

  /// The accepted texts; `nil` for a matcher that accepts anything else.
  package var texts: [String]? {
    guard problem == nil else { return nil }
    let alternatives = if case .one(let conditions) = condition { conditions } else { [condition] }
    let texts = alternatives.compactMap { if case .equal(.string(let text)) = $0 { text } else { nil } }
    return texts.count == alternatives.count ? texts : nil
  }

  /// The matcher, also accepting objects with unnamed members, at every level.
  package var allowingMoreMembers: ValueMatcher {
    ValueMatcher(condition.allowingMoreMembers, problem: problem)
  }

  /// The matcher with its texts in lower case, for values that are compared in lower case.
  package var lowercased: ValueMatcher {
    ValueMatcher(condition.lowercased, problem: problem)
  }
}

extension ValueCondition {
  fileprivate init(equalTo value: TrackingValue, texts: (String) -> ValueMatcher?) {
    switch value {
    case .string(let text): self = texts(text)?.condition ?? .equal(value)
    case .array(let values):
      let parts = values.map { ValueCondition(equalTo: $0, texts: texts) }
      self = parts.allSatisfy { $0.onlyValue != nil } ? .equal(value) : .elements(parts)
    case .object(let members) where members.keys.contains { texts($0) != nil }: self = .any
    case .object(let members):
      let parts = members.mapValues { ValueCondition(equalTo: $0, texts: texts) }
      self = parts.values.allSatisfy { $0.onlyValue != nil } ? .equal(value) : .members(parts)
    default: self = .equal(value)
    }
  }

  fileprivate var allowingMoreMembers: ValueCondition {
    switch self {
    case .equal(.object(let members)):
      .object(Self.paths(of: members.mapValues { .equal($0) }))
    case .equal(.array(let values)):
      .elements(values.map { ValueCondition.equal($0).allowingMoreMembers })
    case .members(let members):
      .object(Self.paths(of: members))
    case .object(let conditions):
      .object(conditions.map { ($0.path, $0.value.allowingMoreMembers) })
    // A count is a number.
    case .count:
      self
    default:
      mapping(\.allowingMoreMembers)
    }
  }

  private static func paths(of members: [String: ValueCondition]) -> [(path: ParamPath, value: ValueCondition)] {
    members.sorted { $0.key < $1.key }.map {
      (ParamPath(member: $0.key), $0.value.allowingMoreMembers)
    }
  }

  fileprivate var lowercased: ValueCondition {
    switch self {
    case .equal(.string(let text)): .equal(.string(text.lowercased()))
    case .test(let test): .test(test.lowercased)
    default: mapping(\.lowercased)
    }
  }
}
