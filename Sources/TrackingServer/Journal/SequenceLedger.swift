/// Which of the events that one double numbered have been recorded.
struct SequenceLedger {
  /// Recorded numbers as ranges, in order, none touching the next.
  private var ranges: [ClosedRange<UInt64>] = []
  /// The number before the first that this ledger accounts for.
  private let base: UInt64

  /// A ledger for a double that is known since its first event, or since `first`.
  init(since first: UInt64 = 1) {
    base = max(first, 1) - 1
  }

  /// The highest number seen.
  var last: UInt64 { ranges.last?.upperBound ?? base }

  /// Notes a number.
  ///
  /// - Returns: `false` when it was noted before.
  mutating func insert(_ number: UInt64) -> Bool {
    // Almost always the next one.
    if let range = ranges.last, number == range.upperBound &+ 1, number > 0 {
      ranges[ranges.count - 1] = range.lowerBound...number
      return true
    }
    let place = firstRange(endingAtOrAfter: number)
    if place < ranges.count, ranges[place].contains(number) { return false }
    let joinsLower = place > 0 && ranges[place - 1].upperBound + 1 == number
    let joinsUpper = place < ranges.count && number + 1 == ranges[place].lowerBound
    switch (joinsLower, joinsUpper) {
    case (true, true):
      ranges[place - 1] = ranges[place - 1].lowerBound...ranges[place].upperBound
      ranges.remove(at: place)
    case (true, false): ranges[place - 1] = ranges[place - 1].lowerBound...number
    case (false, true): ranges[place] = number...ranges[place].upperBound
    case (false, false): ranges.insert(number...number, at: place)
    }
    return true
  }

  /// The numbers between recorded ones that never came, in order.
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

  private func firstRange(endingAtOrAfter number: UInt64) -> Int {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
