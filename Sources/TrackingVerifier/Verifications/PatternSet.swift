import TrackingPatterns

/// A set of patterns, by their places in a list, as one bit each.
struct PatternSet: Hashable, Sendable {
  private var words: [UInt64]

  /// An empty set of `count` possible members.
  init(of count: Int) {
    words = Array(repeating: 0, count: (count + 63) / 64)
  }

  var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

  func contains(_ member: Int) -> Bool {
    words[member / 64] & (1 << UInt64(member % 64)) != 0
  }

  mutating func insert(_ member: Int) {
    words[member / 64] |= 1 << UInt64(member % 64)
  }

  mutating func formUnion(_ other: PatternSet) {
    for index in words.indices { words[index] |= other.words[index] }
  }

  /// Calls `body` with each member that is not in `other`, in order, until it returns `false`.
  func forEach(notIn other: PatternSet, _ body: (Int) -> Bool) {
    for index in words.indices {
      var rest = words[index] & ~other.words[index]
      while rest != 0 {
        guard body(index * 64 + rest.trailingZeroBitCount) else { return }
        rest &= rest - 1
      }
    }
  }
}
