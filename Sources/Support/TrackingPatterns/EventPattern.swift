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
/// Declare a pattern that many tests use as a static property in an extension of ``ExpressibleByEventPattern``, with the type `Self`. Don't declare
/// one of the same name on `TrackingEvent`: `wait(for: .appOpened)` would be ambiguous.
public struct EventPattern: Sendable {
  let condition: EventCondition
  private let asksForProcess: Bool
  /// The only name of events that can match, if there is one.
  package let name: String?
  /// The names of the events that it matches, including those of alternatives; empty for a pattern of any names.
  package var names: [String] { condition.names }
  /// The reason why the pattern is invalid, so that no event can match it or a pattern that contains it.
  package let problem: String?

  init(condition: EventCondition, problem: String? = nil) {
    self.condition = condition
    name = condition.name
    asksForProcess = condition.asksForProcess
    self.problem = problem ?? condition.emptyName
  }

  /// The differences of an event from this pattern; `nil` if it matches.
  ///
  /// - Parameter process: The name of the process that tracked the event; `nil` if it is unknown.
  package func mismatch(of event: TrackingEvent, from process: @autoclosure () -> String? = nil) -> EventMismatch? {
    if let problem { return EventMismatch([.condition(problem)]) }
    let condition = asksForProcess ? condition.asked(about: process()) : condition
    if let name, !event.name.isSameText(as: name) { return EventMismatch(of: event, condition) }
    return condition.holds(for: event, Leniency(of: event)) ? nil : EventMismatch(of: event, condition)
  }
}

// MARK: - Mutants

extension EventPattern {
  /// Whether a part of the pattern is a closure of the test.
  package var hasClosure: Bool { condition.hasClosure }

  /// The parts of an event that the pattern looks at, in words that can follow "waits for the event": `by name and "currency"`.
  package var assertion: String { condition.assertion }

  /// Whether an event matches, whatever the closures would return; `nil` if it depends on them.
  ///
  /// - Parameter process: The name of the process that tracked the event; `nil` if it is unknown.
  package func matchesWithoutClosures(_ event: TrackingEvent, from process: String?) -> Bool? {
    guard problem == nil else { return false }
    let leniency = Leniency(of: event)
    let condition = condition.asked(about: process)
    let mayMatch = condition.assuming(true).holds(for: event, leniency)
    guard mayMatch else { return false }
    return condition.assuming(false).holds(for: event, leniency) ? true : nil
  }
}

// MARK: - Combinations

extension EventPattern {
  /// Events that match both patterns: `.named("purchase").and(.params([.screen: "cart"]))`.
  public func and(_ other: EventPattern) -> EventPattern {
    EventPattern(condition: .both(condition, other.condition), problem: problem ?? other.problem)
  }

  /// The matching events that a process tracked: `.named("timeline_refreshed").from("ShopWidget")`.
  ///
  /// The name is that of the executable: the app's, or an extension's. Only a `TrackerDouble` sends it: events of other senders, such as an SDK or a
  /// page, and those of the test's own process, don't match. Requests can't be matched by process.
  public func from(_ process: String) -> EventPattern {
    EventPattern(condition: .both(condition, .process(process, found: nil)), problem: problem)
  }

  /// Events that match at least one of both patterns: `.named("purchase").or(.named("refund"))`.
  public func or(_ other: EventPattern) -> EventPattern {
    EventPattern(condition: .either(condition, other.condition), problem: problem ?? other.problem)
  }

  /// Events that don't match: `.named("heartbeat").not()`.
  public func not() -> EventPattern {
    if case .not(let negated) = condition { return EventPattern(condition: negated, problem: problem) }
    return EventPattern(condition: .not(condition), problem: problem)
  }

  /// The matching events that have no params other than those that the pattern names.
  ///
  /// ```swift
  /// .named("purchase", params: ["total": .greater(than: 100), "coupon": .one(of: [.anyString, .absent])]).exact()
  /// ```
  ///
  /// It applies to params, not to the objects in them; a path such as `items[0].price` names the param `items`. A typed event names the params
  /// that its type encodes or reads, and a closure names none. Of alternatives (``or(_:)``) each names its own.
  public func exact() -> EventPattern {
    EventPattern(condition: condition.closed, problem: problem)
  }

  /// The same pattern for senders that write everything as text: `"12.5"` is also 12.5, and `"true"` is also `true`.
  ///
  /// It applies to all matchers of the pattern, but neither to closures nor to the decoding of typed events.
  public func lenient() -> EventPattern {
    EventPattern(condition: .lenient(condition), problem: problem)
  }
}

extension EventPattern: CustomStringConvertible {
  /// The pattern in words that can follow "waited for".
  public var description: String {
    problem.map { "\(condition) (which cannot match: \($0))" } ?? "\(condition)"
  }
}
