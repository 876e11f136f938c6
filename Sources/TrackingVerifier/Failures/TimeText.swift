import TrackingModel

/// Times as failures write them.
enum TimeText {
  /// `5 s`, `0.25 s`: a number of seconds as the test wrote it.
  static func seconds(_ seconds: Double) -> String {
    "\(TrackingValue.double(seconds)) s"
  }

  /// `0.3 ms`, `140 ms`, `1.2 s`: how long something took, in as many digits as matter.
  static func duration(_ duration: Duration) -> String {
    let milliseconds = fractionalMilliseconds(duration)
    if milliseconds < 1 { return "\(TrackingValue.double((milliseconds * 10).rounded() / 10)) ms" }
    if milliseconds < 1_000 { return "\(Int(milliseconds)) ms" }
    return "\(TrackingValue.double((milliseconds / 10).rounded(.down) / 100)) s"
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
}
