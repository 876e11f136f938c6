import TrackingPatterns

/// Assigns different items to as many patterns as possible: a maximum matching of a bipartite graph, updated item by item.
///
/// A new item takes a free pattern, or one whose item can move to another, and so on: an augmenting path, searched in breadth (Kuhn 1955). An item
/// without such a path will never have one, because the sets of items that can be matched together form a matroid. No path leads out of the patterns
/// that a failed search has reached either, so they keep their items and are left out of further searches.
struct PatternAssignment: Sendable {
  private let count: Int
  private(set) var items: [Int?]
  /// For each pattern, all patterns that its item fits.
  private var fits: [PatternSet]
  private(set) var assigned = 0
  /// Patterns that have an item and whose items fit none but these.
  private(set) var saturated: PatternSet

  init(patterns count: Int) {
    self.count = count
    items = Array(repeating: nil, count: count)
    fits = Array(repeating: PatternSet(of: count), count: count)
    saturated = PatternSet(of: count)
  }

  var isComplete: Bool { assigned == count }

  /// Lets an assigned item fit more patterns, so that items without a pattern may find one now.
  mutating func widen(_ item: Int, fitting patterns: PatternSet) {
    guard let pattern = items.firstIndex(of: item) else { return }
    fits[pattern] = patterns
    saturated = PatternSet(of: count)
  }

  /// Returns whether an item was assigned to one of the patterns it fits.
  mutating func offer(_ item: Int, fitting patterns: PatternSet) -> Bool {
    var reached = saturated
    var queue: [(pattern: Int, cameFrom: Int?)] = []
    var free: Int?
    func visit(_ patterns: PatternSet, from place: Int?) {
      patterns.forEach(notIn: reached) { pattern in
        reached.insert(pattern)
        queue.append((pattern, place))
        if items[pattern] == nil { free = queue.count - 1 }
        return free == nil
      }
    }
    visit(patterns, from: nil)
    var next = 0
    while free == nil, next < queue.count {
      visit(fits[queue[next].pattern], from: next)
      next += 1
    }
    guard var place = free else {
      saturated = reached
      return false
    }
    while let previous = queue[place].cameFrom {
      items[queue[place].pattern] = items[queue[previous].pattern]
      fits[queue[place].pattern] = fits[queue[previous].pattern]
      place = previous
    }
    items[queue[place].pattern] = item
    fits[queue[place].pattern] = patterns
    assigned += 1
    return true
  }
}
/// A set of patterns, as one bit for each place in their list.
struct PatternSet: Hashable, Sendable {
  private var words: [UInt64]

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
