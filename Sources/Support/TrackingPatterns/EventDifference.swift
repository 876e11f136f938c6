import TrackingModel

/// One difference between an event and a pattern; a path such as `items[0].price` names a param or a part of one.
package indirect enum EventDifference: Hashable, Sendable {
  case name(expected: String, found: String)
  case value(path: String, expected: TrackingValue, found: TrackingValue)
  /// A matcher doesn't accept the value; `expected` describes what it accepts.
  case unmet(path: String, expected: String, found: TrackingValue, note: String?, weight: Double)
  case missing(path: String, expected: String, instead: Instead?)
  case extra(path: String, found: TrackingValue)
  /// Another process than the expected one tracked the event; `nil` if unknown.
  case process(expected: String, found: String?)
  /// A condition on the whole event, given by its description, doesn't hold.
  case condition(String)
  /// A rule of a schema, named by its keyword, is broken at a param: the value, and the reason in words.
  case rule(path: String, keyword: String, found: TrackingValue?, reason: String)
  /// The event can't be decoded as a typed one. This is the first reason; whether the other params fit isn't known.
  case typed(EventDifference)

  /// The value found in place of a missing one.
  package enum Instead: Hashable, Sendable {
    /// A param with a similar name, which the pattern doesn't name.
    case misspelt(TrackingParam, TrackingValue)
    /// The value at which the path ends early.
    case container(path: String, TrackingValue)
    /// The names of the members where the path ends early.
    case members(path: String, [String])
  }
}
