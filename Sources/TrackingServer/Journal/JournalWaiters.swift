import Dispatch
import TrackingModel
import TrackingSockets

/// The entries that a waiter wants to be woken for.
package struct JournalInterest: Sendable {
  /// The names of the events; `nil` for events of any name.
  package var eventNames: Set<String>?
  package var requests: Bool
  /// Whether answers that are added to requests wake, too.
  package var answers: Bool
  package var rejections: Bool

  package init(eventNames: Set<String>? = [], requests: Bool = false, answers: Bool = false, rejections: Bool = false) {
    self.eventNames = eventNames
    self.requests = requests
    self.answers = answers
    self.rejections = rejections
  }

  package static let everything = JournalInterest(eventNames: nil, requests: true, answers: true, rejections: true)
}

extension Journal {
  /// Identifies a waiter until it is woken.
  package struct WaiterID: Hashable, Sendable {
    let number: Int
  }

  /// What was recorded from a number on, or a promise to wake when there is more.
  package enum News: Sendable {
    case entries([JournalEntry])
    /// An answer was added to a request that had none.
    case answers(Int)
    case none(WaiterID)
  }

  /// The entries from a number on; where there are none, `wake` is called once when an entry of interest is recorded.
  ///
  /// Looking and registering are one step under the lock, so that no entry falls between.
  ///
  /// - Parameter answers: How many answers the caller has seen; `nil` when they do not matter to it.
  package func news(
    from number: Int, answers: Int? = nil, of interest: JournalInterest = .everything,
    orWake wake: @escaping @Sendable () -> Void
  ) -> News {
    let (log, news): (EntryLog?, News?) = state.withLock { state in
      if let answers, answers != state.answers { return (nil, .answers(state.answers)) }
      guard state.log.nextNumber <= max(number, state.log.firstNumber) else { return (state.log, nil) }
      return (nil, News.none(state.waiters.add(interest, wake)))
    }
    return news ?? .entries(log.map { Array($0.entries(from: number)) } ?? [])
  }

  /// How many answers have been added to requests so far.
  package var answers: Int { state.withLock { $0.answers } }

  /// Removes a waiter.
  ///
  /// - Returns: `false` when it was too late: the waiter has been woken, or is about to be, by another thread.
  @discardableResult
  package func cancel(_ waiter: WaiterID) -> Bool {
    state.withLock { $0.waiters.remove(waiter.number) }
  }
}

/// Those who wait for entries, by what they are interested in: an entry finds the waiters that it concerns without asking the others.
struct JournalWaiters {
  /// Waiters to be woken when the lock has been released.
  struct Woken {
    /// So many are woken by the thread that records, without the delay of another thread.
    private static let mostDirect = 2
    private static let queue = DispatchQueue(label: "TrackingServer waiters", qos: .userInitiated)

    fileprivate var waiters: [(number: Int, wake: @Sendable () -> Void)] = []

    /// How many there are.
    var count: Int { waiters.count }

    /// Wakes them in the order in which they registered.
    ///
    /// Many are woken from another thread: the one that records an event is the app's, or serves all connections.
    func wake() {
      let wakes = waiters.sorted { $0.number < $1.number }.map(\.wake)
      guard wakes.count > Self.mostDirect else { return wakes.forEach { $0() } }
      Self.queue.async { wakes.forEach { $0() } }
    }
  }

  private struct Waiter {
    let interest: JournalInterest
    let wake: @Sendable () -> Void
  }

  private var waiters: [Int: Waiter] = [:]
  private var byName: [TextKey: Set<Int>] = [:]
  private var ofAnyEvent: Set<Int> = []
  private var ofRequests: Set<Int> = []
  private var ofAnswers: Set<Int> = []
  private var ofRejections: Set<Int> = []
  private var next = 0

  mutating func add(_ interest: JournalInterest, _ wake: @escaping @Sendable () -> Void) -> Journal.WaiterID {
    let number = next
    next += 1
    waiters[number] = Waiter(interest: interest, wake: wake)
    if let names = interest.eventNames {
      for name in names { byName[TextKey(name), default: []].insert(number) }
    } else {
      ofAnyEvent.insert(number)
    }
    if interest.requests { ofRequests.insert(number) }
    if interest.answers { ofAnswers.insert(number) }
    if interest.rejections { ofRejections.insert(number) }
    return Journal.WaiterID(number: number)
  }

  @discardableResult
  mutating func remove(_ number: Int) -> Bool {
    guard let waiter = waiters.removeValue(forKey: number) else { return false }
    for name in waiter.interest.eventNames ?? [] {
      byName[TextKey(name)]?.remove(number)
      if byName[TextKey(name)]?.isEmpty == true { byName[TextKey(name)] = nil }
    }
    ofAnyEvent.remove(number)
    ofRequests.remove(number)
    ofAnswers.remove(number)
    ofRejections.remove(number)
    return true
  }

  mutating func take(forEventNamed name: String, into woken: inout Woken) {
    guard !waiters.isEmpty else { return }
    take(ofAnyEvent, into: &woken)
    if !byName.isEmpty, let numbers = byName[TextKey(name)] { take(numbers, into: &woken) }
  }

  mutating func takeThoseForRequests(into woken: inout Woken) { take(ofRequests, into: &woken) }
  mutating func takeThoseForAnswers(into woken: inout Woken) { take(ofAnswers, into: &woken) }
  mutating func takeThoseForRejections(into woken: inout Woken) { take(ofRejections, into: &woken) }

  private mutating func take(_ numbers: Set<Int>, into woken: inout Woken) {
    for number in numbers {
      guard let waiter = waiters[number] else { continue }
      woken.waiters.append((number, waiter.wake))
      remove(number)
    }
  }
}
