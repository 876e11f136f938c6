/// Functions that are called once, at the next change; the owner's lock guards them.
package struct Waiters: Sendable {
  package struct Ticket: Hashable, Sendable {
    fileprivate let number: Int
  }

  private var waiting: [(ticket: Ticket, wake: @Sendable () -> Void)] = []
  private var next = 0

  package init() {}

  package var count: Int { waiting.count }

  package mutating func add(_ wake: @escaping @Sendable () -> Void) -> Ticket {
    defer { next += 1 }
    waiting.append((Ticket(number: next), wake))
    return Ticket(number: next)
  }

  package mutating func remove(_ ticket: Ticket) {
    waiting.removeAll { $0.ticket == ticket }
  }

  /// Removes the longest-waiting functions, to be called without the lock.
  package mutating func take(atMost most: Int = .max) -> [@Sendable () -> Void] {
    let taken = waiting.prefix(max(most, 0))
    waiting.removeFirst(taken.count)
    return taken.map(\.wake)
  }
}
