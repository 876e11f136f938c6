import Foundation
import TrackingModel

/// The events, requests and rejected submissions that a server has received, on one timeline in the order of arrival.
///
/// Any thread may read it at any time. Its members return snapshots.
public final class TrackingJournal: Sendable {
  struct State {
    var log = EntryLog()
    /// The numbers of kept entries of each kind: one kind may fill the journal without keeping out the others.
    var events = 0
    var requests = 0
    var rejections = 0
    /// Bytes of submissions and rejected bodies, and of requests.
    var bodyBytes = 0
    var requestBytes = 0
    var refusedAsFull = 0
    var unkeptRequests = 0
    /// The number of changes to earlier entries: responses added to requests, and redeliveries.
    var revision = 0
    var connections = 0
    /// The connections of browsers and runners to the server's own pages.
    var pageConnections: Set<Int> = []
    var openConnections = 0
    var launches = LaunchLedger()
    /// The ids that SDKs delivered, redeliveries, and items that aren't events.
    var deliveries = SDKDeliveryLedger()
    var waiters = JournalWaiters()
  }

  let state = Locked(State())
  /// The maximum number of entries of each kind.
  let mostEntries: Int
  private let mostBodyBytes: Int
  package let responses: ResponseLog?
  private let now: @Sendable () -> ContinuousClock.Instant
  package let vocabulary: Vocabulary

  /// - Parameters:
  ///   - keepsResponses: Whether the last responses are kept, which only the inspector reads.
  ///   - now: The clock for arrival times; it must not go backwards.
  init(
    mostEntries: Int, mostBodyBytes: Int, keepsResponses: Bool, vocabulary: Vocabulary,
    now: @escaping @Sendable () -> ContinuousClock.Instant
  ) {
    self.mostEntries = max(mostEntries, 0)
    self.mostBodyBytes = max(mostBodyBytes, 0)
    responses = keepsResponses ? ResponseLog() : nil
    self.now = now
    self.vocabulary = vocabulary
  }

  /// All events received since the last reset, in the order of arrival.
  public var events: [RecordedEvent] { events(from: 1) }

  /// All submissions rejected since the last reset, in the order of arrival.
  public var rejections: [RejectedSubmission] { rejections(since: .beginning) }

  /// All requests since the last reset except accepted submissions of events, in the order of arrival.
  public var requests: [RecordedRequest] { requests(since: .beginning) }
}

// MARK: - Recording

extension TrackingJournal {
  /// The sender of events, and the number of the first one.
  struct Sender {
    var connection: Int?
    var launch: String?
    /// The first event's number among all that the launch tracked.
    var sequence: UInt64?
    /// Whether the sender knew this server's session, and so has belonged to it since its first event.
    var isOfSession = false
    /// Whether the sender is told that its events were accepted.
    var isAcknowledged = true

    fileprivate func numbers(of events: [TrackingEvent]) -> ClosedRange<UInt64>? {
      guard let sequence, !events.isEmpty else { return nil }
      return sequence...(sequence + UInt64(events.count - 1))
    }
  }

  /// Records all of the events, or none if they don't fit; returns `false` if the journal is full.
  ///
  /// Events whose launch and number are already recorded are acknowledged and not recorded again.
  func record(_ events: [TrackingEvent], bodySize: Int, from sender: Sender) -> Bool {
    changeAndWake { state, woken in
      let submission = Submission(of: events, from: sender, to: state)
      // A retry of recorded events takes no room, and even a full journal acknowledges it.
      guard submission.newCount > 0 || events.isEmpty else { return true }
      guard hasRoom(for: submission, bodySize: bodySize, in: state) else {
        state.refusedAsFull += 1
        return false
      }
      submission.noteNumbers(in: &state)
      let appended = append(submission, to: &state, &woken)
      state.events += appended
      if appended > 0 || events.isEmpty { state.bodyBytes += bodySize }
      return true
    }
  }

  /// Events of one sender, some of which may already be recorded.
  private struct Submission {
    let events: [TrackingEvent]
    let sender: Sender
    private let numbers: ClosedRange<UInt64>?
    private let place: LaunchLedger.Place?
    /// The launch's recorded events; `nil` if they contain none of the submission.
    private let recorded: SequenceLedger?
    /// The number of events that aren't recorded yet.
    let newCount: Int

    init(of events: [TrackingEvent], from sender: Sender, to state: State) {
      (self.events, self.sender) = (events, sender)
      numbers = sender.numbers(of: events)
      place = numbers == nil ? nil : sender.launch.flatMap { state.launches.place(of: $0) }
      let known = if let numbers, let place { state.launches.count(of: numbers, at: place) } else { UInt64(0) }
      recorded = known > 0 ? place.flatMap { state.launches.recorded(at: $0) } : nil
      newCount = events.count - Int(known)
    }

