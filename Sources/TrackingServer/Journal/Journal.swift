import Foundation
import TrackingModel
import TrackingSockets

/// What a server has received, in the order of arrival: the one thing that its thread and the tests' threads share.
///
/// Any thread may read it at any time; what it gives is a copy.
public final class Journal: Sendable {
  struct State {
    var log = EventLog()
    var ledgers: [String: SequenceLedger] = [:]
    /// What the test let the server refuse, by launch: it arrived, so it is not lost.
    var refused: [String: SequenceLedger] = [:]
    var rejections: [RejectedSubmission] = []
    var forgottenRejections = 0
    var requests: [RecordedRequest] = []
    var forgottenRequests = 0
    var bodyBytes = 0
    var refusedAsFull = 0
    /// Requests that were answered and for which there was no room.
    var unkeptRequests = 0
    var connections = 0
    var waiters: [Int: @Sendable () -> Void] = [:]
    var nextWaiter = 0

    mutating func register(_ wake: @escaping @Sendable () -> Void) -> WaiterID {
      defer { nextWaiter += 1 }
      waiters[nextWaiter] = wake
      return WaiterID(number: nextWaiter)
    }

    var mark: JournalMark {
      JournalMark(
        event: log.nextNumber, rejections: forgottenRejections + rejections.count,
        requests: forgottenRequests + requests.count, sequences: ledgers.mapValues(\.last))
    }
  }

  let state = Locked(State())
  let limits: TrackingServer.Limits

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
    /// Whether the sender is told that they were taken.
    var isAcknowledged = true

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
            launch: sender.launch, sequence: sequence, isAcknowledged: sender.isAcknowledged))
      }
      return newCount == 0 ? [] : takeWaiters(of: &state)
    }
    guard let waiters else { return false }
    for wake in waiters { wake() }
    return true
  }

  /// Notes that events arrived and were refused because the test wanted it: they may be sent again, and are not lost if they are not.
  func noteRefusal(of events: [TrackingEvent], from sender: Sender) {
    guard let launch = sender.launch, let numbers = sender.numbers(of: events) else { return }
    state.withLock { $0.refused[launch, default: SequenceLedger()].insert(numbers) }
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

  /// Records a request that was no accepted submission; a full journal counts it and lets it go, since it is answered all the same.
  func record(_ request: RecordedRequest) {
    let waiters: [@Sendable () -> Void] = state.withLock { state in
      // A journal that has no room for the body keeps what was asked, if it has room for that.
      let candidates = request.request.body.isEmpty ? [request] : [request, request.withoutBody]
      guard state.requests.count < limits.journalEvents,
        var request = candidates.first(where: { reserve($0.size, in: &state) })
      else {
        state.unkeptRequests += 1
        return []
      }
      request.number = state.forgottenRequests + state.requests.count + 1
      state.requests.append(request)
      return takeWaiters(of: &state)
    }
    for wake in waiters { wake() }
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

extension RejectedSubmission {
  fileprivate var withoutBody: RejectedSubmission {
    RejectedSubmission(
      status: status, reason: reason, path: path, offset: offset, body: Data(), bodySize: bodySize, arrival: arrival,
      connection: connection, launch: launch)
  }
}
