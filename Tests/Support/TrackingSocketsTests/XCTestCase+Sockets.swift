import TestSupport

extension XCTestCase {
  /// A deadline that only a failing test reaches.
  var soon: ContinuousClock.Instant { .now + .seconds(30) }
}
