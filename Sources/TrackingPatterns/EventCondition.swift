import TrackingModel

/// A condition on an event.
indirect enum EventCondition: Sendable {
  case equal(TrackingEvent)
  /// A name, unless any will do, and conditions on some params.
  case event(name: String?, params: [ParamCondition])
  case typed(TypedEventCondition)
  case satisfying(String, @Sendable (TrackingEvent) -> Bool)
  /// The values that an SDK added to the event.
  case context([ParamCondition])
  /// The name of the process that tracked the event. The event doesn't know it, so `asked(about:)` fills in the found one.
  case process(String, found: String?)
  case both(EventCondition, EventCondition)
  case either(EventCondition, EventCondition)
  case not(EventCondition)
  /// No params other than those that the condition names.
  case closed(EventCondition)
  case lenient(EventCondition)
}

extension EventCondition {
  /// The only name of events that can match, if there is one.
  var name: String? {
    switch self {
    case .equal(let event): event.name
    case .event(let name, _): name
    case .typed(let schema): schema.name
    case .satisfying, .context, .process, .not: nil
    case .both(let left, let right): left.name ?? right.name
    case .either(let left, let right):
      if let name = left.name, right.name?.isSameText(as: name) == true { name } else { nil }
    case .closed(let condition), .lenient(let condition): condition.name
    }
  }

  func holds(for event: TrackingEvent, _ reading: Reading) -> Bool {
    var differences = Differences(.decide)
    look(at: event, reading, into: &differences)
    return differences.isEmpty
  }

  /// Adds the differences of an event.
  func look(at event: TrackingEvent, _ reading: Reading, into differences: inout Differences) {
    switch self {
    case .equal(let expected):
      look(at: event, expecting: expected, reading, into: &differences)
    case .event(let name, let params):
      let isOtherEvent = name.map { !$0.isSameText(as: event.name) } ?? false
      if isOtherEvent { differences.add { _ in .name(expected: name ?? "", found: event.name) } }
      for param in params where !differences.isSettled {
        // The params of another event aren't misspelt ones of this event.
        param.look(at: event.params, among: isOtherEvent ? nil : params, reading, into: &differences)
      }
    case .typed(let schema):
      schema.look(at: event, into: &differences)
    case .satisfying(let description, let condition):
      if !condition(event) { differences.add { _ in .condition(description) } }
    case .context(let conditions):
      for condition in conditions where !differences.isSettled {
        condition.look(atContext: event.context, reading, into: &differences)
      }
    case .process(let name, let found):
      if found?.isSameText(as: name) != true { differences.add { _ in .process(expected: name, found: found) } }
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
      // To decide, it is enough to know that there is a difference.
      if differences.purpose == .decide { return differences.add { .condition($0) } }
    }
    if !event.name.isSameText(as: expected.name) {
      differences.add { _ in .name(expected: expected.name, found: event.name) }
    }
    for param in Set(expected.params.keys).union(event.params.keys).sorted() where !differences.isSettled {
      differences.at(param: param) { $0.compare(event.params[param], with: expected.params[param], reading) }
    }
  }

  private func lookForExtras(in event: TrackingEvent, _ reading: Reading, into differences: inout Differences) {
    let named = namedParams(of: event, reading)
    for (param, value) in event.params.sorted(by: { $0.key < $1.key }) where !named.contains(param) {
      differences.at(param: param) { $0.add { .extra(path: $0, found: value) } }
    }
  }

  /// The params of an event that the condition names, whether they match or not.
  private func namedParams(of event: TrackingEvent, _ reading: Reading) -> Set<TrackingParam> {
    switch self {
    case .equal(let expected):
      return Set(expected.params.keys)
    case .event(_, let params):
      return Set(params.compactMap { $0.path.trace(in: event.params).param })
    case .typed(let schema):
      return schema.namedParams(of: event)
    case .satisfying, .context, .process:
      return []
    case .both(let left, let right):
      return left.namedParams(of: event, reading).union(right.namedParams(of: event, reading))
    case .either(let left, let right):
      // The alternative that matches. If none does, the differences say so already.
      let matching = [left, right].filter { $0.holds(for: event, reading) }
      return (matching.isEmpty ? [left, right] : matching)
        .reduce(into: []) { $0.formUnion($1.namedParams(of: event, reading)) }
    case .not(let condition), .closed(let condition):
      return condition.namedParams(of: event, reading)
    case .lenient(let condition):
      return condition.namedParams(of: event, .lenient)
    }
  }
}

// MARK: - The process

extension EventCondition {
  /// Whether it depends on the process that tracked the event.
  var asksForProcess: Bool {
    switch self {
    case .process: true
    case .equal, .event, .typed, .satisfying, .context: false
    case .both(let left, let right), .either(let left, let right): left.asksForProcess || right.asksForProcess
    case .not(let condition), .closed(let condition), .lenient(let condition): condition.asksForProcess
    }
  }

