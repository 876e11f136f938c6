import StubModel

/// The recorded numbers among those of one double's events, from 1.
struct SequenceLedger {
  /// Recorded numbers as ascending ranges that don't touch.
  private var ranges: [ClosedRange<UInt64>] = []
  /// The number before the first that this ledger accounts for.
  private let base: UInt64

  /// Creates a ledger for a double that is known since its first event, or since `first`.
  init(since first: UInt64 = 1) {
    base = max(first, 1) - 1
  }

  var last: UInt64 { ranges.last?.upperBound ?? base }

  /// Notes numbers, some of which may be known.
  mutating func insert(_ numbers: ClosedRange<UInt64>) {
    // Almost always the next ones.
    if let range = ranges.last, range.upperBound < .max, numbers.lowerBound == range.upperBound + 1 {
      ranges[ranges.count - 1] = range.lowerBound...numbers.upperBound
      return
    }
    // Ranges that overlap or touch the new one are merged with it.
    let first = firstRange(endingAtOrAfter: max(numbers.lowerBound, 1) - 1)
    var next = first
    var merged = numbers
    while next < ranges.count, ranges[next].lowerBound <= merged.upperBound || touches(merged, ranges[next]) {
      merged =
        min(merged.lowerBound, ranges[next].lowerBound)...max(merged.upperBound, ranges[next].upperBound)
      next += 1
    }
    ranges.replaceSubrange(first..<next, with: CollectionOfOne(merged))
  }

  mutating func formUnion(_ other: SequenceLedger) {
    for numbers in other.ranges { insert(numbers) }
  }

  func contains(_ number: UInt64) -> Bool {
    count(in: number...number) > 0
  }

  func count(in numbers: ClosedRange<UInt64>) -> UInt64 {
    var index = firstRange(endingAtOrAfter: numbers.lowerBound)
    var count: UInt64 = 0
    while index < ranges.count, ranges[index].lowerBound <= numbers.upperBound {
      let common = ranges[index].clamped(to: numbers)
      // Numbers begin at 1, so their count fits the type.
      count += common.upperBound - common.lowerBound + 1
      index += 1
    }
    return count
  }

  /// The missing numbers between recorded ones, in order.
  var holes: [ClosedRange<UInt64>] {
    var holes: [ClosedRange<UInt64>] = []
    var expected = base + 1
    for range in ranges where range.upperBound >= expected {
      if range.lowerBound > expected { holes.append(expected...(range.lowerBound - 1)) }
      guard range.upperBound < .max else { break }
      expected = range.upperBound + 1
    }
    return holes
  }

  private func touches(_ lower: ClosedRange<UInt64>, _ upper: ClosedRange<UInt64>) -> Bool {
    lower.upperBound < .max && lower.upperBound + 1 == upper.lowerBound
  }

  private func firstRange(endingAtOrAfter number: UInt64) -> Int {
    ranges.indices.partition { ranges[$0].upperBound < number }
  }
}
