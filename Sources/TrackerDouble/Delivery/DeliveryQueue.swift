import Dispatch
import Foundation
import TrackingModel
import TrackingSockets

/// What the callers of a double and its delivery thread share: the events, their numbers and their counts, behind one lock.
///
/// Callers append and flush; the delivery thread takes, settles and sleeps. A failed batch is counted first, then reported, and released to those who
/// flush last, so that who flushed has been told.
final class DeliveryQueue: Sendable {
  private struct State {
    var counts = DeliveryCounts()
    var incoming: [QueuedEvent] = []
    var losses = Losses()
    /// The number of the last event that fitted the queue, and of the last such that is settled.
    var lastQueued = 0
    var lastReleased = 0
    var firstFailed = Int.max
    var flushes: [Flush] = []
    var sleep = Sleep.awake
    var isGivenUp = false
    var deliveryThread: ObjectIdentifier?

    mutating func wakes(from reason: Sleep) -> Bool {
      guard sleep == reason else { return false }
      sleep = .awake
      return true
    }

    mutating func beginFlush(from thread: ObjectIdentifier) -> BegunFlush {
      let flush = Flush(lastQueued: lastQueued, lastTracked: counts.tracked)
      // The delivery thread cannot wait for itself.
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

  /// Why the delivery thread sleeps: only who has what it waits for rings.
  private enum Sleep {
    case awake, untilWork, untilRetry
  }

  /// A caller that waits until what was tracked before it asked is settled.
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

  /// A queue that holds at most `limit` events until they are settled.
  init(limit: Int) {
    self.limit = limit
  }

  var counts: DeliveryCounts {
    state.withLock { $0.counts }
  }

  // MARK: - Callers

  /// Gives an event the next number and takes it, or counts it as lost when the queue is full.
  ///
  /// - Returns: Whether it was the first of all events.
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
    // After the lock is given back: the thread that wakes wants it.
    if mustRing { bell.signal() }
    return isFirst
  }

  /// Waits until what was tracked so far is settled; `true` when all of it was delivered.
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
  func giveUp() {
    let mustRing = state.withLock { state in
      state.isGivenUp = true
      return state.wakes(from: .untilWork)
    }
    if mustRing { bell.signal() }
  }

  // MARK: - The delivery thread

  /// To be called by the delivery thread before all else.
  func enterDeliveryThread() {
    let thread = ObjectIdentifier(Thread.current)
    state.withLock { $0.deliveryThread = thread }
  }

  /// Sleeps until there are events to take or losses to report.
  ///
  /// - Returns: `false` when there are none and none will come.
  func waitForWork() -> Bool {
    while true {
      let hasWork = state.withLock { state -> Bool? in
        if !state.incoming.isEmpty || state.losses.count > 0 { return true }
        if state.isGivenUp { return false }
        state.sleep = .untilWork
        return nil
      }
      if let hasWork { return hasWork }
      bell.wait()
    }
  }

  /// Sleeps until it is time for the next attempt; a flush cuts it short.
  func pause(until end: ContinuousClock.Instant) {
    state.withLock { $0.sleep = .untilRetry }
    while true {
      let rest = end - ContinuousClock.now
      let sleepsOn = state.withLock { state in
        if rest <= .zero { state.sleep = .awake }
        return state.sleep == .untilRetry
      }
      guard sleepsOn else { return }
      _ = bell.wait(timeout: .now() + rest / .seconds(1))
    }
  }

  /// The events that came since the last call.
  func takeIncoming() -> [QueuedEvent] {
    state.withLock { state in
      var taken: [QueuedEvent] = []
      swap(&taken, &state.incoming)
      return taken
    }
  }

  /// The events that did not fit since the last call.
  func takeLosses() -> Losses {
    state.withLock { state in
      var taken = Losses()
      swap(&taken, &state.losses)
      return taken
    }
  }

  /// Counts events as delivered and releases them.
  func settleDelivered(_ batch: some RandomAccessCollection<QueuedEvent>) {
    guard let last = batch.last else { return }
    state.withLock { state in
      state.counts.delivered += batch.count
      state.release(through: last.number)
    }
  }

  /// Counts events as failed; to be followed by the report, and by `release`.
  func countFailed(_ batch: some RandomAccessCollection<QueuedEvent>) {
    guard let first = batch.first else { return }
    state.withLock { state in
      state.counts.failed += batch.count
      state.firstFailed = min(state.firstFailed, first.number)
    }
  }

  /// Tells those who flush that all events up to a number are settled.
  func release(through number: Int) {
    state.withLock { $0.release(through: number) }
  }
}
