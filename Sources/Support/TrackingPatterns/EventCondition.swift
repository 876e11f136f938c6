import TrackingModel

indirect enum EventCondition: Sendable {
  case equal(TrackingEvent)
  case event(name: String?, params: [ParamCondition])
  case typed(TypedEventCondition)
  /// A closure, described in words, which returns the differences.
  case satisfying(String, @Sendable (TrackingEvent) -> [Difference])
  /// The values that an SDK added to the event.
  case context([ParamCondition])
  /// The name of the tracking process; events don't carry it, so `resolved(for:)` sets the found one.
  case process(String, found: String?)
  case both(EventCondition, EventCondition)
  case either(EventCondition, EventCondition)
  case not(EventCondition)
  /// Excludes params that the condition doesn't name.
  case closed(EventCondition)
  case lenient(EventCondition)
}

extension EventCondition {
  /// The problem of an empty name, which can't match.
  var emptyName: String? {
    switch self {
    case .event(name: ""?, _): "an event's name isn't empty"
    case .equal(let event) where event.name.isEmpty: "an event's name isn't empty"
    case .typed(let schema) where schema.name.isEmpty: "an event's name isn't empty"
    case .process("", _): "a process's name isn't empty"
    case .both(let left, let right): left.emptyName ?? right.emptyName
    default: nil
    }
  }

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

  var names: [String] {
    switch self {
    case .equal(let event): [event.name]
    case .event(let name, _): [name].compactMap(\.self)
    case .typed(let schema): [schema.name]
    case .both(let left, let right), .either(let left, let right): left.names + right.names
    case .closed(let condition), .lenient(let condition): condition.names
    case .satisfying, .context, .process, .not: []
    }
  }

  /// The process that each matching event comes from.
  var process: String? {
    switch self {
    case .process(let name, _): name
    case .both(let left, let right): left.process ?? right.process
    case .either(let left, let right):
      if let name = left.process, right.process?.isSameText(as: name) == true { name } else { nil }
    case .closed(let condition), .lenient(let condition): condition.process
    case .equal, .event, .typed, .satisfying, .context, .not: nil
    }
  }

  func holds(for event: TrackingEvent, _ leniency: Leniency) -> Bool {
    var differences = Differences(.decide)
    look(at: event, leniency, into: &differences)
    return differences.isEmpty
  }

  func look(at event: TrackingEvent, _ leniency: Leniency, into differences: inout Differences) {
    switch self {
    case .equal(let expected):
      look(at: event, expecting: expected, leniency, into: &differences)
    case .event(let name, let params):
      let isOtherEvent = name.map { !$0.isSameText(as: event.name) } ?? false
      if isOtherEvent { differences.add { _ in .name(expected: name ?? "", found: event.name) } }
      for param in params where !differences.isSettled {
        // Params of a differently named event aren't misspelled ones of this event.
        param.look(at: event.params, among: isOtherEvent ? nil : params, leniency, into: &differences)
      }
    case .typed(let schema):
      schema.look(at: event, into: &differences)
    case .satisfying(_, let condition):
      for difference in condition(event) { differences.add { _ in difference } }
    case .context(let conditions):
      for condition in conditions where !differences.isSettled {
        condition.look(atContext: event.context, leniency, into: &differences)
      }
    case .process(let name, let found):
      if found?.isSameText(as: name) != true { differences.add { _ in .process(expected: name, found: found) } }
    case .both(let left, let right):
      left.look(at: event, leniency, into: &differences)
      if !differences.isSettled { right.look(at: event, leniency, into: &differences) }
    case .either(let left, let right):
      let first = differences.found { left.look(at: event, leniency, into: &$0) }
      if first.isEmpty { return differences.add(first) }
      let second = differences.found { right.look(at: event, leniency, into: &$0) }
      differences.add(second.isEmpty || second.distance < first.distance ? second : first)
    case .not(let condition):
      guard differences.found(by: { condition.look(at: event, leniency, into: &$0) }).isEmpty else { return }
      differences.add { _ in .condition("\(self)") }
    case .closed(let condition):
      condition.look(at: event, leniency, into: &differences)
      if !differences.isSettled { condition.lookForExtras(in: event, leniency, into: &differences) }
    case .lenient(let condition):
      condition.look(at: event, .lenient, into: &differences)
    }
  }

