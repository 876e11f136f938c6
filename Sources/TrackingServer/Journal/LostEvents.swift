/// Events that a double numbered and that never arrived.
package struct LostEvents: Hashable, Sendable {
  /// The double of an app process: `<process token>.<n>`.
  package let launch: String
  /// Their numbers, in order.
  package let numbers: [ClosedRange<UInt64>]
  /// The highest number that arrived of that launch.
  package let tracked: UInt64

  /// The number of lost events.
  package var count: Int {
    // Numbers begin at 1, so that all of them together are no more than the type holds.
    Int(clamping: numbers.reduce(0) { $0 + ($1.upperBound - $1.lowerBound + 1) })
  }

  /// Those that were known to be missing when `last` was the highest number that had arrived; `nil` if none was.
  package func known(at last: UInt64) -> LostEvents? {
    let numbers = numbers.filter { $0.upperBound < last }
    return numbers.isEmpty ? nil : LostEvents(launch: launch, numbers: numbers, tracked: last)
  }
}
