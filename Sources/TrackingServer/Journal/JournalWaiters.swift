import Dispatch
import TrackingModel

/// The entries that wake a waiter.
package struct JournalInterest: Sendable {
  /// The names of events; `nil` for events of any name.
  package var eventNames: [String]?
  package var requests: Bool
  /// Whether changes to earlier entries wake the waiter, too: responses added to requests, and redeliveries.
  package var revisions: Bool
  package var rejections: Bool

  package init(eventNames: [String]? = [], requests: Bool = false, revisions: Bool = false, rejections: Bool = false) {
    self.eventNames = eventNames
    self.requests = requests
    self.revisions = revisions
    self.rejections = rejections
  }

  package func concerns(eventNamed name: String) -> Bool {
    guard let eventNames else { return true }
    for eventName in eventNames where eventName.utf8.count == name.utf8.count && eventName.isSameText(as: name) {
      return true
    }
    return false
  }

  package static let everything = JournalInterest(eventNames: nil, requests: true, revisions: true, rejections: true)
}

/// The waiters for entries, in the order in which they registered.
struct JournalWaiters {
  /// Waiters to be woken when the lock has been released.
  struct Woken {
    /// The number of waiters that the recording thread wakes itself, without the delay of another thread.
    private static let mostDirect = 2
    private static let queue = DispatchQueue(label: "TrackingServer waiters", qos: .userInitiated)

    fileprivate var waiters: [Waiter] = []

    var count: Int { waiters.count }

    /// Wakes the waiters in the order in which they registered.
    ///
    /// Many are woken from another thread: the one that records an event is the app's, or serves all connections.
    func wake() {
      guard waiters.count > 1 else { return waiters.first?.wake() ?? () }
      let wakes = waiters.sorted { $0.number < $1.number }.map(\.wake)
      guard wakes.count > Self.mostDirect else { return wakes.forEach { $0() } }
      Self.queue.async { wakes.forEach { $0() } }
    }
  }

  fileprivate struct Waiter {
    let number: Int
    let interest: JournalInterest
    let wake: @Sendable () -> Void
  }

  /// A list, since searching it costs less than keeping tables up to date: a test has few waiters, and most names differ in length.
  private var waiters: [Waiter] = []
  private var next = 0

  /// Adds a waiter; returns its number.
  mutating func add(_ interest: JournalInterest, _ wake: @escaping @Sendable () -> Void) -> Int {
    waiters.append(Waiter(number: next, interest: interest, wake: wake))
    next += 1
    return next - 1
  }

  @discardableResult
  mutating func remove(_ number: Int) -> Bool {
    guard let place = waiters.firstIndex(where: { $0.number == number }) else { return false }
    waiters.remove(at: place)
    return true
  }

  mutating func take(forEventNamed name: String, into woken: inout Woken) {
    take(into: &woken) { $0.concerns(eventNamed: name) }
  }

  mutating func takeThoseForRequests(into woken: inout Woken) { take(into: &woken, where: \.requests) }
  mutating func takeThoseForRevisions(into woken: inout Woken) { take(into: &woken, where: \.revisions) }
  mutating func takeThoseForRejections(into woken: inout Woken) { take(into: &woken, where: \.rejections) }

  private mutating func take(into woken: inout Woken, where isConcerned: (JournalInterest) -> Bool) {
    guard waiters.contains(where: { isConcerned($0.interest) }) else { return }
    guard waiters.count > 1 else { return woken.waiters.append(waiters.removeLast()) }
    waiters.removeAll { waiter in
      guard isConcerned(waiter.interest) else { return false }
      woken.waiters.append(waiter)
      return true
    }
  }
}
