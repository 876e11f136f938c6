import TrackingModel

/// Which events a wait asks for.
///
/// ```swift
/// verifier.wait(for: .named("checkout_completed"))
/// verifier.wait(for: .named("purchase", params: ["total": .greater(than: 100), "currency": "EUR", "items[0].id": "42"]))
/// verifier.wait(for: .satisfying("three params") { $0.params.count == 3 })
/// ```
///
/// A pattern asks for the params that it names and takes no notice of others; ``exactly()`` closes it. Patterns combine with ``and(_:)``,
/// ``or(_:)`` and ``not()``.
///
/// A static of your own with the same name on `TrackingEvent` and on `EventPattern` makes `wait(for: .appOpened)` ambiguous: give it two names.
public struct EventPattern: Sendable {
  let condition: EventCondition
  /// The name without which no event is asked for, where there is one: events of another need no closer look.
  package let name: String?
  /// Why no event can be asked for in this way, if none can; it holds for everything that the pattern becomes a part of.
  package let problem: String?

  init(_ condition: EventCondition, problem: String? = nil) {
    self.condition = condition
    name = condition.name
    self.problem = problem
  }

  /// Why an event is not one that is asked for, and how far off it is; `nil` when it is one.
  package func mismatch(of event: TrackingEvent) -> EventMismatch? {
    if let problem { return EventMismatch([.condition(problem)]) }
    if let name, event.name != name { return EventMismatch(of: event, condition) }
    return condition.holds(for: event, Reading(of: event)) ? nil : EventMismatch(of: event, condition)
  }
}

extension EventPattern {
  /// Any event at all.
  public static let any = EventPattern(.event(name: nil, params: []))

  /// Events of a name, whatever their params.
  public static func named(_ name: String) -> EventPattern {
    EventPattern(.event(name: name, params: []))
  }

  /// Events of a name with some of their params, as literals or matchers.
  ///
  /// ```swift
  /// .named("purchase", params: [.screen: "cart", "total": .greater(than: 100), "items[0].price": .approximately(9.5, tolerance: 0.01)])
  /// ```
  ///
  /// A key is a param, or a path to a part of one: `items[0].price`. Where the names of an event's params hold dots themselves, the longest
  /// name that is there counts: a param `page.name` is never taken for the `name` of a `page`.
  public static func named(_ name: String, params: [TrackingParam: ValueMatcher]) -> EventPattern {
    event(name: name, params: params)
  }

  /// Events of a name with some of their params, from variables: strings, numbers, dates, enums.
  ///
  /// Next to matchers, a variable is `.equal(to: orderID)`.
  @_disfavoredOverload
  public static func named(_ name: String, params: [TrackingParam: (any TrackingValueConvertible)?]) -> EventPattern {
    event(name: name, params: params.mapValues { ValueMatcher(.equal($0?.trackingValue ?? .null)) })
  }

  /// Events of any name with some of their params, keyed and matched as in `named(_:params:)`: `.params([.screen: "cart"])`.
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

  /// Events equal to one: its name, all of its params and no others.
  public static func equal(to event: TrackingEvent) -> EventPattern {
    EventPattern(.equal(event))
  }

  /// Events equal to the one as which a typed event is tracked.
  public static func equal(to schema: some TrackingSchema) -> EventPattern {
    EventPattern(.equal(TrackingEvent(schema)))
  }

  /// Typed events: those of the type's name whose params make up a value of the type for which a condition holds, if there is one.
  ///
  /// ```swift
  /// .schema(AddedToCart.self)
  /// .schema(AddedToCart.self, "more than one piece") { $0.quantity > 1 }
  /// ```
  ///
  /// The description stands for the condition in failures. The condition runs on the thread of the test, for an expectation on the one that
  /// receives the event; perhaps more than once for an event.
  public static func schema<S: TrackingSchema>(
    _ type: S.Type, _ description: String = "the condition of the closure",
    where condition: (@Sendable (S) -> Bool)? = nil
  ) -> EventPattern {
    EventPattern(.schema(SchemaCondition(type, description, condition)))
  }

  /// Events for which a condition holds; the description stands for it in failures: `.satisfying("three params") { $0.params.count == 3 }`.
  ///
  /// The condition runs on the thread of the test, for an expectation on the one that receives the event; perhaps more than once for an event.
  public static var satisfying:
    @Sendable (_ description: String, _ condition: @escaping @Sendable (TrackingEvent) -> Bool) -> EventPattern
  {
    // A property and not a function: in asynchronous code the type checker holds a synchronous function against the wait that takes a pattern, goes
    // on to try the waits for a typed event with a closure whose types it does not know, and gives up on a condition of three terms.
    { EventPattern(.satisfying($0, $1)) }
  }

  private static func event(name: String?, params: [TrackingParam: ValueMatcher]) -> EventPattern {
    EventPattern(
      .event(name: name, params: ValueMatcher.conditions(of: params).map(ParamCondition.init)),
      problem: ValueMatcher.problem(of: params.values))
  }
}

extension EventPattern: CustomStringConvertible {
  /// What is asked for, in words that go on from "waited for".
  public var description: String {
    problem.map { "\(condition) (which cannot be: \($0))" } ?? "\(condition)"
  }
}
