extension EventPattern {
  /// Events that are also of another pattern: `.named("purchase").and(.params([.screen: "cart"]))`.
  public func and(_ other: EventPattern) -> EventPattern {
    EventPattern(.both(condition, other.condition), problem: problem ?? other.problem)
  }

  /// Events of this pattern, of the other, or of both: `.named("purchase").or(.named("refund"))`.
  public func or(_ other: EventPattern) -> EventPattern {
    EventPattern(.either(condition, other.condition), problem: problem ?? other.problem)
  }

  /// Events that are not of this pattern: `.named("heartbeat").not()`.
  public func not() -> EventPattern {
    EventPattern(condition.negated, problem: problem)
  }

  /// The same events, but with no params other than those that the pattern names.
  ///
  /// ```swift
  /// .named("purchase", params: ["total": .greater(than: 100), "coupon": .one(of: [.anyString, .absent])]).exactly()
  /// ```
  ///
  /// It closes the event, not the objects in it; a path such as `items[0].price` names the param `items`. A typed event names the params
  /// that its type has a place for, and a closure none. Of alternatives each is closed by itself.
  public func exactly() -> EventPattern {
    EventPattern(condition.closed, problem: problem)
  }

  /// The same events for senders that write everything as text: `"12.5"` is also 12.5, and `"true"` also `true`.
  ///
  /// It holds for all matchers of the pattern, but neither for closures nor for the decoding of typed events.
  public func lenient() -> EventPattern {
    EventPattern(.lenient(condition), problem: problem)
  }
}

extension EventCondition {
  fileprivate var negated: EventCondition {
    if case .not(let condition) = self { condition } else { .not(self) }
  }

  fileprivate var closed: EventCondition {
    switch self {
    case .either(let left, let right): .either(left.closed, right.closed)
    case .not(let condition): .not(condition.closed)
    case .lenient(let condition): .lenient(condition.closed)
    case .equal, .closed: self
    case .event, .schema, .satisfying, .context, .both: .closed(self)
    }
  }
}
