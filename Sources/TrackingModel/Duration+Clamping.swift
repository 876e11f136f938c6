import Foundation

extension Duration {
  /// A number of seconds, clamped to between zero and about thirty years; zero for NaN.
  ///
  /// `Duration.seconds` traps on infinity, which is a sensible value in a configuration.
  package static func clamping(seconds: TimeInterval) -> Duration {
    seconds.isNaN ? .zero : .seconds(min(max(seconds, 0), 1_000_000_000))
  }
}
