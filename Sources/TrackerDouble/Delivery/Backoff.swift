/// The pauses between attempts that fail: 10 ms, doubling to 500 ms.
struct Backoff {
  private var pause: Duration?

  /// Whether an attempt has failed since the last reset.
  var isRetrying: Bool { pause != nil }

  /// The pause before the next attempt.
  mutating func next() -> Duration {
    let next = min(pause.map { $0 * 2 } ?? .milliseconds(10), .milliseconds(500))
    pause = next
    return next
  }

  mutating func reset() {
    pause = nil
  }
}