  private func look(
    at event: TrackingEvent, expecting expected: TrackingEvent, _ leniency: Leniency,
    into differences: inout Differences
  ) {
    if leniency == .strict {
      if event == expected { return }
      // One difference is enough to decide.
      if differences.purpose == .decide { return differences.add { .condition($0) } }
    }
    if !event.name.isSameText(as: expected.name) {
      differences.add { _ in .name(expected: expected.name, found: event.name) }
    }
    let instead = differences.purpose == .explain ? Self.misspelt(in: event, expecting: expected) : [:]
    let found = Set(instead.values.map(\.param))
    for param in Set(expected.params.keys).union(event.params.keys).sorted()
    where !differences.isSettled && !found.contains(param) {
      differences.at(param: param) {
        $0.compare(
          event.params[param], with: expected.params[param],
          instead: instead[param].map { .misspelt($0.param, $0.value) }, leniency)
      }
    }
  }

  /// Params with nearly the names of missing ones; empty for a differently named event.
  private static func misspelt(
    in event: TrackingEvent, expecting expected: TrackingEvent
  ) -> [TrackingParam: (param: TrackingParam, value: TrackingValue)] {
    guard event.name.isSameText(as: expected.name) else { return [:] }
    let extras = event.params.filter { expected.params[$0.key] == nil }
    let missing = expected.params.keys.filter { event.params[$0] == nil }
    return Dictionary(
      uniqueKeysWithValues: missing.compactMap { param in param.similar(in: extras).map { (param, $0) } })
  }

  private func lookForExtras(in event: TrackingEvent, _ leniency: Leniency, into differences: inout Differences) {
    let named = namedParams(of: event, leniency)
    for (param, value) in event.params.sorted(by: { $0.key < $1.key }) where !named.contains(param) {
      differences.at(param: param) { $0.add { .extra(path: $0, found: value) } }
    }
  }

  /// The event's params that the condition names, whether they match or not.
  private func namedParams(of event: TrackingEvent, _ leniency: Leniency) -> Set<TrackingParam> {
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
      return left.namedParams(of: event, leniency).union(right.namedParams(of: event, leniency))
    case .either(let left, let right):
      // The alternative that matches; if none does, the differences already say so.
      let matching = [left, right].filter { $0.holds(for: event, leniency) }
      return (matching.isEmpty ? [left, right] : matching)
        .reduce(into: []) { $0.formUnion($1.namedParams(of: event, leniency)) }
    case .not(let condition), .closed(let condition):
      return condition.namedParams(of: event, leniency)
    case .lenient(let condition):
      return condition.namedParams(of: event, .lenient)
    }
  }
}

// MARK: - Parts

extension EventCondition {
  /// Whether every event meets the condition, whatever its params.
  var acceptsEverything: Bool {
    switch self {
    case .event(name: nil, let params): params.isEmpty
    case .both(let left, let right): left.acceptsEverything && right.acceptsEverything
    case .either(let left, let right): left.acceptsEverything || right.acceptsEverything
    case .lenient(let condition): condition.acceptsEverything
    case .equal, .event, .typed, .satisfying, .context, .process, .not, .closed: false
    }
  }

  private var parts: [EventCondition] {
    switch self {
    case .both(let left, let right), .either(let left, let right): [left, right]
    case .not(let condition), .closed(let condition), .lenient(let condition): [condition]
    case .equal, .event, .typed, .satisfying, .context, .process: []
    }
  }

  func mapping(_ part: (EventCondition) -> EventCondition) -> EventCondition {
    switch self {
    case .both(let left, let right): .both(part(left), part(right))
    case .either(let left, let right): .either(part(left), part(right))
    case .not(let condition): .not(part(condition))
    case .closed(let condition): .closed(part(condition))
    case .lenient(let condition): .lenient(part(condition))
    case .equal, .event, .typed, .satisfying, .context, .process: self
    }
  }

  var dependsOnProcess: Bool {
    if case .process = self { true } else { parts.contains(where: \.dependsOnProcess) }
  }

  func resolved(for process: String?) -> EventCondition {
    if case .process(let name, _) = self { return .process(name, found: process) }
    return mapping { $0.resolved(for: process) }
  }

  var hasClosure: Bool {
    switch self {
    case .satisfying: true
    case .typed(let schema): schema.condition != nil
    case .event(_, let params), .context(let params): params.contains { $0.value.hasClosure }
    default: parts.contains(where: \.hasClosure)
    }
  }

