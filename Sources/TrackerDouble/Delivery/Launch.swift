import TrackingSockets

/// The names by which doubles are told apart: `<process token>.<n>`.
enum Launch {
  private static let process = String(UInt64.random(in: .min ... .max), radix: 36)
  private static let last = Locked(0)

  /// A name that no other double has, in this process or another.
  static func next() -> String {
    let number = last.withLock { last in
      last += 1
      return last
    }
    return "\(process).\(number)"
  }
}
