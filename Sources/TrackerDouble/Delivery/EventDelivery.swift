import TrackingModel
import TrackingSockets

/// Delivers what a queue holds, in order and each event once, until the queue is given up and empty.
///
/// Lives on the double's delivery thread alone. One POST is in flight at a time; an event that is pending stays at the head of the backlog until it is
/// acknowledged, refused or past its deadline, so that nothing overtakes it.
struct EventDelivery {
  private let queue: DeliveryQueue
  private let connection: Connection
  private let form: EventPost
  private let session: String?
  private let batchLimit: Int
  private let deadline: Duration
  private let attemptTimeout: Duration
  private let reports: FailureReports
  private var losses: LossReports

  /// A slice, so that to remove its head moves nothing.
  private var backlog: ArraySlice<QueuedEvent> = []
  private var backoff = Backoff()
  /// Events up to this number go one by one: the server refused an array that held them.
  private var lastAlone = 0

  init(
    from queue: DeliveryQueue, over route: DeliveryRoute, _ configuration: TrackerDouble.Configuration,
    _ log: DeliveryLog
  ) {
    self.queue = queue
    connection = Connection(to: route.addresses)
    form = EventPost(over: route, launch: Launch.next())
    session = route.session
    batchLimit = max(1, configuration.batchLimit)
    deadline = .clamping(seconds: configuration.deadline)
    attemptTimeout = min(.clamping(seconds: configuration.attemptTimeout), deadline)
    reports = FailureReports(configuration.onFailure, log: log)
    losses = LossReports(of: queue, reason: "the queue of \(configuration.queueLimit) events was full", reports)
  }

  mutating func run() {
    var goesOn = true
    while goesOn {
      releasingTemporaries { goesOn = step() }
    }
  }

  /// - Returns: `false` when nothing is left and nothing will come.
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

  /// The events of the next POST: consecutive numbers, since the request names the first alone.
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

  private func attempt(_ batch: ArraySlice<QueuedEvent>) -> Verdict {
    let request = form.bytes(for: batch)
    let now = ContinuousClock.now
    var end = now + attemptTimeout
    // While answers come, an attempt has its full time, however long its event waited for its turn; after a failure it ends with the deadline.
    if backoff.isRetrying { end = min(end, max(now, batch[batch.startIndex].tracked + deadline)) }
    do throws(ExchangeError) {
      return Verdict(try connection.exchange(request, until: end), count: batch.count, session: session)
    } catch {
      return .unsettled("\(error)")
    }
  }

  /// Pauses, and gives up the events whose deadline has come.
  private mutating func retryLater(_ batch: ArraySlice<QueuedEvent>, _ reason: String) {
    queue.pause(until: min(ContinuousClock.now + backoff.next(), batch[batch.startIndex].tracked + deadline))
    // All whose time is over, and not just those that were next: no further attempt is made for them.
    backlog += queue.takeIncoming()
    let now = ContinuousClock.now
    let overdue = backlog.prefix { $0.tracked + deadline <= now }.count
    fail(overdue, "gave up at the deadline of \(deadline): \(reason)")
  }

  /// The first `count` events of the backlog have failed: counted, reported, then released to those who flush.
  private mutating func fail(_ count: Int, _ reason: String) {
    let failed = backlog.prefix(count)
    guard let last = failed.last else { return }
    backlog.removeFirst(count)
    queue.countFailed(failed)
    reports.report(DeliveryFailure(events: failed.map(\.event), count: count, reason: reason))
    queue.release(through: last.number)
  }
}
