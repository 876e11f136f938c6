import TrackingModel

/// One difference between an event and a pattern.
///
/// A path such as `items[0].price` names a param or a part of one.
package indirect enum EventDifference: Hashable, Sendable {
  case name(expected: String, found: String)
  /// Another value than the expected one.
  case value(path: String, expected: TrackingValue, found: TrackingValue)
  /// A value that a matcher doesn't accept: what it accepts, in words; a note, where one helps; how much the difference weighs.
  case unmet(path: String, expected: String, found: TrackingValue, note: String?, weight: Double)
  case missing(path: String, expected: String, instead: Instead?)
  case extra(path: String, found: TrackingValue)
  /// Another process than the expected one tracked the event; `nil` for an unknown one.
  case process(expected: String, found: String?)
  /// A condition on the whole event, named by its description, doesn't hold.
  case condition(String)
  /// A rule of a schema, named by its keyword, is broken at a param: the value, and the reason in words.
  case rule(path: String, keyword: String, found: TrackingValue?, reason: String)
  /// The event can't be decoded as a typed one. This is the first reason; whether the other params fit isn't known.
  case typed(EventDifference)

  /// A value found instead of a missing one.
  package enum Instead: Hashable, Sendable {
    /// A param with nearly the same name, which the pattern doesn't name.
    case misspelt(TrackingParam, TrackingValue)
    /// The value at which a path ends.
    case container(path: String, TrackingValue)
    /// The names of the members at which a path ends.
    case members(path: String, [String])
  }
}
