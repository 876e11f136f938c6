import TrackingModel

/// A type that can be created from a pattern of events, and so can be written like one: `.named("purchase")`.
public protocol ExpressibleByEventPattern: Sendable {
  /// Creates a value for the events that match a pattern.
  init(_ pattern: EventPattern)
}

extension EventPattern: ExpressibleByEventPattern {
  /// Creates a copy of a pattern.
  public init(_ pattern: EventPattern) { self = pattern }
}

extension ExpressibleByEventPattern {
  /// Matches any event.
  public static var any: Self { event(name: nil, params: [:]) }

  /// Matches events with a name and any params.
  public static func named(_ name: String) -> Self {
    event(name: name, params: [:])
  }

  /// Matches events by name and some of their params, given as literals or matchers.
  ///
  /// ```swift
  /// .named("purchase", params: [.screen: "cart", "total": .greater(than: 100), "items[0].price": .approximately(9.5, tolerance: 0.01)])
  /// ```
  ///
  /// A key is a param, or a path to a part of one: `items[0].price`. If an event has a param `page.name`, that key names the param, not the `name`
  /// of a `page`.
  public static func named(_ name: String, params: [TrackingParam: ValueMatcher]) -> Self {
    event(name: name, params: params)
  }

  /// Matches events by name and some of their params, given as variables: strings, numbers, dates, enums.
  ///
  /// Among matchers, write a variable as `.equal(to: orderID)`.
  @_disfavoredOverload
  public static func named(_ name: String, params: [TrackingParam: (any TrackingValueConvertible)?]) -> Self {
    event(name: name, params: params.mapValues { ValueMatcher(.equal($0?.trackingValue ?? .null)) })
  }

  /// Matches events with any name by some of their params, as in `named(_:params:)`: `.params([.screen: "cart"])`.
  public static func params(_ params: [TrackingParam: ValueMatcher]) -> Self {
    event(name: nil, params: params)
  }

  /// Matches events by values that an analytics SDK added, given as in `named(_:params:)`: `.context(["$os": "iOS"])`.
  ///
  /// The context is everything that the app's developer didn't write: library, device, user and session.
  public static func context(_ members: [TrackingParam: ValueMatcher]) -> Self {
    Self(
      EventPattern(
        condition: .context(ValueMatcher.conditions(of: members).map(ParamCondition.init)),
        problem: ValueMatcher.problem(of: members)))
  }

  /// Matches events equal to another: the same name and the same params, without others.
  public static func equal(to event: TrackingEvent) -> Self {
    Self(EventPattern(condition: .equal(event)))
  }

  /// Matches events equal to the tracked form of a typed event.
  public static func equal(to schema: some TrackingSchema) -> Self {
    Self(EventPattern(condition: .equal(TrackingEvent(schema))))
  }

  /// Matches events that decode as a typed event and for which the closure, if any, returns `true`.
  ///
  /// ```swift
  /// .typed(AddedToCart.self)
  /// .typed(AddedToCart.self, "more than one piece") { $0.quantity > 1 }
  /// ```
  ///
  /// Failures show the description. The closure runs on the test's thread or, for an expectation, on the thread that receives the event. It may be
  /// called more than once for an event.
  public static func typed<S: TrackingSchema>(
    _ type: S.Type, _ description: String = "the condition of the closure",
    where condition: (@Sendable (S) -> Bool)? = nil
  ) -> Self {
    Self(EventPattern(condition: .typed(TypedEventCondition(type, description, condition))))
  }

  /// Matches events for which a closure returns `true`; failures show the description: `.satisfying("three params") { $0.params.count == 3 }`.
  ///
  /// The closure runs on the test's thread or, for an expectation, on the thread that receives the event. It may be called more than once for an
  /// event.
  public static func satisfying(
    _ description: String, _ condition: @escaping @Sendable (TrackingEvent) -> Bool
  ) -> Self {
    satisfying(description, differences: { condition($0) ? [] : [.condition(description)] })
  }

  /// Events in which a closure finds no differences.
  package static func satisfying(
    _ description: String, differences: @escaping @Sendable (TrackingEvent) -> [Difference]
  ) -> Self {
    Self(EventPattern(condition: .satisfying(description, differences)))
  }

  private static func event(name: String?, params: [TrackingParam: ValueMatcher]) -> Self {
    Self(
      EventPattern(
        condition: .event(name: name, params: ValueMatcher.conditions(of: params).map(ParamCondition.init)),
        problem: ValueMatcher.problem(of: params)))
  }
}
