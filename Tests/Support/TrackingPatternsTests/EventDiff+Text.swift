import TestSupport

@testable import TrackingPatterns

extension EventDiff {
  /// The diff of an event that a pattern does not accept, as one text; empty when it does.
  static func text(_ event: TrackingEvent, _ pattern: EventPattern) -> String {
    pattern.mismatch(of: event).map { lines(for: event, $0).joined(separator: "\n") } ?? ""
  }

  /// The diff of a value that a matcher does not accept, as the param `value` of an event.
  static func text(_ value: TrackingValue, _ matcher: ValueMatcher) -> String {
    text(TrackingEvent(name: "seen", params: ["value": value]), .named("seen", params: ["value": matcher]))
  }
}
