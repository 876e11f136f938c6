import TrackingModel

/// The requirements of one alternative of a combined pattern, which can't match if each of them contradicts itself.
package protocol Demands {
  init()
  func adding(_ other: Self) -> Self
  var contradiction: PatternProblem? { get }
}

/// The maximum number of alternatives; with more, none counts as contradictory.
private let mostAlternatives = 100

extension Demands {
  package static func both(_ left: [Self], _ right: [Self]) -> [Self] {
    guard left.count * right.count <= mostAlternatives else { return [Self()] }
    return left.flatMap { left in right.map { left.adding($0) } }
  }

  package static func either(_ left: [Self], _ right: [Self]) -> [Self] {
    left.count + right.count <= mostAlternatives ? left + right : [Self()]
  }

  /// The advice for an `and` that nothing can match.
  package static func advice(_ noun: String) -> String {
    "`and` is for conditions on one \(noun): write `.inAnyOrder([…])` for two \(noun)s, and `or` for either of them."
  }
}

extension Array where Element: Demands {
  /// The contradiction of the first alternative; `nil` if one may match.
  package var contradiction: PatternProblem? {
    let problems = map(\.contradiction)
    return problems.contains(nil) ? nil : problems.first ?? nil
  }
}

// MARK: - Events

// A pattern that needs two names, or two values of one param, can't match any event.
private struct EventDemands: Demands {
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

  func adding(_ other: EventDemands) -> EventDemands {
    EventDemands(
      names: names + other.names, processes: processes + other.processes, values: values + other.values,
      paths: paths + other.paths)
  }

  var contradiction: PatternProblem? {
    let text = { (name: String) in TrackingValue.string(Excerpt.of(name, width: 22)) }
    if let first = names.first, let other = names.first(where: { !$0.isSameText(as: first) }) {
      return .impossible(
        "no event has the two names \(text(first)) and \(text(other))", advice: Self.advice("event"))
    }
    if let first = processes.first, let other = processes.first(where: { !$0.isSameText(as: first) }) {
      return .impossible(
        "no event is from the two processes \(text(first)) and \(text(other))", advice: Self.advice("event"))
    }
    // By path, or the time would grow with the square of an event's params.
    var earlier: [Place: [TrackingValue]] = [:]
    for demand in values {
      let place = Place(path: TextKey(demand.path), isOfContext: demand.isOfContext)
      if let other = earlier[place]?.first(where: { !$0.mayEqual(whatEquals: demand.value) }) {
        return .impossible(
          "no event has \(text(demand.path)) equal to both \(other.excerpt) and \(demand.value.excerpt)",
          advice: Self.advice("event"))
      }
      earlier[place, default: []].append(demand.value)
    }
    return nil
  }
}

extension EventCondition {
  /// The reason why no alternative can match: each needs two names, or two values of one param; `nil` if one may match.
  var contradiction: PatternProblem? { demands.contradiction }

  /// See ``EventPattern/requirements``.
  var requirements: [(name: String, params: [(path: String, value: TrackingValue?)])] {
    demands.compactMap { demands in
      let values = demands.values.filter { !$0.isOfContext }.map { ($0.path, Optional($0.value)) }
      return demands.names.first.map { ($0, values + demands.paths.map { ($0, nil) }) }
    }
  }

  private var demands: [EventDemands] {
    switch self {
    case .equal(let event):
      let values = event.params.sorted { $0.key < $1.key }.map { ($0.key.key, false, $0.value) }
      return [EventDemands(names: [event.name], values: values)]
    case .event(let name, let params):
      return [
        EventDemands(
          names: [name].compactMap(\.self), values: Self.values(of: params, isOfContext: false),
          paths: params.filter { $0.value.onlyValues.isEmpty && $0.value.needsValue }.map(\.path.param.key))
      ]
    case .context(let params): return [EventDemands(values: Self.values(of: params, isOfContext: true))]
    case .typed(let schema): return [EventDemands(names: [schema.name])]
    case .process(let name, _): return [EventDemands(processes: [name])]
    case .both(let left, let right): return EventDemands.both(left.demands, right.demands)
    case .either(let left, let right): return EventDemands.either(left.demands, right.demands)
    case .closed(let condition), .lenient(let condition): return condition.demands
    case .satisfying, .not: return [EventDemands()]
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
