/// Events that a double numbered and that never arrived.
package struct LostEvents: Hashable, Sendable {
  /// Which double of which app process: `<process token>.<n>`.
  package let launch: String
  /// Their numbers, in order.
  package let numbers: [ClosedRange<UInt64>]
  /// The highest number that arrived of that launch.
  package let tracked: UInt64

  /// How many they are.
  package var count: Int {
    numbers.reduce(0) { $0 + Int(clamping: $1.upperBound - $1.lowerBound) + 1 }
  }
}
