import TrackingModel

/// One thing in which an event is not the one that was asked for.
///
/// A path such as `items[0].price` names a param or a part of one.
package enum EventDifference: Hashable, Sendable {
  case name(expected: String, found: String)
  /// A value is another than the one that was named.
  case value(path: String, expected: TrackingValue, found: TrackingValue)
  /// A value is none that a matcher accepts: what it accepts, in words; a note where the eye needs one; how much it weighs.
  case unmet(path: String, expected: String, found: TrackingValue, note: String?, weight: Double)
  case missing(path: String, expected: String, instead: Instead?)
  case extra(path: String, found: TrackingValue)
  /// A condition on the whole event, known by its description, does not hold.
  case condition(String)
  /// The params do not make up the typed event, for a reason in words.
  case schema(String)

  /// What there is where something is missing.
  package enum Instead: Hashable, Sendable {
    /// A param of nearly the same name, which nobody asked for.
    case misspelt(TrackingParam, TrackingValue)
    /// The value up to which a path leads.
    case container(path: String, TrackingValue)
  }
}