    func noteNumbers(in state: inout State) {
      guard let numbers, let launch = sender.launch else { return }
      state.launches.note(
        numbers, of: launch, at: place, isOfSession: sender.isOfSession, connection: sender.connection)
    }

    func sequence(at index: Int) -> UInt64? { sender.sequence.map { $0 + UInt64(index) } }

    func isRecorded(_ sequence: UInt64?) -> Bool {
      if let recorded, let sequence { recorded.contains(sequence) } else { false }
    }
  }

  private func hasRoom(for submission: Submission, bodySize: Int, in state: State) -> Bool {
    let room = bodySize <= freeBytes(in: state) ? mostEntries - state.events : 0
    if submission.events.isEmpty { return room > 0 }
    // Redeliveries of SDKs take no room, either; they are counted only here, where that matters.
    return submission.newCount <= room
      || submission.newCount - state.deliveries.repeated(submission.events) <= room
  }

  /// Appends the new events; returns their number, which is less than `newCount` if a batch holds an id twice.
  private func append(_ submission: Submission, to state: inout State, _ woken: inout JournalWaiters.Woken) -> Int {
    let sender = submission.sender
    // Under the lock, so that arrival times never decrease.
    let arrival = Arrival(now())
    var appended = 0
    for (index, event) in submission.events.enumerated() {
      let sequence = submission.sequence(at: index)
      if submission.isRecorded(sequence) { continue }
      if event.origin?.id != nil, noteDelivery(of: event, in: &state, &woken) { continue }
      state.log.append(
        .event(
          RecordedEvent(
            event: event, number: state.log.nextNumber, arrival: arrival, connection: sender.connection,
            launch: sender.launch, sequence: sequence, isAcknowledged: sender.isAcknowledged)))
      state.waiters.take(forEventNamed: event.name, into: &woken)
      appended += 1
    }
    return appended
  }

  /// Notes an SDK's event by its id; returns whether it is a redelivery that isn't recorded.
  private func noteDelivery(of event: TrackingEvent, in state: inout State, _ woken: inout JournalWaiters.Woken) -> Bool
  {
    let novelty = state.deliveries.note(
      event, at: state.log.nextNumber, order: state.revision + 1, keeping: mostEntries)
    if case .new = novelty { return false }
    if case .conflicting(let first) = novelty { reject(event, first: first, in: &state, &woken) }
    state.revision += 1
    state.waiters.takeThoseForRevisions(into: &woken)
    if case .again = novelty { return true }
    return false
  }

  /// Notes an event with another event's id as a rejection, since the SDK's delivery is wrong; the event itself is recorded.
  private func reject(
    _ event: TrackingEvent, first: Int, in state: inout State, _ woken: inout JournalWaiters.Woken
  ) {
    guard state.rejections < mostEntries else { return }
    let (id, format) = (event.origin?.id ?? "", event.origin?.format ?? "")
    let reason = """
      \(format) sent another event under the id \(id.shortened(to: 100)), which #\(first) has; both were recorded
      """
    append(RejectedSubmission(status: 200, reason: reason), in: &state)
    state.waiters.takeThoseForRejections(into: &woken)
  }

  /// Counts items other than events; redeliveries aren't counted.
  func count(_ items: [TrackingEvent]) {
    state.withLock { state in
      for item in items { state.deliveries.count(item, at: state.log.nextNumber) }
    }
  }

  /// Records an event tracked in this process.
  package func record(_ event: TrackingEvent) {
    guard !record([event], bodySize: 0, from: Sender()) else { return }
    record(RejectedSubmission(status: Self.fullStatus, reason: fullReason))
  }

  /// Notes that events arrived and were refused, so that they don't count as lost if they aren't sent again.
  func noteRefusal(of events: [TrackingEvent], from sender: Sender) {
    guard let launch = sender.launch, let numbers = sender.numbers(of: events) else { return }
    state.withLock { $0.launches.noteRefusal(of: numbers, from: launch) }
  }

  /// Records a rejection.
  ///
  /// - Parameter sequence: The first event's number among all that the launch tracked. Others of a body that wasn't read are unknown; a double sends
  ///   each again alone.
  func record(_ rejection: RejectedSubmission, sequence: UInt64? = nil) {
    changeAndWake { state, woken in
      if let sequence, let launch = rejection.launch {
        state.launches.noteRefusal(of: sequence...sequence, from: launch)
      }
      state.waiters.takeThoseForRejections(into: &woken)
      guard state.rejections < mostEntries else {
        // A submission that was refused as the journal is full was counted then.
        if rejection.status != Self.fullStatus { state.refusedAsFull += 1 }
        return
      }
      var rejection = rejection
      // A full journal keeps the reason without the body.
      if rejection.body.count > freeBytes(in: state) { rejection.body = Data() }
      state.bodyBytes += rejection.body.count
      append(rejection, in: &state)
    }
  }

