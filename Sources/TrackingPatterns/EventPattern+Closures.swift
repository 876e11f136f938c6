import TrackingModel

// Decides as far as possible without running a test's closures, which may not be able to read an event that no app would send.

extension EventPattern {
  /// Whether a part of the pattern is a closure of the test.
  package var hasClosure: Bool { condition.hasClosure }

  /// Whether an event matches, whatever the closures would return; `nil` if it depends on them.
  ///
  /// - Parameter process: The name of the process that tracked the event; `nil` if it is unknown.
  package func matchesWithoutClosures(_ event: TrackingEvent, from process: String?) -> Bool? {
    guard problem == nil else { return false }
    let reading = Reading(of: event)
    let condition = condition.asked(about: process)
    let mayMatch = condition.assuming(true).holds(for: event, reading)
    guard mayMatch else { return false }
    return condition.assuming(false).holds(for: event, reading) ? true : nil
  }
}

extension EventCondition {
  fileprivate var hasClosure: Bool {
    switch self {
    case .satisfying: true
    case .typed(let schema): schema.condition != nil
    case .event(_, let params), .context(let params): params.contains { $0.value.hasClosure }
    case .both(let left, let right), .either(let left, let right): left.hasClosure || right.hasClosure
    case .not(let condition), .closed(let condition), .lenient(let condition): condition.hasClosure
    case .equal, .process: false
    }
  }

  /// The condition with all closures replaced so that it holds for as many events as possible, or for as few as possible.
  fileprivate func assuming(_ holds: Bool) -> EventCondition {
    switch self {
    case .equal, .process: self
    case .event(let name, let params): .event(name: name, params: params.map { $0.assuming(holds) })
    case .typed(let schema): .typed(schema.assuming(holds))
    case .satisfying(let description, _): .satisfying(description) { _ in holds }
    case .context(let params): .context(params.map { $0.assuming(holds) })
    case .both(let left, let right): .both(left.assuming(holds), right.assuming(holds))
    case .either(let left, let right): .either(left.assuming(holds), right.assuming(holds))
    case .not(let condition): .not(condition.assuming(!holds))
    case .closed(let condition): .closed(condition.assuming(holds))
    case .lenient(let condition): .lenient(condition.assuming(holds))
    }
  }
}

extension ParamCondition {
  fileprivate func assuming(_ holds: Bool) -> ParamCondition {
    ParamCondition(path: path, value: value.assuming(holds))
  }
}

extension ValueCondition {
  fileprivate var hasClosure: Bool {
    switch self {
    case .satisfying: true
    case .elements(let conditions), .one(let conditions), .all(let conditions): conditions.contains(where: \.hasClosure)
    case .members(let members): members.values.contains(where: \.hasClosure)
    case .object(let conditions): conditions.contains { $0.value.hasClosure }
    case .each(let condition), .contains(let condition), .count(let condition), .not(let condition):
      condition.hasClosure
    case .equal, .any, .absent, .kind, .text, .ordered, .approximately: false
    }
  }

  fileprivate func assuming(_ holds: Bool) -> ValueCondition {
    switch self {
    case .satisfying(let closure): .satisfying(ValueClosure(closure.name) { _ in holds })
    case .elements(let conditions): .elements(conditions.map { $0.assuming(holds) })
    case .members(let members): .members(members.mapValues { $0.assuming(holds) })
    case .object(let conditions): .object(conditions.map { ($0.path, $0.value.assuming(holds)) })
    case .each(let condition): .each(condition.assuming(holds))
    case .contains(let condition): .contains(condition.assuming(holds))
    case .count(let condition): .count(condition.assuming(holds))
    case .one(let conditions): .one(of: conditions.map { $0.assuming(holds) })
    case .all(let conditions): .all(of: conditions.map { $0.assuming(holds) })
    case .not(let condition): .not(condition.assuming(!holds))
    case .equal, .any, .absent, .kind, .text, .ordered, .approximately: self
    }
  }
}
