/// Events that a double has numbered but that never arrived.
package struct LostEvents: Hashable, Sendable {
  /// The double of an app process: `<process token>.<n>`.
  package let launch: String
  /// The lost events' numbers, in order.
  package let numbers: [ClosedRange<UInt64>]
  /// The highest number that arrived from the launch.
  package let tracked: UInt64

  package var count: Int {
    // Numbers begin at 1, so their count fits the type.
    Int(clamping: numbers.reduce(0) { $0 + ($1.upperBound - $1.lowerBound + 1) })
  }

  /// The lost events among those numbered up to `last`; `nil` if there are none.
  package func known(at last: UInt64) -> LostEvents? {
    let numbers = numbers.filter { $0.upperBound < last }
    return numbers.isEmpty ? nil : LostEvents(launch: launch, numbers: numbers, tracked: last)
  }
}
