import Foundation

extension Duration {
  /// A number of seconds as a duration: no less than none, no more than some thirty years, and none for what is not a number.
  ///
  /// `Duration.seconds` traps on infinity, which is a sensible thing to say in a configuration.
  package static func clamping(seconds: TimeInterval) -> Duration {
    seconds.isNaN ? .zero : .seconds(min(max(seconds, 0), 1_000_000_000))
  }
}
