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
  }

  /// Records all of the events, or none when they do not fit.
  ///
  /// What was recorded before of the same launch and number is acknowledged and not recorded again.
  ///
  /// - Returns: `false` when the journal is full.
  func record(_ events: [TrackingEvent], bodySize: Int, from sender: Sender) -> Bool {
    let arrival = ContinuousClock.now
    let waiters: [@Sendable () -> Void]? = state.withLock { state in
      guard state.log.count + events.count <= limits.journalEvents, reserve(bodySize, in: &state) else {
        state.refusedAsFull += 1
        return nil
      }
      let numberBefore = state.log.nextNumber
      for (index, event) in events.enumerated() {
        let sequence = sender.sequence.map { $0 + UInt64(index) }
        if let sequence, let launch = sender.launch {
          let isNew = state.ledgers[
            launch, default: SequenceLedger(since: sender.isOfSession ? 1 : sequence)
          ].insert(sequence)
          guard isNew else { continue }
        }
        state.log.append(
          RecordedEvent(
            event: event, number: state.log.nextNumber, arrival: arrival, connection: sender.connection,
            launch: sender.launch, sequence: sequence))
      }
      return state.log.nextNumber == numberBefore ? [] : takeWaiters(of: &state)
    }
    guard let waiters else { return false }
    for wake in waiters { wake() }
    return true
  }

  /// Records a submission of which nothing was recorded.
  func record(_ rejection: RejectedSubmission) {
    let waiters = state.withLock { state in
      // A full journal keeps the reason and lets the body go.
      state.rejections.append(reserve(rejection.body.count, in: &state) ? rejection : rejection.withoutBody)
      return takeWaiters(of: &state)
    }
    for wake in waiters { wake() }
  }

  func record(_ request: RecordedRequest) {
    state.withLock { state in
      if state.requests.count < limits.journalEvents { state.requests.append(request) }
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
    guard state.bodyBytes + bytes <= limits.journalBodyBytes else { return false }
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
  package func cancel(_ waiter: WaiterID) {
    state.withLock { _ = $0.waiters.removeValue(forKey: waiter.number) }
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
    state.withLock { Array($0.rejections.dropFirst(mark.rejections - $0.forgottenRejections)) }
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
    "the journal is full (\(limits.journalEvents) events or \(limits.journalBodyBytes) bytes of bodies); reset the verifier"
  }
}

extension RejectedSubmission {
  fileprivate var withoutBody: RejectedSubmission {
    RejectedSubmission(
      status: status, reason: reason, path: path, offset: offset, body: Data(), bodySize: bodySize, arrival: arrival,
      connection: connection, launch: launch)
  }
}
