import Dispatch
import Foundation
import TrackingModel

/// The events, numbers and counts that a double's callers and its delivery thread share, behind one lock.
///
/// Callers append and flush; the delivery thread takes, settles and sleeps. A failed batch is counted first, then reported, then released, so that
/// a flush returns after the report.
final class DeliveryQueue: Sendable {
  private struct State {
    var counts = DeliveryCounts()
    var incoming: [QueuedEvent] = []
    var losses = Losses()
    var lastQueued = 0
    var lastReleased = 0
    var firstFailed = Int.max
    var flushes: [Flush] = []
    var sleep = Sleep.awake
    var isClosed = false
    var deliveryThread: ObjectIdentifier?

    mutating func wakes(from reason: Sleep) -> Bool {
      guard sleep == reason else { return false }
      sleep = .awake
      return true
    }

    mutating func beginFlush(from thread: ObjectIdentifier) -> BegunFlush {
      let flush = Flush(lastQueued: lastQueued, lastTracked: counts.tracked)
      // The delivery thread can't wait for itself.
      guard lastReleased < lastQueued, thread != deliveryThread else { return .done(isDelivered(flush)) }
      flushes.append(flush)
      return .waits(flush, mustRing: wakes(from: .untilRetry))
    }

    mutating func end(_ flush: Flush) -> Bool {
      flushes.removeAll { $0.bell === flush.bell }
      return isDelivered(flush)
    }

    private func isDelivered(_ flush: Flush) -> Bool {
      lastReleased >= flush.lastQueued && firstFailed > flush.lastTracked
    }

    mutating func release(through number: Int) {
      lastReleased = number
      for flush in flushes where flush.lastQueued <= number {
        flush.bell.signal()
      }
    }
  }

  /// The reason why the delivery thread sleeps; only the matching event wakes it.
  private enum Sleep {
    case awake, untilWork, untilRetry
  }

  private struct Flush {
    let lastQueued: Int
    let lastTracked: Int
    let bell = DispatchSemaphore(value: 0)
  }

  private enum BegunFlush {
    case done(Bool)
    case waits(Flush, mustRing: Bool)
  }

  private let limit: Int
  private let state = Locked(State())
  private let bell = DispatchSemaphore(value: 0)

  /// At most `limit` events are unsettled.
  init(limit: Int) {
    self.limit = limit
  }

  var counts: DeliveryCounts {
    state.withLock { $0.counts }
  }

  // MARK: - Callers

  /// Numbers an event and queues it, or counts it as lost if the queue is full; returns whether it was the first event.
  func append(_ event: TrackingEvent) -> Bool {
    let now = ContinuousClock.now
    let (isFirst, mustRing) = state.withLock { state in
      let isFull = state.counts.pending >= limit
      state.counts.tracked += 1
      let number = state.counts.tracked
      if isFull {
        state.counts.failed += 1
        state.firstFailed = min(state.firstFailed, number)
        state.losses.add(event)
      } else {
        state.incoming.append(QueuedEvent(event: event, number: number, tracked: now))
        state.lastQueued = number
      }
      return (number == 1, state.wakes(from: .untilWork))
    }
    // Outside the lock, because the woken thread takes it.
    if mustRing { bell.signal() }
    return isFirst
  }

  /// Waits until all events tracked so far are settled; `true` if all were delivered.
  func flush(timeout: TimeInterval) -> Bool {
    let end = DispatchTime.now() + (timeout > 0 ? min(timeout, 1_000_000_000) : 0)
    let thread = ObjectIdentifier(Thread.current)
    let flush: Flush
    switch state.withLock({ $0.beginFlush(from: thread) }) {
    case .done(let isDelivered): return isDelivered
    case .waits(let begun, let mustRing):
      flush = begun
      if mustRing { bell.signal() }
    }
    _ = flush.bell.wait(timeout: end)
    return state.withLock { $0.end(flush) }
  }

  /// Tells the delivery thread that no more events will come.
  func close() {
    let mustRing = state.withLock { state in
      state.isClosed = true
      return state.wakes(from: .untilWork)
    }
    if mustRing { bell.signal() }
  }

  // MARK: - The delivery thread

  func enterDeliveryThread() {
    let thread = ObjectIdentifier(Thread.current)
    state.withLock { $0.deliveryThread = thread }
  }

  /// Sleeps until there are events to take or losses to report; `false` if there are none and the double is released.
  func waitForWork() -> Bool {
    while true {
      let hasWork = state.withLock { state -> Bool? in
        if !state.incoming.isEmpty || state.losses.count > 0 { return true }
        if state.isClosed { return false }
        state.sleep = .untilWork
        return nil
      }
      if let hasWork { return hasWork }
      bell.wait()
    }
  }

  func pause(until end: ContinuousClock.Instant) {
    state.withLock { $0.sleep = .untilRetry }
    while true {
      let rest = end - ContinuousClock.now
      let isEarly = state.withLock { state in
        if rest <= .zero { state.sleep = .awake }
        return state.sleep == .untilRetry
      }
      guard isEarly else { return }
      _ = bell.wait(timeout: .now() + rest / .seconds(1))
    }
  }

  func takeIncoming() -> [QueuedEvent] {
    state.withLock { exchange(&$0.incoming, with: []) }
  }

  /// The events dropped since the last call.
  func takeLosses() -> Losses {
    state.withLock { exchange(&$0.losses, with: Losses()) }
  }

  func settleDelivered(_ batch: some RandomAccessCollection<QueuedEvent>) {
    guard let last = batch.last else { return }
    state.withLock { state in
      state.counts.delivered += batch.count
      state.release(through: last.number)
    }
  }

  /// The report and `release` must follow.
  func countFailed(_ batch: some RandomAccessCollection<QueuedEvent>) {
    guard let first = batch.first else { return }
    state.withLock { state in
      state.counts.failed += batch.count
      state.firstFailed = min(state.firstFailed, first.number)
    }
  }

  /// Wakes flushes whose events are all settled.
  func release(through number: Int) {
    state.withLock { $0.release(through: number) }
  }
}

struct QueuedEvent: Sendable {
  let event: TrackingEvent
  /// Counts the events that its double tracked, from 1.
  let number: Int
  let tracked: ContinuousClock.Instant
}

/// The first events that didn't fit the queue, and the number of all.
struct Losses: Sendable {
  /// The number of events kept for reports; bounds memory.
  static let kept = 100

  private(set) var events: [TrackingEvent] = []
  private(set) var count = 0

  mutating func add(_ event: TrackingEvent) {
    count += 1
    if events.count < Self.kept { events.append(event) }
  }
}
