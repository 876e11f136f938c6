import Foundation
import TrackingModel
import TrackingSockets

extension Journal {
  /// Stands for a waiter until it is woken.
  package struct WaiterID: Hashable, Sendable {
    let number: Int
  }

  /// What was recorded from a number on, or a promise to say when there is more.
  package enum News<Entry: Sendable>: Sendable {
    case entries([Entry])
    case none(WaiterID)
  }

  /// The events from a number on.
  package func events(from number: Int) -> [RecordedEvent] {
    // The log is copied out by reference, and its events outside of the lock.
    state.withLock { $0.log }.events(from: number)
  }

  /// The same without a copy of them all: for a look at a long journal.
  package func eachEvent(from number: Int) -> some Sequence<RecordedEvent> {
    state.withLock { $0.log }.slices(from: number).joined()
  }

  /// The events from a number on; where there are none, `wake` is called once, from the thread that records the next event, rejection or request.
  ///
  /// Looking and registering are one step under the lock, so that no event falls between.
  package func news(from number: Int, orWake wake: @escaping @Sendable () -> Void) -> News<RecordedEvent> {
    let (log, waiter): (EventLog?, WaiterID) = state.withLock { state in
      guard state.log.nextNumber <= max(number, state.log.firstNumber) else { return (state.log, WaiterID(number: -1)) }
      return (nil, state.register(wake))
    }
    return log.map { .entries($0.events(from: number)) } ?? .none(waiter)
  }

  /// The requests from a number on; where there are none, `wake` is called once, from the thread that records the next thing of any kind.
  package func requestNews(from number: Int, orWake wake: @escaping @Sendable () -> Void) -> News<RecordedRequest> {
    state.withLock { state in
      let news = state.requests.dropFirst(max(number - 1 - state.forgottenRequests, 0))
      return news.isEmpty ? .none(state.register(wake)) : .entries(Array(news))
    }
  }

  /// Takes a promise back.
  ///
  /// - Returns: `false` when it was too late: the waiter has been woken, or is about to be, by another thread.
  @discardableResult
  package func cancel(_ waiter: WaiterID) -> Bool {
    state.withLock { $0.waiters.removeValue(forKey: waiter.number) != nil }
  }

  /// The place after all that was received so far.
  package func mark() -> JournalMark {
    state.withLock { $0.mark }
  }

  /// Forgets what was received; numbers go on, and what is sent again is still known.
  ///
  /// - Returns: The place from which on there is something again.
  package func removeAll() -> JournalMark {
    state.withLock { state in
      let mark = state.mark
      state.log.removeAll()
      state.forgottenRejections += state.rejections.count
      state.rejections = []
      state.forgottenRequests += state.requests.count
      state.requests = []
      state.bodyBytes = 0
      state.refusedAsFull = 0
      state.unkeptRequests = 0
      return mark
    }
  }

  /// The submissions that were rejected after a mark.
  package func rejections(since mark: JournalMark) -> [RejectedSubmission] {
    state.withLock { Array($0.rejections.dropFirst(max(mark.rejections - $0.forgottenRejections, 0))) }
  }

  /// The requests that were recorded after a mark.
  package func requests(since mark: JournalMark) -> [RecordedRequest] {
    requests(from: mark.requests + 1)
  }

  /// The requests from a number on.
  package func requests(from number: Int) -> [RecordedRequest] {
    state.withLock { Array($0.requests.dropFirst(max(number - 1 - $0.forgottenRequests, 0))) }
  }

  /// The events that doubles numbered after a mark and that never arrived, by launch.
  package func lostEvents(since mark: JournalMark) -> [LostEvents] {
    let (ledgers, refused) = state.withLock { ($0.ledgers, $0.refused) }
    return ledgers.compactMap { launch, ledger in
      var ledger = ledger
      if let refused = refused[launch] { ledger.formUnion(refused) }
      let known = mark.sequences[launch] ?? 0
      let numbers = ledger.holes.filter { $0.upperBound > known }
      return numbers.isEmpty ? nil : LostEvents(launch: launch, numbers: numbers, tracked: ledger.last)
    }
    .sorted { $0.launch < $1.launch }
  }

  /// How many submissions were refused because the journal was full.
  package var refusedAsFull: Int {
    state.withLock { $0.refusedAsFull }
  }

  /// How many requests were answered and not kept because the journal was full.
  package var unkeptRequests: Int {
    state.withLock { $0.unkeptRequests }
  }

  /// How many connections have been made so far.
  package var connections: Int {
    state.withLock { $0.connections }
  }

  /// Records an event that was tracked in this process.
  package func record(_ event: TrackingEvent) {
    guard !record([event], bodySize: 0, from: Sender()) else { return }
    record(
      RejectedSubmission(
        status: 507, reason: fullReason, path: nil, offset: nil, body: Data(), bodySize: 0,
        arrival: ContinuousClock.now, connection: nil, launch: nil))
  }

  /// What a sender is told when the journal is full.
  package var fullReason: String {
    let (mebibytes, rest) = limits.journalBodyBytes.quotientAndRemainder(dividingBy: 1_048_576)
    let bodies = rest == 0 ? "\(mebibytes) MiB" : "\(limits.journalBodyBytes) bytes"
    return "the journal is full (\(limits.journalEvents) events or \(bodies) of bodies); reset the verifier"
  }
}
