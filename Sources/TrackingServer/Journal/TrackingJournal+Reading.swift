import TrackingModel

// The log is copied by reference, and its entries are read without the lock.

extension TrackingJournal {
  /// The entries from a number on, without a copy.
  package func entries(from number: Int) -> JournalEntries {
    state.withLock { $0.log }.entries(from: number)
  }

  package func entries(from number: Int, atMost count: Int) -> [JournalEntry] {
    Array(entries(from: number).prefix(count))
  }

  package var nextNumber: Int { state.withLock { $0.log.nextNumber } }

  /// The entries after a mark, without a copy.
  package func entries(since mark: JournalMark) -> JournalEntries {
    entries(from: mark.entry)
  }

  package func events(from number: Int) -> [RecordedEvent] {
    entries(from: number).compactMap(\.event)
  }

  package func requests(since mark: JournalMark) -> [RecordedRequest] {
    entries(since: mark).compactMap(\.request)
  }

  package func rejections(since mark: JournalMark) -> [RejectedSubmission] {
    entries(since: mark).compactMap(\.rejection)
  }

  /// The entries from a number on, and the next number to request; for a command that polls every few milliseconds.
  package func received(
    from number: Int
  ) -> (events: [RecordedEvent], requests: [RecordedRequest], rejections: [RejectedSubmission], next: Int) {
    let entries = Array(entries(from: number))
    return (
      entries.compactMap(\.event), entries.compactMap(\.request), entries.compactMap(\.rejection),
      (entries.last?.number ?? number - 1) + 1
    )
  }

  /// Returns a mark after everything received so far.
  package func mark() -> JournalMark {
    state.withLock { $0.mark }
  }

  /// Removes all entries and returns the mark after them; numbers continue, and redeliveries are still recognized.
  package func removeAll() -> JournalMark {
    responses?.removeAll()
    return state.withLock { state in
      state.log.removeAll()
      (state.events, state.requests, state.rejections) = (0, 0, 0)
      (state.bodyBytes, state.requestBytes) = (0, 0)
      (state.refusedAsFull, state.unkeptRequests) = (0, 0)
      state.deliveries.reset()
      return state.mark
    }
  }

  /// The events lost after a mark, by launch: their numbers were never delivered.
  package func lostEvents(since mark: JournalMark) -> [LostEvents] {
    state.withLock { $0.launches }.lostEvents(after: mark.sequences)
  }

  package func redeliveries(since mark: JournalMark) -> [Redelivery] {
    state.withLock { $0.deliveries.redeliveries }.filter { $0.order > mark.revision }
  }

  /// The number of each event's redeliveries with the same content, by the number of its entry.
  package var redeliveryCounts: [Int: Int] { state.withLock { $0.deliveries.counts } }

  /// The number of redeliveries of an entry with the same content; `nil` for none.
  package func redeliveryCount(of number: Int) -> Int? { state.withLock { $0.deliveries.counts[number] } }

  /// Returns the number of redeliveries of some entries, and of those redelivered after the first `known` redeliveries, with the number of all.
  package func redeliveryCounts(of numbers: Range<Int>, after known: Int) -> (counts: [Int: Int], known: Int) {
    state.withLock { ($0.deliveries.counts(of: numbers, after: known), $0.deliveries.redeliveries.count) }
  }

  /// The number of events that SDKs redelivered with the same content since the last reset; they are recorded once.
  public var redeliveries: Int {
    state.withLock { $0.deliveries.redeliveries }.count { !$0.isConflicting }
  }

  /// The items of SDKs other than events since the last reset, by format, kind and name.
  package var others: [(items: OtherItems, count: Int)] {
    state.withLock { $0.deliveries.others }.map { ($0.key, $0.value) }
      .sorted { ($0.items.format, $0.items.kind, $0.items.name) < ($1.items.format, $1.items.kind, $1.items.name) }
  }

  /// The time at which the last app to send events closed its connection; `nil` while any launch's connection is open.
  package var lastConnectionClosed: ContinuousClock.Instant? {
    state.withLock { $0.launches }.lastConnectionClosed
  }

  /// The doubles that were created after a mark and have sent no event, oldest first.
  package func silentLaunches(since mark: JournalMark) -> [SilentLaunch] {
    state.withLock { $0.launches }.silent(since: mark.entry)
  }

  /// The names of the processes whose doubles have connected or sent events, sorted.
  package var processes: [String] { state.withLock { $0.launches }.processes }

  package var hasLaunches: Bool { state.withLock { !$0.launches.isEmpty } }

  /// The number of submissions refused because the journal was full.
  package var refusedAsFull: Int { state.withLock { $0.refusedAsFull } }

  /// The number of requests that got a response but weren't kept because the journal was full.
  package var unkeptRequests: Int { state.withLock { $0.unkeptRequests } }

  /// The number of connections so far, except those to the server's own pages.
  package var connections: Int { state.withLock { $0.connections - $0.pageConnections.count } }

  package var openConnections: Int { state.withLock { $0.openConnections } }

  package var hasConnectedApp: Bool { state.withLock { $0.launches }.isAnyConnected }
}

// MARK: - Waiting for more

extension TrackingJournal {
  /// Identifies a waiter until it is woken.
  package struct WaiterID: Hashable, Sendable {
    let number: Int
  }

  /// Entries, or a promise to wake when there are more.
  package enum News: Sendable {
    case entries([JournalEntry])
    /// Earlier entries have changed; the journal's new revision.
    case revised(Int)
    case none(WaiterID)
  }

  /// Returns the entries from a number on; if there are none, `wake` is called once when an entry of interest is recorded.
  ///
  /// Looking and registering are one step under the lock, so that no entry is missed in between.
  ///
  /// - Parameter revision: The last revision that the caller has seen; `nil` to ignore changes to earlier entries.
  package func news(
    from number: Int, revision: Int? = nil, of interest: JournalInterest = .everything,
    orWake wake: @escaping @Sendable () -> Void
  ) -> News {
    let (log, news): (EntryLog?, News?) = state.withLock { state in
      if let revision, revision != state.revision { return (nil, .revised(state.revision)) }
      guard state.log.nextNumber <= max(number, state.log.firstNumber) else { return (state.log, nil) }
      return (nil, News.none(WaiterID(number: state.waiters.add(interest, wake))))
    }
    return news ?? .entries(log.map { Array($0.entries(from: number)) } ?? [])
  }

  /// The number of changes to earlier entries: responses added to requests, and redeliveries.
  package var revision: Int { state.withLock { $0.revision } }

  /// Removes a waiter; returns `false` if it has been woken or another thread is about to wake it.
  @discardableResult
  package func cancel(_ waiter: WaiterID) -> Bool {
    state.withLock { $0.waiters.remove(waiter.number) }
  }
}

extension RecordedRequest {
  package var nearest: String? { nearestStub }
  /// The reason for a response by no stub: a stub's problem, or the server's refusal of the request.
  package var reason: String? { problem ?? refusal }
}
