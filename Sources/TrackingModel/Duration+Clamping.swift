import Foundation

extension Duration {
  /// Clamps seconds to between zero and about thirty years; NaN is zero.
  ///
  /// `Duration.seconds` traps on infinity, a sensible value in a configuration.
  package static func clamping(seconds: TimeInterval) -> Duration {
    seconds.isNaN ? .zero : .seconds(min(max(seconds, 0), 1_000_000_000))
  }
}
