import TrackingModel

/// A condition on events.
///
/// ```swift
/// verifier.wait(for: .named("checkout_completed"))
/// verifier.wait(for: .named("purchase", params: ["total": .greater(than: 100), "currency": "EUR", "items[0].id": "42"]))
/// verifier.wait(for: .satisfying("three params") { $0.params.count == 3 })
/// ```
///
/// A pattern looks only at the params that it names; ``exact()`` excludes others. Combine patterns with ``and(_:)``, ``or(_:)`` and ``not()``.
///
/// Declare a pattern that many tests use as a static property of type `Self` in an extension of ``ExpressibleByEventPattern``. Don't declare one
/// with the same name on `TrackingEvent`: `wait(for: .appOpened)` would be ambiguous.
public struct EventPattern: Sendable {
  let condition: EventCondition
  private let dependsOnProcess: Bool
  /// The only event name that can match, if there is one.
  package let name: String?
  /// The event names that can match, including those of alternatives; empty if the pattern doesn't restrict names.
  package var names: [String] { condition.names }
  /// The process that each matching event comes from; `nil` if it isn't the same for all.
  package var process: String? { condition.process }
  /// The reason why the pattern is refused where it is used; `nil` if an event can match.
  package let problem: PatternProblem?

  init(condition: EventCondition, problem: PatternProblem? = nil) {
    self.condition = condition
    name = condition.name
    dependsOnProcess = condition.dependsOnProcess
    self.problem = problem ?? condition.emptyName.map(PatternProblem.invalid)
  }

  /// The differences of an event of a process (`nil` if unknown) from the pattern; `nil` if it matches.
  package func mismatch(of event: TrackingEvent, from process: @autoclosure () -> String? = nil) -> EventMismatch? {
    if let problem { return EventMismatch([.condition(problem.reason)]) }
    let condition = dependsOnProcess ? condition.resolved(for: process()) : condition
    if let name, !event.name.isSameText(as: name) { return EventMismatch(of: event, condition) }
    return condition.holds(for: event, Leniency(of: event)) ? nil : EventMismatch(of: event, condition)
  }
}

extension EventPattern {
  /// Whether every event matches.
  package var acceptsEverything: Bool { problem == nil && condition.acceptsEverything }

  /// For each alternative with a name, the params that a matching event must have, by path, with their only values, if any.
  package var requirements: [(name: String, params: [(path: String, value: TrackingValue?)])] {
    condition.requirements
  }
}

// MARK: - Mutants

extension EventPattern {
  package var hasClosure: Bool { condition.hasClosure }

  /// The parts of an event that the pattern reads, in words that can follow "waits for the event": `by name and "currency"`.
  ///
  /// `nil` if any event matches.
  package var assertion: String? { condition.assertion }

  /// Whether an event of a process (`nil` if unknown) matches, whatever the closures would return; `nil` if it depends on them.
  package func matchesWithoutClosures(_ event: TrackingEvent, from process: String?) -> Bool? {
    guard problem == nil else { return false }
    let leniency = Leniency(of: event)
    let condition = condition.resolved(for: process)
    let mayMatch = condition.assuming(true).holds(for: event, leniency)
    guard mayMatch else { return false }
    return condition.assuming(false).holds(for: event, leniency) ? true : nil
  }
}

// MARK: - Combinations

extension EventPattern {
  /// Returns a pattern for events that match both patterns: `.named("purchase").and(.params([.screen: "cart"]))`.
  ///
  /// Two names, or two values of one param, can't both match: a check of such a pattern fails at once.
  public func and(_ other: EventPattern) -> EventPattern {
    both(other.condition, .all(of: [problem, other.problem]))
  }

  /// Returns a pattern for the matching events that a process tracked: `.named("timeline_refreshed").from("ShopWidget")`.
  ///
  /// The name is that of the app's or the extension's executable. Only `TrackerDouble` sends it: events of other senders, such as SDKs and web
  /// pages, and events of the test's own process don't match. Requests can't be matched by process.
  public func from(_ process: String) -> EventPattern {
    both(.process(process, found: nil), problem)
  }

  private func both(_ other: EventCondition, _ problem: PatternProblem?) -> EventPattern {
    let both = EventCondition.both(condition, other)
    return EventPattern(condition: both, problem: problem ?? both.contradiction)
  }

  /// Returns a pattern for events that match at least one of the two patterns: `.named("purchase").or(.named("refund"))`.
  public func or(_ other: EventPattern) -> EventPattern {
    EventPattern(condition: .either(condition, other.condition), problem: .any(of: [problem, other.problem]))
  }

  /// Returns a pattern for events that don't match: `.named("heartbeat").not()`.
  public func not() -> EventPattern {
    if case .not(let negated) = condition { return EventPattern(condition: negated, problem: problem?.ofNegation) }
    return EventPattern(condition: .not(condition), problem: problem?.ofNegation)
  }

  /// Returns a pattern for the matching events whose params are all named by the pattern.
  ///
  /// ```swift
  /// .named("purchase", params: ["total": .greater(than: 100), "coupon": .one(of: [.anyString, .absent])]).exact()
  /// ```
  ///
  /// It applies to params, not to members of objects in them; a path such as `items[0].price` names the param `items`. A typed event names the
  /// params that its type encodes or reads, and a closure names none. Each alternative of ``or(_:)`` names its own params.
  public func exact() -> EventPattern {
    EventPattern(condition: condition.closed, problem: problem)
  }

  /// Returns the pattern for senders that write everything as text: `"12.5"` is also 12.5, and `"true"` is also `true`.
  ///
  /// It applies to all matchers of the pattern, but not to closures or the decoding of typed events.
  public func lenient() -> EventPattern {
    EventPattern(condition: .lenient(condition), problem: problem)
  }
}

extension EventPattern: CustomStringConvertible {
  /// The pattern in words that can follow "waited for".
  public var description: String {
    problem.map { "\(condition) (which cannot match: \($0.reason))" } ?? "\(condition)"
  }
}
