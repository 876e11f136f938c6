import Foundation

/// Timeouts for `poll`.
package enum PollTimeout {
  /// No timeout.
  package static let never: Int32 = -1

  /// The milliseconds until a deadline, rounded up so that `poll` doesn't return just before it; never negative.
  package static func milliseconds(
    until deadline: ContinuousClock.Instant, from now: ContinuousClock.Instant = .now
  ) -> Int32 {
    let (seconds, attoseconds) = (deadline - now).components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    guard seconds < 1_000_000 else { return 1_000_000_000 }
    return Int32(seconds) * 1_000 + Int32((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}

extension Duration {
  /// A number of seconds, clamped to between zero and about thirty years; zero for NaN.
  ///
  /// `Duration.seconds` traps on infinity, which is a sensible value in a configuration.
  package static func clamping(seconds: TimeInterval) -> Duration {
    seconds.isNaN ? .zero : .seconds(min(max(seconds, 0), 1_000_000_000))
  }
}
