import TrackingModel

/// Which events a wait asks for.
///
/// ```swift
/// verifier.wait(for: .named("checkout_completed"))
/// verifier.wait(for: .satisfying("a total above 100") { $0.params["total"] == 120 })
/// ```
///
/// A static of your own with the same name on `TrackingEvent` and on `EventPattern` makes `wait(for: .appOpened)` ambiguous: give it two names.
public struct EventPattern: Sendable {
  private enum Form: Sendable {
    case equal(TrackingEvent)
    case named(String)
    case satisfying(String, @Sendable (TrackingEvent) -> Bool)
  }

  private let form: Form

  /// Events of a name, whatever their params.
  public static func named(_ name: String) -> EventPattern {
    EventPattern(form: .named(name))
  }

  /// Events for which a condition holds; the description stands for it in failures.
  ///
  /// The condition runs on the thread of the test that waits.
  public static func satisfying(
    _ description: String, _ condition: @escaping @Sendable (TrackingEvent) -> Bool
  ) -> EventPattern {
    EventPattern(form: .satisfying(description, condition))
  }

  /// Events equal to one.
  static func equal(to event: TrackingEvent) -> EventPattern {
    EventPattern(form: .equal(event))
  }

  /// The name without which no event is asked for, where there is one.
  var name: String? {
    switch form {
    case .equal(let event): event.name
    case .named(let name): name
    case .satisfying: nil
    }
  }

  /// Why an event is not one that is asked for, and how far off it is; `nil` when it is one.
  func mismatch(of event: TrackingEvent) -> EventMismatch? {
    switch form {
    case .equal(let expected):
      event == expected ? nil : EventMismatch(of: event, from: expected)
    case .named(let name):
      event.name == name ? nil : EventMismatch([.name(expected: name, found: event.name)])
    case .satisfying(let description, let condition):
      condition(event) ? nil : EventMismatch([.condition(description)])
    }
  }
}

extension EventPattern: CustomStringConvertible {
  /// What is asked for, in words that go on from "waited for".
  public var description: String {
    switch form {
    case .equal(let event): "\(event)"
    case .named(let name): "an event named \"\(name)\""
    case .satisfying(let description, _): "an event with \(description)"
    }
  }
}
