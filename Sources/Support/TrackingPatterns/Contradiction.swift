import TrackingModel

// A pattern that needs two names, or two values of one param, can't match any event.

/// The requirements of one alternative of a condition.
private struct Demands {
  var names: [String] = []
  var processes: [String] = []
  /// By path; values of the context are apart from params.
  var values: [(path: String, isOfContext: Bool, value: TrackingValue)] = []
  /// The paths of params that must be there, with any value.
  var paths: [String] = []

  private struct Place: Hashable {
    let path: TextKey
    let isOfContext: Bool
  }

  /// The maximum number of alternatives; with more, none counts as contradictory.
  static let mostAlternatives = 100

  static func both(_ left: [Demands], _ right: [Demands]) -> [Demands] {
    guard left.count * right.count <= mostAlternatives else { return [Demands()] }
    return left.flatMap { left in
      right.map { right in
        Demands(
          names: left.names + right.names, processes: left.processes + right.processes,
          values: left.values + right.values, paths: left.paths + right.paths)
      }
    }
  }

  var contradiction: PatternProblem? {
    let text = { (name: String) in TrackingValue.string(Excerpt.of(name, width: 22)) }
    if let first = names.first, let other = names.first(where: { !$0.isSameText(as: first) }) {
      return .impossible(
        "no event has the two names \(text(first)) and \(text(other))", advice: Self.advice)
    }
    if let first = processes.first, let other = processes.first(where: { !$0.isSameText(as: first) }) {
      return .impossible(
        "no event is from the two processes \(text(first)) and \(text(other))", advice: Self.advice)
    }
    // By path, or the time would grow with the square of an event's params.
    var earlier: [Place: [TrackingValue]] = [:]
    for demand in values {
      let place = Place(path: TextKey(demand.path), isOfContext: demand.isOfContext)
      if let other = earlier[place]?.first(where: { !$0.mayEqual(whatEquals: demand.value) }) {
        return .impossible(
          "no event has \(text(demand.path)) equal to both \(other.excerpt) and \(demand.value.excerpt)",
          advice: Self.advice)
      }
      earlier[place, default: []].append(demand.value)
    }
    return nil
  }

  private static let advice =
    "`and` is for conditions on one event: write `.inAnyOrder([…])` for two events, and `or` for either of them."
}

extension EventCondition {
  /// The reason why no alternative can match: each needs two names, or two values of one param; `nil` if one may match.
  var contradiction: PatternProblem? {
    let problems = demands.map(\.contradiction)
    return problems.contains(nil) ? nil : problems.first ?? nil
  }

  /// See ``EventPattern/requirements``.
  var requirements: [(name: String, params: [(path: String, value: TrackingValue?)])] {
    demands.compactMap { demands in
      let values = demands.values.filter { !$0.isOfContext }.map { ($0.path, Optional($0.value)) }
      return demands.names.first.map { ($0, values + demands.paths.map { ($0, nil) }) }
    }
  }

  private var demands: [Demands] {
    switch self {
    case .equal(let event):
      let values = event.params.sorted { $0.key < $1.key }.map { ($0.key.key, false, $0.value) }
      return [Demands(names: [event.name], values: values)]
    case .event(let name, let params):
      return [
        Demands(
          names: [name].compactMap(\.self), values: Self.values(of: params, isOfContext: false),
          paths: params.filter { $0.value.onlyValues.isEmpty && $0.value.needsValue }.map(\.path.param.key))
      ]
    case .context(let params): return [Demands(values: Self.values(of: params, isOfContext: true))]
    case .typed(let schema): return [Demands(names: [schema.name])]
    case .process(let name, _): return [Demands(processes: [name])]
    case .both(let left, let right): return Demands.both(left.demands, right.demands)
    case .either(let left, let right):
      let alternatives = left.demands + right.demands
      return alternatives.count <= Demands.mostAlternatives ? alternatives : [Demands()]
    case .closed(let condition), .lenient(let condition): return condition.demands
    case .satisfying, .not: return [Demands()]
    }
  }

  private static func values(
    of params: [ParamCondition], isOfContext: Bool
  ) -> [(path: String, isOfContext: Bool, value: TrackingValue)] {
    params.flatMap { param in param.value.onlyValues.map { (param.path.param.key, isOfContext, $0) } }
  }
}

extension ValueCondition {
  /// Whether a missing value doesn't meet the condition.
  fileprivate var needsValue: Bool {
    switch self {
    case .absent, .not: false
    case .one(let conditions): conditions.allSatisfy(\.needsValue)
    case .all(let conditions): conditions.contains(where: \.needsValue)
    case .equal, .any, .test, .elements, .members, .object, .each, .contains, .count: true
    }
  }

  /// The values that a value must equal, each of them.
  fileprivate var onlyValues: [TrackingValue] {
    switch self {
    case .equal(let value): [value]
    case .all(let conditions): conditions.flatMap(\.onlyValues)
    default: []
    }
  }

  /// The problem of conditions on one value that need two different values.
  static func contradiction(among conditions: [ValueCondition]) -> PatternProblem? {
    let values = conditions.flatMap(\.onlyValues)
    for (index, value) in values.enumerated() {
      guard let other = values[..<index].first(where: { !$0.mayEqual(whatEquals: value) }) else { continue }
      return .impossible(
        "no value equals both \(other.excerpt) and \(value.excerpt)", advice: "Write `.one(of:)` for either.")
    }
    return nil
  }
}

extension TrackingValue {
  /// Whether a value can equal both, strictly or leniently: a number equals the texts `"1"` and `"1.0"`.
  fileprivate func mayEqual(whatEquals other: TrackingValue) -> Bool {
    if equals(other, .lenient) { return true }
    if let number = number(.lenient), number == other.number(.lenient) { return true }
    switch (self, other) {
    case (.array(let left), .array(let right)):
      return left.count == right.count && zip(left, right).allSatisfy { $0.mayEqual(whatEquals: $1) }
    case (.object(let left), .object(let right)):
      return left.count == right.count
        && left.allSatisfy { name, value in right[name].map { value.mayEqual(whatEquals: $0) } ?? false }
    default: return false
    }
  }

  fileprivate var excerpt: String { Excerpt.of("\(self)", width: 22) }
}