  /// Replaces all closures so that the condition holds for as many events as possible, or for as few as possible.
  func assuming(_ holds: Bool) -> EventCondition {
    switch self {
    case .event(let name, let params): .event(name: name, params: params.map { $0.assuming(holds) })
    case .context(let params): .context(params.map { $0.assuming(holds) })
    case .typed(let schema): .typed(schema.assuming(holds))
    case .satisfying(let description, _): .satisfying(description) { _ in holds ? [] : [.condition(description)] }
    case .not(let condition): .not(condition.assuming(!holds))
    default: mapping { $0.assuming(holds) }
    }
  }

  /// The condition, excluding params that it doesn't name.
  var closed: EventCondition {
    switch self {
    case .either, .lenient: mapping(\.closed)
    case .equal, .closed: self
    default: .closed(self)
    }
  }
}

// MARK: - Words

extension EventCondition: CustomStringConvertible {
  var description: String { words.text }

  /// Words that can follow "waited for".
  var words: Headline {
    switch self {
    case .equal(let event): return Headline(of: event)
    case .event(let name, let params):
      let event: Headline =
        name.map { "an event named \"\(name: $0)\"" } ?? (params.isEmpty ? "any event" : "an event")
      let list = params.map { Headline.Param($0.description, at: $0.path.param.key) }
      return params.isEmpty ? event : "\(event) with \(params: list)"
    case .typed(let schema): return "\(name: schema.description)"
    case .satisfying(let description, _): return "an event with \(foreign: description)"
    case .context(let conditions):
      let list = conditions.map { Headline.Param("context.\($0)", at: "context.\($0.path.param.key)") }
      return "an event with \(params: list)"
    case .process(let name, _): return "an event from the process \"\(name: name)\""
    case .both(let left, .process(let name, _)):
      return "\(left.operand(in: self)) from the process \"\(name: name)\""
    case .both(let left, let right): return "\(left.operand(in: self)) and \(right.operand(in: self))"
    case .either:
      let (first, others) = (alternatives[0].operand(in: self), alternatives.dropFirst())
      let list = others.map { Headline.Param($0.operand(in: self).text, isWhole: true) }
      return "\(first) or \(params: list, separator: " or ")"
    case .not(let condition): return "anything but \(condition.operand(in: self))"
    case .closed(let condition): return "\(condition.operand(in: self)) and no other params"
    case .lenient(let condition): return "\(condition.operand(in: self)), numbers and texts alike"
    }
  }

  private var alternatives: [EventCondition] {
    if case .either(let left, let right) = self { left.alternatives + right.alternatives } else { [self] }
  }

  /// Adds parentheses where the words would be ambiguous.
  private func operand(in outer: EventCondition) -> Headline {
    switch (self, outer) {
    case (.both, .both), (.either, .either), (.closed, .lenient): words
    case (.both, _), (.either, _), (.closed, _), (.lenient, _): "(\(words))"
    case (.event(_, let params), .both), (.event(_, let params), .either), (.event(_, let params), .not):
      params.isEmpty ? words : "(\(words))"
    case (.equal, _), (.event, _), (.typed, _), (.satisfying, _), (.context, _), (.process, _), (.not, _): words
    }
  }
}

extension EventCondition {
  /// The parts of an event that the condition reads, in words that can follow "waits for the event": `by name and "currency"`.
  ///
  /// `nil` if any event meets the condition.
  var assertion: String? {
    switch self {
    case .equal: "as a whole"
    case .event(let name, let params): Self.assertion(name, params)
    case .typed(let schema): "as \(schema.typeName)\(schema.condition == nil ? "" : " and by a closure")"
    case .satisfying: "by a closure"
    case .context: "by its context"
    case .process(let name, _): "from the process \"\(name)\""
    case .both(let left, let right):
      left.assertion.map { left in right.assertion.map { "\(left) and \($0)" } ?? left } ?? right.assertion
    case .either(let left, let right):
      left.assertion.flatMap { left in right.assertion.map { "\(left) or \($0)" } }
    case .not: "by what it isn't"
    case .closed(let condition): "\(condition.assertion.map { "\($0) and " } ?? "by ")no other params"
    case .lenient(let condition): condition.assertion
    }
  }

  private static func assertion(_ name: String?, _ params: [ParamCondition]) -> String? {
    let names = (name == nil ? [] : ["name"]) + params.map { "\"\($0.path.param.key)\"" }
    return names.isEmpty ? nil : "by \(names.inWords())"
  }
}
