import Foundation
import StubModel

/// Finds many texts at once in bytes, in one pass.
///
/// The time is linear in the bytes, whatever the texts are: at each place a binary search decides, and it compares a bounded number of bytes.
struct ByteSearch: Sendable {
  private let needles: [[UInt8]]
  /// The needles in the order of their bytes, without copies.
  private var order: [Entry] = []
  /// The needles by their first eight bytes, as a range of the order.
  private var starts: [UInt64: Range<Int>] = [:]
  /// Whether a needle may begin with eight bytes, by their hash.
  private var mayBegin = [Bool](repeating: false, count: 1 << 16)

  private struct Entry {
    let needle: Int
    /// The longest other needle that this one begins with, as a place in the order.
    var shorter: Int?
  }

  struct Match {
    let range: Range<Int>
    let needle: Int
  }

  /// Shorter texts can't be found.
  static let shortest = 8
  /// Of longer texts, the beginning decides.
  private static let longest = 1_024

  /// A search for texts; of equal ones, the first is found.
  init(_ needles: [[UInt8]]) {
    self.needles = needles
    let sorted = needles.indices.filter { needles[$0].count >= Self.shortest }
      .sorted { left, right in
        let order = Self.compare(needles[left], needles[right])
        return order == 0 ? left < right : order < 0
      }
    // Those that the current one begins with, the longest last.
    var open: [Int] = []
    for needle in sorted {
      if let last = order.last, Self.compare(needles[last.needle], needles[needle]) == 0 { continue }
      while let last = open.last, !begins(needles[needle], with: order[last].needle) { open.removeLast() }
      open.append(order.count)
      order.append(Entry(needle: needle, shorter: open.dropLast().last))
      let start = Self.start(of: needles[needle])
      starts[start, default: order.count - 1..<order.count] =
        (starts[start]?.lowerBound ?? order.count - 1)..<order.count
      mayBegin[Self.hash(start)] = true
    }
  }

  var isEmpty: Bool { order.isEmpty }

  /// The matches, leftmost first and longest at its place, without overlaps.
  func matches(in text: [UInt8]) -> [Match] {
    guard !isEmpty else { return [] }
    var matches: [Match] = []
    text.withUnsafeBufferPointer { text in
      mayBegin.withUnsafeBufferPointer { mayBegin in
        // The last eight bytes.
        var window: UInt64 = 0
        var (index, free) = (0, 0)
        while index < text.count {
          window = window &<< 8 | UInt64(text[index])
          index &+= 1
          guard mayBegin[Self.hash(window)], index - free >= Self.shortest,
            let match = match(beginningWith: window, at: index - Self.shortest, in: text)
          else { continue }
          matches.append(match)
          index = match.range.upperBound
          free = index
        }
      }
    }
    return matches
  }

  private func match(beginningWith start: UInt64, at index: Int, in text: UnsafeBufferPointer<UInt8>) -> Match? {
    guard let range = starts[start] else { return nil }
    // Needles that the text begins with here are the last one that isn't after it in the order, or begin that one.
    let rest = UnsafeBufferPointer(rebasing: text[index..<min(index + Self.longest, text.count)])
    let low = range.partition { !isAfter(needles[order[$0].needle], rest) }
    guard low > range.lowerBound else { return nil }
    let same = commonCount(needles[order[low - 1].needle], rest)
    var next: Int? = low - 1
    while let place = next, min(needles[order[place].needle].count, Self.longest) > same { next = order[place].shorter }
    guard let place = next else { return nil }
    let needle = order[place].needle
    var end = index + min(needles[needle].count, Self.longest)
    while end < text.count, end - index < needles[needle].count, text[end] == needles[needle][end - index] { end += 1 }
    return Match(range: index..<end, needle: needle)
  }

  // MARK: Comparing

  private static func compare(_ left: [UInt8], _ right: [UInt8]) -> Int {
    let (own, other) = (min(left.count, longest), min(right.count, longest))
    let order = memcmp(left, right, min(own, other))
    return order == 0 ? own - other : Int(order)
  }

  private func begins(_ text: [UInt8], with needle: Int) -> Bool {
    let count = min(needles[needle].count, Self.longest)
    return count <= text.count && memcmp(text, needles[needle], count) == 0
  }

  private func isAfter(_ needle: [UInt8], _ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let address = text.baseAddress else { return true }
    let count = min(needle.count, Self.longest)
    let order = memcmp(needle, address, min(count, text.count))
    return order == 0 ? count > text.count : order > 0
  }

  /// The number of equal bytes at the beginning.
  private func commonCount(_ needle: [UInt8], _ text: UnsafeBufferPointer<UInt8>) -> Int {
    guard let address = text.baseAddress else { return 0 }
    return (0..<min(needle.count, text.count, Self.longest)).partition { memcmp(needle, address, $0 + 1) == 0 }
  }

  private static func start(of needle: [UInt8]) -> UInt64 {
    needle.prefix(shortest).reduce(0) { $0 << 8 | UInt64($1) }
  }

  private static func hash(_ start: UInt64) -> Int {
    Int(truncatingIfNeeded: (start &* 0x9E37_79B9_7F4A_7C15) &>> 48)
  }
}
