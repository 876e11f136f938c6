import Foundation
import TrackingModel
import TrackingChecks
import TrackingServer

/// A check's run that sleeps between the entries of a journal.
///
/// It looks at each entry once, on the waiting test's own thread or actor and without the journal's lock. Nothing polls. The blocking and the
/// suspending wait differ only in how they sleep.
struct Wait {
  private enum Step {
    case end(CheckEnd)
    case sleep(until: ContinuousClock.Instant)
  }

  private(set) var checkRun: CheckRun
  private let journal: TrackingJournal
  private let registry: WaitRegistry
  private var ticket: WaitRegistry.Ticket?
  private var waiter: TrackingJournal.WaiterID?
  private var senders: RunningSenders
  private var watcher: Int?
  private var hasBlocked = false
  /// Restarts the run after a reset; returns `nil` if there was none.
  private let afterReset: @Sendable (CheckRun) -> CheckRun?

  init(
    _ checkRun: CheckRun, in journal: TrackingJournal, registry: WaitRegistry, senders: RunningSenders,
    afterReset: @escaping @Sendable (CheckRun) -> CheckRun?
  ) {
    self.afterReset = afterReset
    self.checkRun = checkRun
    self.journal = journal
    self.registry = registry
    self.senders = senders
  }

  mutating func run() -> CheckEnd {
    defer { finish() }
    if read() == nil { return .decided }
    while true {
      let wake = ThreadSignal()
      switch step(wake.wake) {
      case .end(let end): return end
      case .sleep(let time):
        hasBlocked = true
        if !wake.wait(timeout: time - .now) { return .interrupted }
      }
    }
  }

  /// Whether the main thread was blocked without serving the main queue, as in a job of the main actor.
  ///
  /// Turns the run loop, so it is read only for a failure.
  var hasBlockedMainActor: Bool {
    guard hasBlocked, Thread.isMainThread else { return false }
    let isServed = Locked(false)
    DispatchQueue.main.async { isServed.withLock { $0 = true } }
    // A turn serves one source at most.
    for _ in 0..<10 where !isServed.withLock(\.self) { _ = RunLoop.main.run(mode: .default, before: .distantPast) }
    return !isServed.withLock(\.self)
  }

  /// Waits without blocking a thread; also ends when the task is cancelled.
  mutating func run(isolation: isolated (any Actor)? = #isolation) async -> CheckEnd {
    defer { finish() }
    if read() == nil { return .decided }
    while true {
      let wake = TaskSignal()
      switch step(wake.wake) {
      case .end(let end): return end
      case .sleep(let time):
        if !Task.isCancelled { await wake.wait(timeout: time - .now) }
        if Task.isCancelled { return read() == nil ? .decided : .cancelled }
      }
    }
  }

  /// Reads new entries, registers to be woken, and returns how long to sleep.
  private mutating func step(_ wake: @escaping @Sendable () -> Void) -> Step {
    while true {
      if let waiter { journal.cancel(waiter) }
      waiter = nil
      guard read() != nil else { return .end(.decided) }
      guard
        case .none(let waiter) = journal.news(
          from: checkRun.next, revision: checkRun.revision, of: checkRun.interest, orWake: wake)
      else { continue }
      self.waiter = waiter
      if ticket == nil { ticket = registry.add(checkRun.call) }
      guard ticket?.sleep(wake) ?? true else { return .end(.stopped) }
      stopWatching()
      if !LaunchedPrograms.isEmpty { watcher = LaunchedPrograms.addWatcher(wake) }
      // After registering, so that an entry missed by this look wakes the wait.
      let look = senders.look(at: .now)
      guard let time = read() else { return .end(.decided) }
      guard case .open = checkRun.state(at: .now) else { return .sleep(until: time) }
      switch look {
      case .some: return .sleep(until: time)
      case .perhaps(let again): return .sleep(until: min(time, again))
      case .ended: return .end(.programsEnded)
      case .neverStarted: return .end(.serverNotStarted)
      }
    }
  }

  /// Reads new entries, and returns the time at which the check is decided if nothing else arrives; `nil` if it is decided.
  private mutating func read() -> ContinuousClock.Instant? {
    // Before reading, so that everything that arrived before this time is read.
    let now = ContinuousClock.now
    if let again = afterReset(checkRun) { checkRun = again }
    checkRun.read(journal)
    switch checkRun.state(at: now) {
    case .open(let end), .holding(let end): return end
    case .met, .broken, .tooLate: return nil
    }
  }

  private mutating func finish() {
    if let waiter { journal.cancel(waiter) }
    stopWatching()
    ticket?.remove()
  }

  private mutating func stopWatching() {
    if let watcher { LaunchedPrograms.removeWatcher(watcher) }
    watcher = nil
  }
}
