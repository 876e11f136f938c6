import TrackingModel

/// What an event must be like.
indirect enum EventCondition: Sendable {
  case equal(TrackingEvent)
  /// An event of a name, or of any, with some of its params as they are asked for.
  case event(name: String?, params: [ParamCondition])
  case schema(SchemaCondition)
  case satisfying(String, @Sendable (TrackingEvent) -> Bool)
  /// What an SDK added to the event.
  case context([ParamCondition])
  case both(EventCondition, EventCondition)
  case either(EventCondition, EventCondition)
  case not(EventCondition)
  /// No param but those that are asked for.
  case closed(EventCondition)
  case lenient(EventCondition)
}

extension EventCondition {
  /// The name without which no event is asked for, where there is one.
  var name: String? {
    switch self {
    case .equal(let event): event.name
    case .event(let name, _): name
    case .schema(let schema): schema.name
    case .satisfying, .not, .context: nil
    case .both(let left, let right): left.name ?? right.name
    case .either(let left, let right): left.name == right.name ? left.name : nil
    case .closed(let condition), .lenient(let condition): condition.name
    }
  }

  /// Adds what is different about an event.
  func look(at event: TrackingEvent, _ reading: Reading, into differences: inout Differences) {
    switch self {
    case .equal(let expected):
      look(at: event, expecting: expected, reading, into: &differences)
    case .event(let name, let params):
      if let name, name != event.name { differences.add { _ in .name(expected: name, found: event.name) } }
      // An event of another name is another event, whose params were not meant.
      let isMeant = name == nil || name == event.name
      for param in params where !differences.isSettled {
        param.look(at: event.params, among: isMeant ? params : nil, reading, into: &differences)
      }
    case .schema(let schema):
      schema.look(at: event, into: &differences)
    case .satisfying(let description, let condition):
      if !condition(event) { differences.add { _ in .condition(description) } }
    case .context(let conditions):
      for condition in conditions where !differences.isSettled {
        condition.look(atContext: event.context, reading, into: &differences)
      }
    case .both(let left, let right):
      left.look(at: event, reading, into: &differences)
      if !differences.isSettled { right.look(at: event, reading, into: &differences) }
    case .either(let left, let right):
      let first = differences.found { left.look(at: event, reading, into: &$0) }
      if first.isEmpty { return differences.add(first) }
      let second = differences.found { right.look(at: event, reading, into: &$0) }
      differences.add(second.isEmpty || second.distance < first.distance ? second : first)
    case .not(let condition):
      guard differences.found(by: { condition.look(at: event, reading, into: &$0) }).isEmpty else { return }
      differences.add { _ in .condition("\(self)") }
    case .closed(let condition):
      condition.look(at: event, reading, into: &differences)
      if !differences.isSettled { condition.lookForExtras(in: event, reading, into: &differences) }
    case .lenient(let condition):
      condition.look(at: event, .lenient, into: &differences)
    }
  }

  private func look(
    at event: TrackingEvent, expecting expected: TrackingEvent, _ reading: Reading, into differences: inout Differences
  ) {
    if reading == .strict {
      if event == expected { return }
      // What differs need not be looked for to know that something does.
      if differences.purpose == .decide { return differences.add { .condition($0) } }
    }
    if event.name != expected.name {
      differences.add { _ in .name(expected: expected.name, found: event.name) }
    }
    for param in Set(expected.params.keys).union(event.params.keys).sorted() where !differences.isSettled {
      differences.at(param: param) {
        ValueComparison.look(at: event.params[param], expecting: expected.params[param], reading, into: &$0)
      }
    }
  }

  private func lookForExtras(in event: TrackingEvent, _ reading: Reading, into differences: inout Differences) {
    let named = params(askedForIn: event, reading)
    for (param, value) in event.params.sorted(by: { $0.key < $1.key }) where !named.contains(param) {
      differences.at(param: param) { $0.add { .extra(path: $0, found: value) } }
    }
  }

  /// The params of an event that are asked for, whether they are as they should be or not.
  private func params(askedForIn event: TrackingEvent, _ reading: Reading) -> Set<TrackingParam> {
    switch self {
    case .equal(let expected):
      return Set(expected.params.keys)
    case .event(_, let params):
      return Set(params.compactMap { $0.path.trace(in: event.params).param })
    case .schema(let schema):
      return schema.params(of: event)
    case .satisfying, .context:
      return []
    case .both(let left, let right):
      return left.params(askedForIn: event, reading).union(right.params(askedForIn: event, reading))
    case .either(let left, let right):
      // Of two alternatives, the one that the event is; where it is neither, that is said already.
      let asking = [left, right].filter { $0.holds(for: event, reading) }
      return (asking.isEmpty ? [left, right] : asking)
        .reduce(into: []) { $0.formUnion($1.params(askedForIn: event, reading)) }
    case .not(let condition), .closed(let condition):
      return condition.params(askedForIn: event, reading)
    case .lenient(let condition):
      return condition.params(askedForIn: event, .lenient)
    }
  }

  func holds(for event: TrackingEvent, _ reading: Reading) -> Bool {
    var differences = Differences(.decide)
    look(at: event, reading, into: &differences)
    return differences.isEmpty
  }
}
