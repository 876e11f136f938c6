import TrackingLaunch
import TrackingModel
import TrackingSockets

/// Delivers the events of a queue, in order and each once, until the queue is closed and empty.
///
/// Used only on the double's delivery thread. One POST is in flight at a time. A pending event stays at the head of the backlog until it is
/// acknowledged, refused or past its deadline, so no event overtakes it.
struct EventDelivery {
  private let queue: DeliveryQueue
  private let connection: HTTPConnection
  private let form: EventPost
  private let route: DeliveryRoute
  private let batchLimit: Int
  private let deadline: Duration
  private let attemptTimeout: Duration
  private let log: AppLog
  private let reports: FailureReports
  private var losses: LossReports

  /// A slice, so removing its head moves nothing.
  private var backlog: ArraySlice<QueuedEvent> = []
  private var backoff = Backoff()
  private var lastReason: String?
  /// Events up to this number are sent one by one, because the server refused them as an array.
  private var lastAlone = 0

  init(
    from queue: DeliveryQueue, over route: DeliveryRoute, _ configuration: TrackerDouble.Configuration,
    _ log: AppLog
  ) {
    self.queue = queue
    connection = HTTPConnection(to: route.addresses)
    form = EventPost(over: route, launch: Launch.next())
    self.route = route
    self.log = log
    batchLimit = max(1, configuration.batchLimit)
    deadline = .clamping(seconds: configuration.deadline)
    attemptTimeout = min(.clamping(seconds: configuration.attemptTimeout), deadline)
    reports = FailureReports(onFailure: configuration.onFailure, log: log)
    losses = LossReports(of: queue, reason: "the queue of \(configuration.queueLimit) events was full", reports)
  }

  mutating func run() {
    sayHello()
    var isOpen = true
    while isOpen {
      releasingTemporaries { isOpen = step() }
    }
  }

  /// Tells the verifier that the app runs, unless events do; without a server, does nothing.
  private func sayHello() {
    guard let hello = form.hello, queue.counts.tracked == 0 else { return }
    // Short, because events are waiting.
    _ = try? connection.exchange(hello, until: .now + min(attemptTimeout, .seconds(1)))
  }

  /// Returns `false` if there are no events and the double is released.
  private mutating func step() -> Bool {
    losses.reportOncePerSecond()
    refill()
    guard let head = backlog.first else {
      losses.reportAll()
      backoff.reset()
      return queue.waitForWork()
    }
    deliver(batch(from: head))
    return true
  }

  private mutating func refill() {
    if backlog.isEmpty {
      backlog = queue.takeIncoming()[...]
    } else if backlog.count < batchLimit {
      backlog += queue.takeIncoming()
    }
  }

  /// The events of the next POST; their numbers are consecutive, because the request has only the first.
  private func batch(from head: QueuedEvent) -> ArraySlice<QueuedEvent> {
    let limit = head.number <= lastAlone ? 1 : batchLimit
    var end = backlog.startIndex + 1
    while end < backlog.endIndex, end - backlog.startIndex < limit, backlog[end].number == backlog[end - 1].number + 1 {
      end += 1
    }
    return backlog[..<end]
  }

  private mutating func deliver(_ batch: ArraySlice<QueuedEvent>) {
    switch attempt(batch) {
    case .acknowledged:
      queue.settleDelivered(batch)
      backlog.removeFirst(batch.count)
      backoff.reset()
    case .refused(let reason):
      fail(batch.count, reason)
      backoff.reset()
    case .refusedTogether:
      lastAlone = batch.last?.number ?? lastAlone
    case .barred(let reason):
      backlog += queue.takeIncoming()
      fail(backlog.count, reason)
      backoff.reset()
    case .stranger(let reason):
      connection.close()
      retryLater(batch, reason)
    case .unsettled(let reason):
      retryLater(batch, reason)
    }
  }

  private func attempt(_ batch: ArraySlice<QueuedEvent>) -> DeliveryResult {
    let request = form.bytes(for: batch)
    let now = ContinuousClock.now
    var end = now + attemptTimeout
    // While responses arrive, each attempt has its full time, however old its event. After a failure it ends at the deadline.
    if backoff.isRetrying { end = min(end, max(now, batch[batch.startIndex].tracked + deadline)) }
    let isCutShort = end < now + attemptTimeout
    do throws(ExchangeError) {
      return DeliveryResult(try connection.exchange(request, until: end), count: batch.count, session: route.session)
    } catch {
      // An attempt that the deadline cut short must not hide an earlier attempt's cause.
      if error == .timedOut, isCutShort, let lastReason { return .unsettled(lastReason) }
      return .unsettled("\(error)")
    }
  }

  private mutating func retryLater(_ batch: ArraySlice<QueuedEvent>, _ reason: String) {
    if !backoff.isRetrying {
      // Logged at once, so that a wrong port isn't silent until the deadline.
      log.note("an event has not reached \(route) yet, trying again for up to \(deadline): \(reason)")
    }
    lastReason = reason
    queue.pause(until: min(ContinuousClock.now + backoff.next(), batch[batch.startIndex].tracked + deadline))
    // All events past their deadline, not only this batch's: none is tried again.
    backlog += queue.takeIncoming()
    let now = ContinuousClock.now
    let overdue = backlog.prefix { $0.tracked + deadline <= now }.count
    fail(overdue, "gave up at the deadline of \(deadline): \(reason)")
  }

  /// Counts the first events of the backlog as failed, reports them, then releases waiting flushes.
  private mutating func fail(_ count: Int, _ reason: String) {
    let failed = backlog.prefix(count)
    guard let last = failed.last else { return }
    backlog.removeFirst(count)
    queue.countFailed(failed)
    reports.report(DeliveryFailure(events: failed.map(\.event), count: count, reason: reason))
    queue.release(through: last.number)
  }
}

/// The pauses between failed attempts: 10 ms, doubling up to 500 ms.
struct Backoff {
  private var pause: Duration?

  var isRetrying: Bool { pause != nil }

  mutating func next() -> Duration {
    let next = min(pause.map { $0 * 2 } ?? .milliseconds(10), .milliseconds(500))
    pause = next
    return next
  }

  mutating func reset() {
    pause = nil
  }
}
