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
    // Numbers begin at 1, so that all of them together are no more than the type holds.
    Int(clamping: numbers.reduce(0) { $0 + ($1.upperBound - $1.lowerBound + 1) })
  }
}
