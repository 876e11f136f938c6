import Foundation
import TrackingModel
import TrackingSockets

/// What a server has received, in the order of arrival: the one thing that its thread and the tests' threads share.
///
/// Any thread may read it at any time; what it gives is a copy.
public final class Journal: Sendable {
  private struct State {
    var log = EventLog()
    var ledgers: [String: SequenceLedger] = [:]
    var rejections: [RejectedSubmission] = []
    var forgottenRejections = 0
    var requests: [RecordedRequest] = []
    var forgottenRequests = 0
    var bodyBytes = 0
    var refusedAsFull = 0
    var connections = 0
    var waiters: [Int: @Sendable () -> Void] = [:]
    var nextWaiter = 0

    var mark: JournalMark {
      JournalMark(
        event: log.nextNumber, rejections: forgottenRejections + rejections.count,
        requests: forgottenRequests + requests.count, sequences: ledgers.mapValues(\.last))
    }
  }

  private let state = Locked(State())
  private let limits: TrackingServer.Limits

  init(limits: TrackingServer.Limits) {
    var limits = limits
    limits.journalEvents = max(limits.journalEvents, 0)
    limits.journalBodyBytes = max(limits.journalBodyBytes, 0)
    self.limits = limits
  }

  /// All events that were received and not discarded since, in the order of arrival.
  public var events: [RecordedEvent] {
    events(from: 1)
  }

  /// All submissions of which nothing was recorded, in the order of arrival.
  public var rejections: [RejectedSubmission] {
    state.withLock { $0.rejections }
  }

  /// All requests but accepted submissions of events, in the order in which they were answered.
  public var requests: [RecordedRequest] {
    state.withLock { $0.requests }
  }
}

// MARK: - What the server writes

extension Journal {
  /// Who sent events, and under which number.
  struct Sender {
    var connection: Int?
    var launch: String?
    /// The number of the first of the events among all that the launch tracked.
    var sequence: UInt64?
    /// Whether the sender knew this server's session, and so belongs to it since its first event.
    var isOfSession = false

    fileprivate func numbers(of events: [TrackingEvent]) -> ClosedRange<UInt64>? {
      guard let sequence, !events.isEmpty else { return nil }
      return sequence...(sequence + UInt64(events.count - 1))
    }
  }

  /// Records all of the events, or none when they do not fit.
  ///
  /// What was recorded before of the same launch and number is acknowledged and not recorded again.
  ///
  /// - Returns: `false` when the journal is full.
  func record(_ events: [TrackingEvent], bodySize: Int, from sender: Sender) -> Bool {
    let arrival = ContinuousClock.now
    let waiters: [@Sendable () -> Void]? = state.withLock { state in
      let numbers = sender.numbers(of: events)
      let place = numbers == nil ? nil : sender.launch.flatMap { state.ledgers.index(forKey: $0) }
      let knownCount = if let numbers, let place { state.ledgers.values[place].count(in: numbers) } else { UInt64(0) }
      let known = if let place, knownCount > 0 { state.ledgers.values[place] } else { SequenceLedger?.none }
      let newCount = events.count - Int(knownCount)
      // A retry of what is recorded already takes no room, and is acknowledged by a full journal too.
      guard newCount > 0 || events.isEmpty else { return [] }
      guard newCount <= limits.journalEvents - state.log.count, reserve(bodySize, in: &state) else {
        state.refusedAsFull += 1
        return nil
      }
      if let numbers, let place {
        state.ledgers.values[place].insert(numbers)
      } else if let numbers, let launch = sender.launch {
        var ledger = SequenceLedger(since: sender.isOfSession ? 1 : numbers.lowerBound)
        ledger.insert(numbers)
        state.ledgers[launch] = ledger
      }
      for (index, event) in events.enumerated() {
        let sequence = sender.sequence.map { $0 + UInt64(index) }
        if let known, let sequence, known.contains(sequence) { continue }
        state.log.append(
          RecordedEvent(
            event: event, number: state.log.nextNumber, arrival: arrival, connection: sender.connection,
            launch: sender.launch, sequence: sequence))
      }
      return newCount == 0 ? [] : takeWaiters(of: &state)
    }
    guard let waiters else { return false }
    for wake in waiters { wake() }
    return true
  }

  /// Records a submission of which nothing was recorded.
  func record(_ rejection: RejectedSubmission) {
    let waiters = state.withLock { state in
      guard state.rejections.count < limits.journalEvents else {
        state.refusedAsFull += 1
        return takeWaiters(of: &state)
      }
      // A full journal keeps the reason and lets the body go.
      state.rejections.append(reserve(rejection.body.count, in: &state) ? rejection : rejection.withoutBody)
      return takeWaiters(of: &state)
    }
    for wake in waiters { wake() }
  }

  /// Records a request that was no accepted submission; a full journal lets it go, since it was answered and is nobody's event.
  func record(_ request: RecordedRequest) {
    state.withLock { state in
      guard state.requests.count < limits.journalEvents,
        reserve(request.method.utf8.count + request.target.utf8.count, in: &state)
      else { return }
      state.requests.append(request)
    }
  }

  /// Notes a new connection.
  ///
  /// - Returns: Its number, from 1.
  func recordConnection() -> Int {
    state.withLock { state in
      state.connections += 1
      return state.connections
    }
  }

  private func reserve(_ bytes: Int, in state: inout State) -> Bool {
    guard bytes <= limits.journalBodyBytes - state.bodyBytes else { return false }
    state.bodyBytes += bytes
    return true
  }

  private func takeWaiters(of state: inout State) -> [@Sendable () -> Void] {
    guard !state.waiters.isEmpty else { return [] }
    defer { state.waiters = [:] }
    return state.waiters.sorted { $0.key < $1.key }.map(\.value)
  }
}

// MARK: - What the verifier reads

extension Journal {
  /// Stands for a waiter until it is woken.
  package struct WaiterID: Hashable, Sendable {
    fileprivate let number: Int
  }

  /// What was recorded from a number on, or a promise to say when there is more.
  package enum News: Sendable {
    case events([RecordedEvent])
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

  /// The events from a number on; where there are none, `wake` is called once, from the thread that records the next event or rejection.
  ///
  /// Looking and registering are one step under the lock, so that no event falls between.
  package func news(from number: Int, orWake wake: @escaping @Sendable () -> Void) -> News {
    let (log, waiter): (EventLog?, WaiterID) = state.withLock { state in
      guard state.log.nextNumber <= max(number, state.log.firstNumber) else { return (state.log, WaiterID(number: -1)) }
      defer { state.nextWaiter += 1 }
      state.waiters[state.nextWaiter] = wake
      return (nil, WaiterID(number: state.nextWaiter))
    }
    return log.map { .events($0.events(from: number)) } ?? .none(waiter)
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
      return mark
    }
  }

  /// The submissions that were rejected after a mark.
  package func rejections(since mark: JournalMark) -> [RejectedSubmission] {
    state.withLock { Array($0.rejections.dropFirst(max(mark.rejections - $0.forgottenRejections, 0))) }
  }

  /// The events that doubles numbered after a mark and that never arrived, by launch.
  package func lostEvents(since mark: JournalMark) -> [LostEvents] {
    state.withLock { $0.ledgers }.compactMap { launch, ledger in
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

extension RejectedSubmission {
  fileprivate var withoutBody: RejectedSubmission {
    RejectedSubmission(
      status: status, reason: reason, path: path, offset: offset, body: Data(), bodySize: bodySize, arrival: arrival,
      connection: connection, launch: launch)
  }
}
