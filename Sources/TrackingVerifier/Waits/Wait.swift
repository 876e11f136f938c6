import Foundation
import TrackingModel
import TrackingQuestions
import TrackingServer

/// A reading that sleeps between the entries of a journal.
///
/// Each entry is looked at once, on the waiting test's own thread or actor and without the journal's lock. Nothing polls. The blocking and the
/// suspending wait differ only in how they sleep.
struct Wait {
  /// The next step of a wait.
  private enum Step {
    case end(WaitEnd)
    case sleep(until: ContinuousClock.Instant)
  }

  private(set) var reading: Reading
  private let journal: Journal
  private let registry: WaitRegistry
  private var ticket: WaitRegistry.Ticket?
  private var waiter: Journal.WaiterID?
  private var senders: Senders
  private var watcher: Int?

  init(_ reading: Reading, in journal: Journal, registry: WaitRegistry, senders: Senders) {
    self.reading = reading
    self.journal = journal
    self.registry = registry
    self.senders = senders
  }

  /// Waits, blocking its thread.
  mutating func run() -> WaitEnd {
    defer { finish() }
    if read() == nil { return .answered }
    while true {
      let wake = WakeThread()
      switch step(wake.wake) {
      case .end(let end): return end
      case .sleep(let time): if !wake.wait(timeout: time - .now) { return .interrupted }
      }
    }
  }

  /// Waits without blocking a thread; ends also when its task is cancelled.
  mutating func run(isolation: isolated (any Actor)? = #isolation) async -> WaitEnd {
    defer { finish() }
    if read() == nil { return .answered }
    while true {
      let wake = WakeContinuation()
      switch step(wake.wake) {
      case .end(let end): return end
      case .sleep(let time):
        if !Task.isCancelled { await wake.wait(timeout: time - .now) }
        if Task.isCancelled { return read() == nil ? .answered : .cancelled }
      }
    }
  }

  /// Reads the new entries, registers to be woken, and returns how long to sleep.
  private mutating func step(_ wake: @escaping @Sendable () -> Void) -> Step {
    while true {
      if let waiter { journal.cancel(waiter) }
      waiter = nil
      guard read() != nil else { return .end(.answered) }
      guard
        case .none(let waiter) = journal.news(
          from: reading.next, revision: reading.revision, of: reading.interest, orWake: wake)
      else { continue }
      self.waiter = waiter
      if ticket == nil { ticket = registry.add(reading.question) }
      guard ticket?.sleep(wake) ?? true else { return .end(.stopped) }
      stopWatching()
      if !LaunchedPrograms.isEmpty { watcher = LaunchedPrograms.addWatcher(wake) }
      // After registering, so that what this look misses wakes the wait.
      let look = senders.look(at: .now)
      guard let time = read() else { return .end(.answered) }
      guard case .open = reading.state(at: .now) else { return .sleep(until: time) }
      switch look {
      case .some: return .sleep(until: time)
      case .perhaps(let again): return .sleep(until: min(time, again))
      case .none: return .end(.abandoned)
      }
    }
  }

  /// Reads what has arrived.
  ///
  /// - Returns: The time at which the question is answered if nothing more arrives; `nil` if it is answered.
  private mutating func read() -> ContinuousClock.Instant? {
    // Before reading, so that everything that arrived until then is read.
    let now = ContinuousClock.now
    reading.read(journal)
    switch reading.state(at: now) {
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

/// The senders that may still answer a wait, as far as the test process knows them.
struct Senders {
  enum Look {
    case some
    /// None is known; what they have sent may be under way until the time.
    case perhaps(until: ContinuousClock.Instant)
    case none
  }

  private let server: TrackingServer
  /// The time for which what a program sent before its end may be under way.
  private let grace: Duration
  /// The first look without a running program.
  private var ended: ContinuousClock.Instant?
  /// The programs that ran at the first look, at the beginning of the wait.
  private var first: Set<ObjectIdentifier>?

  init(to server: TrackingServer, settling: TimeInterval) {
    self.server = server
    grace = .clamping(seconds: max(settling, 0.25))
  }

  /// There are some unless a program has ended that the test didn't terminate, and nothing else is known that could send.
  ///
  /// A program that had ended with status 0 before the wait may have prepared another app, which isn't known here.
  mutating func look(at now: ContinuousClock.Instant) -> Look {
    let (programs, journal) = (
      server.launchedPrograms.map { (id: ObjectIdentifier($0), phase: $0.phase) }, server.journal
    )
    let running = Set(programs.filter { $0.phase == .running }.map(\.id))
    let first = self.first ?? running
    self.first = first
    let hasEnded = programs.contains { program in
      switch program.phase {
      case .ended(let isSuccess): !isSuccess || first.contains(program.id)
      case .running, .terminated: false
      }
    }
    // The test process may track, too.
    guard hasEnded, running.isEmpty,
      !journal.entries(from: 1).contains(where: { $0.event.map { $0.connection == nil } ?? false })
    else {
      ended = nil
      return .some
    }
    let since = ended ?? now
    ended = since
    let isConnected = journal.openConnections > 0
    let last = journal.entries(from: journal.nextNumber - 1).first { _ in true }?.arrival ?? since
    let end = max(since, last) + grace
    guard isConnected || now < end else { return .none }
    // An open connection is another sender's, or has something left to read.
    return .perhaps(until: isConnected ? now + grace : end)
  }
}

/// The open waits of a verifier, which its stop ends.
final class WaitRegistry: Sendable {
  private struct State {
    var open: [Int: Entry] = [:]
    var next = 0
  }

  private struct Entry {
    let question: AskedQuestion
    var wake: (@Sendable () -> Void)?
  }

  /// A wait that may be ended.
  struct Ticket: Sendable {
    fileprivate let number: Int
    fileprivate let registry: WaitRegistry

    /// Notes how to wake the wait.
    ///
    /// - Returns: `false` when the wait has been ended.
    func sleep(_ wake: @escaping @Sendable () -> Void) -> Bool {
      registry.state.withLock { state in
        guard state.open[number] != nil else { return false }
        state.open[number]?.wake = wake
        return true
      }
    }

    func remove() {
      registry.state.withLock { _ = $0.open.removeValue(forKey: number) }
    }
  }

  private let state = Locked(State())

  func add(_ question: AskedQuestion) -> Ticket {
    state.withLock { state in
      state.next += 1
      state.open[state.next] = Entry(question: question)
      return Ticket(number: state.next, registry: self)
    }
  }

  /// The number of sleeping waits.
  var count: Int { state.withLock { $0.open.count } }

  /// Ends all waits.
  ///
  /// - Returns: Their questions, in the order in which they were asked.
  func endAll() -> [AskedQuestion] {
    let ended = state.withLock { state in
      defer { state.open = [:] }
      return state.open.sorted { $0.key < $1.key }.map(\.value)
    }
    for entry in ended { entry.wake?() }
    return ended.map(\.question)
  }
}
