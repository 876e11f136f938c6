import TrackingModel

/// Why a value is not one that a matcher accepts, and how far off it is.
struct ValueMismatch: Hashable {
  let differences: [EventDifference]

  /// How far off the value is, which is never 0.
  var distance: Double { MismatchWeight.of(differences) }
}
