import TrackingModel

/// A condition on events.
///
/// ```swift
/// verifier.wait(for: .named("checkout_completed"))
/// verifier.wait(for: .named("purchase", params: ["total": .greater(than: 100), "currency": "EUR", "items[0].id": "42"]))
/// verifier.wait(for: .satisfying("three params") { $0.params.count == 3 })
/// ```
///
/// A pattern looks only at the params that it names; ``exactly()`` excludes others. Combine patterns with ``and(_:)``, ``or(_:)`` and ``not()``.
///
/// Don't declare a static property of the same name on `TrackingEvent` and on `EventPattern`: `wait(for: .appOpened)` would be ambiguous.
public struct EventPattern: Sendable {
  let condition: EventCondition
  /// The only name of events that can match, if there is one.
  package let name: String?
  /// The reason why the pattern is invalid, so that no event can match it or a pattern that contains it.
  package let problem: String?

  init(_ condition: EventCondition, problem: String? = nil) {
    self.condition = condition
    name = condition.name
    self.problem = problem
  }

  /// The differences of an event from this pattern; `nil` if it matches.
  package func mismatch(of event: TrackingEvent) -> EventMismatch? {
    if let problem { return EventMismatch([.condition(problem)]) }
    if let name, !event.name.isSameText(as: name) { return EventMismatch(of: event, condition) }
    return condition.holds(for: event, Reading(of: event)) ? nil : EventMismatch(of: event, condition)
  }
}

extension EventPattern {
  /// Any event.
  public static let any = EventPattern(.event(name: nil, params: []))

  /// Events with a name and any params.
  public static func named(_ name: String) -> EventPattern {
    EventPattern(.event(name: name, params: []))
  }

  /// Events with a name and some matching params, given as literals or matchers.
  ///
  /// ```swift
  /// .named("purchase", params: [.screen: "cart", "total": .greater(than: 100), "items[0].price": .approximately(9.5, tolerance: 0.01)])
  /// ```
  ///
  /// A key is a param, or a path to a part of one: `items[0].price`. If an event has a param `page.name`, that key is this param, and not the
  /// `name` of a `page`.
  public static func named(_ name: String, params: [TrackingParam: ValueMatcher]) -> EventPattern {
    event(name: name, params: params)
  }

  /// Events with a name and some params, given as variables: strings, numbers, dates, enums.
  ///
  /// Among matchers, write a variable as `.equal(to: orderID)`.
  @_disfavoredOverload
  public static func named(_ name: String, params: [TrackingParam: (any TrackingValueConvertible)?]) -> EventPattern {
    event(name: name, params: params.mapValues { ValueMatcher(.equal($0?.trackingValue ?? .null)) })
  }

  /// Events with any name and some matching params, as in `named(_:params:)`: `.params([.screen: "cart"])`.
  public static func params(_ params: [TrackingParam: ValueMatcher]) -> EventPattern {
    event(name: nil, params: params)
  }

  /// Events to which an analytics SDK added these values, keyed and matched as in `named(_:params:)`: `.context(["$os": "iOS"])`.
  ///
  /// The context holds everything that the app's developer did not write: library, device, user and session.
  public static func context(_ members: [TrackingParam: ValueMatcher]) -> EventPattern {
    EventPattern(
      .context(ValueMatcher.conditions(of: members).map(ParamCondition.init)),
      problem: ValueMatcher.problem(of: members.values))
  }

  /// Events equal to another: the same name, the same params and no others.
  public static func equal(to event: TrackingEvent) -> EventPattern {
    EventPattern(.equal(event))
  }

  /// Events equal to the one that a typed event is tracked as.
  public static func equal(to schema: some TrackingSchema) -> EventPattern {
    EventPattern(.equal(TrackingEvent(schema)))
  }

  /// Events that can be decoded as a type of typed events, and for which a closure, if there is one, returns `true`.
  ///
  /// ```swift
  /// .typed(AddedToCart.self)
  /// .typed(AddedToCart.self, "more than one piece") { $0.quantity > 1 }
  /// ```
  ///
  /// Failures show the description. The closure runs on the test's thread, and for an expectation on the thread that receives the event. It may be
  /// called more than once for an event.
  public static func typed<S: TrackingSchema>(
    _ type: S.Type, _ description: String = "the condition of the closure",
    where condition: (@Sendable (S) -> Bool)? = nil
  ) -> EventPattern {
    EventPattern(.typed(TypedEventCondition(type, description, condition)))
  }

  /// Events for which a closure returns `true`; failures show the description: `.satisfying("three params") { $0.params.count == 3 }`.
  ///
  /// The closure runs on the test's thread, and for an expectation on the thread that receives the event. It may be called more than once for an
  /// event.
  public static var satisfying:
    @Sendable (_ description: String, _ condition: @escaping @Sendable (TrackingEvent) -> Bool) -> EventPattern
  {
    // A property and not a function: in asynchronous code the type checker ranks a wait with a synchronous function in its argument below others, tries
    // the waits for a typed event with a closure of unknown types, and gives up on a condition of three terms.
    { EventPattern(.satisfying($0, $1)) }
  }

  private static func event(name: String?, params: [TrackingParam: ValueMatcher]) -> EventPattern {
    EventPattern(
      .event(name: name, params: ValueMatcher.conditions(of: params).map(ParamCondition.init)),
      problem: ValueMatcher.problem(of: params.values))
  }
}

// MARK: - Combinations

extension EventPattern {
  /// Events that match both patterns: `.named("purchase").and(.params([.screen: "cart"]))`.
  public func and(_ other: EventPattern) -> EventPattern {
    EventPattern(.both(condition, other.condition), problem: problem ?? other.problem)
  }

  /// Events that match at least one of both patterns: `.named("purchase").or(.named("refund"))`.
  public func or(_ other: EventPattern) -> EventPattern {
    EventPattern(.either(condition, other.condition), problem: problem ?? other.problem)
  }

  /// Events that don't match: `.named("heartbeat").not()`.
  public func not() -> EventPattern {
    if case .not(let negated) = condition { return EventPattern(negated, problem: problem) }
    return EventPattern(.not(condition), problem: problem)
  }

  /// The matching events that have no params other than those that the pattern names.
  ///
  /// ```swift
  /// .named("purchase", params: ["total": .greater(than: 100), "coupon": .one(of: [.anyString, .absent])]).exactly()
  /// ```
  ///
  /// It applies to params, not to the objects in them; a path such as `items[0].price` names the param `items`. A typed event names the params
  /// that its type encodes or reads, and a closure names none. Of alternatives (``or(_:)``) each names its own.
  public func exactly() -> EventPattern {
    EventPattern(condition.closed, problem: problem)
  }

  /// The same pattern for senders that write everything as text: `"12.5"` is also 12.5, and `"true"` is also `true`.
  ///
  /// It applies to all matchers of the pattern, but neither to closures nor to the decoding of typed events.
  public func lenient() -> EventPattern {
    EventPattern(.lenient(condition), problem: problem)
  }
}

extension EventCondition {
  fileprivate var closed: EventCondition {
    switch self {
    case .either(let left, let right): .either(left.closed, right.closed)
    case .lenient(let condition): .lenient(condition.closed)
    case .equal, .closed: self
    case .event, .typed, .satisfying, .context, .both, .not: .closed(self)
    }
  }
}

extension EventPattern: CustomStringConvertible {
  /// The pattern in words that can follow "waited for".
  public var description: String {
    problem.map { "\(condition) (which cannot match: \($0))" } ?? "\(condition)"
  }
}