  /// The same condition for an event of a process.
  func asked(about process: String?) -> EventCondition {
    switch self {
    case .process(let name, _): .process(name, found: process)
    case .equal, .event, .typed, .satisfying, .context: self
    case .both(let left, let right): .both(left.asked(about: process), right.asked(about: process))
    case .either(let left, let right): .either(left.asked(about: process), right.asked(about: process))
    case .not(let condition): .not(condition.asked(about: process))
    case .closed(let condition): .closed(condition.asked(about: process))
    case .lenient(let condition): .lenient(condition.asked(about: process))
    }
  }
}

extension EventCondition: CustomStringConvertible {
  /// The condition in words that can follow "waited for".
  var description: String {
    switch self {
    case .equal(let event): return "\(event)"
    case .event(let name, let params):
      let event = name.map { "an event named \"\($0)\"" } ?? (params.isEmpty ? "any event" : "an event")
      return params.isEmpty ? event : "\(event) with \(params.map(\.description).joined(separator: ", "))"
    case .typed(let schema): return "\(schema)"
    case .satisfying(let description, _): return "an event with \(description)"
    case .context(let conditions):
      return "an event with \(conditions.map { "context.\($0)" }.joined(separator: ", "))"
    case .process(let name, _): return "an event from the process \"\(name)\""
    case .both(let left, .process(let name, _)): return "\(left.operand(in: self)) from the process \"\(name)\""
    case .both(let left, let right): return "\(left.operand(in: self)) and \(right.operand(in: self))"
    case .either(let left, let right): return "\(left.operand(in: self)) or \(right.operand(in: self))"
    case .not(let condition): return "anything but \(condition.operand(in: self))"
    case .closed(let condition): return "\(condition.operand(in: self)) and no other params"
    case .lenient(let condition): return "\(condition.operand(in: self)), numbers and texts alike"
    }
  }

  /// The condition as part of a longer text, in parentheses if it would be ambiguous.
  private func operand(in outer: EventCondition) -> String {
    switch (self, outer) {
    case (.both, .both), (.either, .either), (.closed, .lenient): description
    case (.both, _), (.either, _), (.closed, _), (.lenient, _): "(\(self))"
    case (.event(_, let params), .both), (.event(_, let params), .either), (.event(_, let params), .not):
      params.isEmpty ? description : "(\(self))"
    case (.equal, _), (.event, _), (.typed, _), (.satisfying, _), (.context, _), (.process, _), (.not, _): description
    }
  }
}

/// A condition on the value at a path of an event.
struct ParamCondition: Sendable {
  let path: ParamPath
  let value: ValueCondition

  /// Adds the differences of an event's param.
  ///
  /// For a missing param, looks for one with nearly the same name that no other condition names, unless `others` is `nil`.
  func look(
    at params: [TrackingParam: TrackingValue], among others: [ParamCondition]?, _ reading: Reading,
    into differences: inout Differences
  ) {
    let trace = path.trace(in: params)
    let instead =
      differences.purpose == .decide || trace.value != nil ? nil : self.instead(trace, in: params, among: others)
    differences.at(param: path.param) { differences in
      value.look(at: trace.value, instead: instead, reading, into: &differences)
    }
  }

  /// Adds the differences of a member of an event's context.
  func look(atContext context: [String: TrackingValue], _ reading: Reading, into differences: inout Differences) {
    let found = path.value(inMembers: context)
    let instead = differences.purpose == .decide || found != nil ? nil : members(of: context)
    differences.at(param: "context") { differences in
      differences.at(member: path.param.key) {
        value.look(at: found, instead: instead, reading, into: &$0)
      }
    }
  }

  /// The members of the object at which the path ends.
  private func members(of context: [String: TrackingValue]) -> EventDifference.Instead {
    let params = Dictionary(uniqueKeysWithValues: context.map { (TrackingParam.custom(key: $0), $1) })
    guard let (path, value) = path.trace(in: params).deepest else {
      return .members(path: "context", context.keys.sorted())
    }
    guard case .object(let members) = value else { return .container(path: "context.\(path)", value) }
    return .members(path: "context.\(path)", members.keys.sorted())
  }

  private func instead(
    _ trace: ParamPath.Trace, in params: [TrackingParam: TrackingValue], among others: [ParamCondition]?
  ) -> EventDifference.Instead? {
    if let (path, value) = trace.deepest { return .container(path: path, value) }
    guard let others else { return nil }
    let named = Set(others.compactMap { $0.path.trace(in: params).param })
    return params.sorted { $0.key < $1.key }
      .map { (param: $0.key, value: $0.value, share: EditDistance.share(ofNames: $0.key.key, path.param.key)) }
      .filter { !named.contains($0.param) && $0.share <= EditDistance.misspelt }
      .min { $0.share < $1.share }
      .map { .misspelt($0.param, $0.value) }
  }
}

extension ParamCondition: CustomStringConvertible {
  var description: String { "\(path.param): \(value)" }
}
