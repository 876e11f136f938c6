import Foundation

package enum PollTimeout {
  package static let never: Int32 = -1

  /// In milliseconds, rounded up so that `poll` doesn't return just before the deadline; never negative.
  package static func milliseconds(
    until deadline: ContinuousClock.Instant, from now: ContinuousClock.Instant = .now
  ) -> Int32 {
    let (seconds, attoseconds) = (deadline - now).components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    guard seconds < 1_000_000 else { return 1_000_000_000 }
    return Int32(seconds) * 1_000 + Int32((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}
