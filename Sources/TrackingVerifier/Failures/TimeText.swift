import TrackingModel

/// Times as failures write them.
enum TimeText {
  /// `5 s`, `0.25 s`: a number of seconds as the test wrote it.
  static func seconds(_ seconds: Double) -> String {
    "\(TrackingValue.double(seconds)) s"
  }

  /// `140 ms`, `1.2 s`: how long something took, in three digits.
  static func duration(_ duration: Duration) -> String {
    let milliseconds = milliseconds(duration)
    return milliseconds < 1_000 ? "\(milliseconds) ms" : "\(TrackingValue.double(Double(milliseconds / 10) / 100)) s"
  }

  /// `+140 ms`, `-1.2 s`: when something happened, seen from some moment.
  static func offset(_ offset: Duration) -> String {
    offset < .zero ? "-\(duration(.zero - offset))" : "+\(duration(offset))"
  }

  /// Milliseconds with a fraction of three digits, for tools.
  static func fractionalMilliseconds(_ duration: Duration) -> Double {
    let (seconds, attoseconds) = duration.components
    return Double(seconds * 1_000_000 + attoseconds / 1_000_000_000_000) / 1_000
  }

  private static func milliseconds(_ duration: Duration) -> Int64 {
    let (seconds, attoseconds) = duration.components
    return seconds * 1_000 + attoseconds / 1_000_000_000_000_000
  }
}