  private func append(_ rejection: RejectedSubmission, in state: inout State) {
    var rejection = rejection
    (rejection.number, rejection.arrival) = (state.log.nextNumber, now())
    state.log.append(.rejection(rejection))
    state.rejections += 1
  }

  /// Records a request when its head and body have arrived, with its response if that is known.
  ///
  /// Requests take at most half of the room for bodies, so that events always find some.
  ///
  /// - Parameter isSent: Whether the response, if known, is sent now; otherwise `noteSending` follows.
  /// - Returns: Its number, for `complete`; `nil` if the journal is full. The request still gets its response, and is counted.
  @discardableResult
  func record(_ request: RecordedRequest, isSent: Bool = true) -> Int? {
    changeAndWake { state, woken in
      let room = min(mostBodyBytes / 2 - state.requestBytes, freeBytes(in: state))
      // Without room for the body, the head is kept if it fits.
      let candidates = request.request.body.isEmpty ? [request] : [request, request.withoutBody]
      guard state.requests < mostEntries, var request = candidates.first(where: { $0.size <= room }) else {
        state.unkeptRequests += 1
        return nil
      }
      state.bodyBytes += request.size
      state.requestBytes += request.size
      state.requests += 1
      (request.number, request.arrival) = (state.log.nextNumber, now())
      if request.hasResponse, isSent {
        request.sending = ResponseMoment(entry: request.number, order: 0, instant: request.arrival)
      }
      state.log.append(.request(request))
      state.waiters.takeThoseForRequests(into: &woken)
      return request.number
    }
  }

  /// Adds the response to a request that was recorded without one; does nothing for `nil`, or after a reset.
  ///
  /// - Parameter isSent: Whether the response is sent now; otherwise `noteSending` follows.
  func complete(_ number: Int?, with response: RecordedResponse, isSent: Bool = true) {
    update(number) { request, moment in
      request.response = response
      if isSent { request.sending = moment }
    }
  }

  /// Notes that a delayed response is sent now.
  func noteSending(of number: Int?) {
    update(number) { request, moment in request.sending = moment }
  }

  private func update(_ number: Int?, _ change: (inout RecordedRequest, ResponseMoment) -> Void) {
    guard let number else { return }
    changeAndWake { state, woken in
      let moment = ResponseMoment(entry: state.log.nextNumber - 1, order: state.revision + 1, instant: now())
      guard state.log.updateRequest(number, { change(&$0, moment) }) else { return }
      state.revision += 1
      state.waiters.takeThoseForRevisions(into: &woken)
    }
  }

  /// Makes a change under the lock, then wakes the affected waiters.
  private func changeAndWake<Result: Sendable>(
    _ change: (inout State, inout JournalWaiters.Woken) -> Result
  ) -> Result {
    var woken = JournalWaiters.Woken()
    let result = state.withLock { change(&$0, &woken) }
    woken.wake()
    return result
  }

  /// Notes a new connection; returns its number, from 1.
  func recordConnection() -> Int {
    state.withLock { state in
      state.connections += 1
      state.openConnections += 1
      return state.connections
    }
  }

  /// Notes that a connection is a browser's or a runner's rather than an app's.
  func notePage(ofConnection number: Int) {
    state.withLock { _ = $0.pageConnections.insert(number) }
  }

  /// Notes that the server has closed its side of a connection, after reading everything sent to it.
  func recordClose() {
    state.withLock { $0.openConnections -= 1 }
  }

  /// Notes that a double was created in an app of this session.
  func noteHello(of launch: String, connection: Int?) {
    state.withLock { state in
      state.launches.noteHello(of: launch, connection: connection, at: now(), before: state.log.nextNumber)
    }
  }

  /// Notes that a client has closed its connection: an app that was terminated, or that crashed.
  func recordEnd(ofConnection number: Int) {
    state.withLock { $0.launches.noteEnd(ofConnection: number, at: now()) }
  }

  static let fullStatus = 507

  package var fullReason: String {
    let (mebibytes, rest) = mostBodyBytes.quotientAndRemainder(dividingBy: 1_048_576)
    let bodies = rest == 0 ? "\(mebibytes) MiB" : "\(mostBodyBytes) bytes"
    return "the journal is full (\(mostEntries) events or \(bodies) of bodies); \(vocabulary.emptying)"
  }

  private func freeBytes(in state: State) -> Int { mostBodyBytes - state.bodyBytes }
}
