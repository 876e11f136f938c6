import Foundation
import TrackingModel
import TrackingServer

/// A question that is being asked: its evaluation so far, how far it has read in the journal, and how long it listens.
///
/// Each entry is looked at once, on the waiting test's own thread or actor and without the journal's lock. Nothing polls. The blocking and the
/// suspending wait differ only in how they sleep.
struct Wait {
  /// The reason for which a wait has ended.
  enum End {
    /// An entry decided it.
    case decided
    /// Its timeout has passed, or that of an outer wait of XCTest.
    case time
    /// Its task was cancelled.
    case cancelled
    /// The verifier was stopped, which reports it.
    case stopped
  }

  /// The next step of a wait.
  private enum Step {
    case end(End)
    case sleep(Duration)
  }

  let question: Question
  let scale: Timescale
  private(set) var evaluation: any Evaluation
  /// The number of the first entry that was not looked at.
  private(set) var next: Int
  /// Whether an evaluation of answers has seen the requests from before the question's origin.
  private var hasLooked = false

  private let journal: Journal
  private let interest: JournalInterest
  private let kinds: EntryKinds
  let makeEvaluation: @Sendable () -> any Evaluation
  private let registry: WaitRegistry
  private var ticket: WaitRegistry.Ticket?
  private var waiter: Journal.WaiterID?
  /// The journal's revision at the last look; `nil` if changes to earlier entries do not matter.
  private var revision: Int?
  /// The arrival of the last entry that concerns the question; at first, the beginning of the wait.
  private var quietSince: ContinuousClock.Instant

  init(
    _ question: Question, in journal: Journal, registry: WaitRegistry,
    _ evaluation: @escaping @Sendable () -> any Evaluation
  ) {
    self.question = question
    self.journal = journal
    self.registry = registry
    let began = ContinuousClock.now
    scale = Timescale(began: began, deadline: began + .clamping(seconds: question.timeout))
    interest = question.verification.form.interest
    kinds = question.verification.kinds
    makeEvaluation = evaluation
    self.evaluation = evaluation()
    next = question.origin.entry
    revision = interest.revisions ? journal.revision : nil
    quietSince = began
  }

  /// Waits, blocking its thread.
  ///
  /// - Parameter condition: A condition on events beside the question's patterns.
  mutating func run(where condition: (TrackingEvent) -> Bool) -> End {
    defer { finish() }
    if let end = look(where: condition) { return end }
    while true {
      let wake = WakeThread()
      switch step(wake.wake, where: condition) {
      case .end(let end): return end
      case .sleep(let time): if !wake.wait(timeout: time) { return .time }
      }
    }
  }

  /// Waits without blocking a thread; ends also when its task is cancelled.
  mutating func run(
    isolation: isolated (any Actor)? = #isolation, where condition: (TrackingEvent) -> Bool
  ) async -> End {
    defer { finish() }
    if let end = look(where: condition) { return end }
    while true {
      let wake = WakeContinuation()
      switch step(wake.wake, where: condition) {
      case .end(let end): return end
      case .sleep(let time):
        if !Task.isCancelled { await wake.wait(timeout: time) }
        if Task.isCancelled { return look(where: condition) ?? .cancelled }
      }
    }
  }

  /// Reads the new entries, registers to be woken, and returns how long to sleep.
  private mutating func step(_ wake: @escaping @Sendable () -> Void, where condition: (TrackingEvent) -> Bool) -> Step {
    while true {
      if let waiter { journal.cancel(waiter) }
      waiter = nil
      if let end = look(where: condition) { return .end(end) }
      // An answer that is added from here on changes their number, so the next look sees it.
      switch journal.news(from: next, revision: revision, of: interest, orWake: wake) {
      case .entries: continue
      case .revised(let revision): replay(revision)
      case .none(let waiter):
        self.waiter = waiter
        if ticket == nil { ticket = registry.add(question) }
        guard ticket?.sleep(wake) ?? true else { return .end(.stopped) }
        // After registering, so that what this look misses wakes the wait.
        evaluation.look(at: journal)
        let end = min(self.end, scale.deadline)
        if end > .now { return .sleep(end - .now) }
        // An entry may have been recorded since the last look.
        return .end(look(where: condition) ?? .time)
      }
    }
  }

  /// The end of the wait for the next entry.
  private var end: ContinuousClock.Instant {
    switch evaluation.state {
    case .open: scale.deadline
    case .holding: quietSince + .clamping(seconds: question.settling)
    case .met, .broken: quietSince
    }
  }

  /// Evaluates the entries that have arrived, until one decides the question.
  private mutating func look(where condition: (TrackingEvent) -> Bool) -> End? {
    if interest.revisions, question.verification.ordersAnswers { return lookAtAnswers(where: condition) }
    for entry in journal.entries(from: next) {
      // An entry that arrived after the deadline was too late, however late this thread looks.
      guard entry.arrival <= scale.deadline else { return evaluation.state.isFinal ? .decided : .time }
      next = entry.number + 1
      guard kinds.contains(entry), entry.event.map({ condition($0.event) }) ?? true else { continue }
      if evaluation.take(entry) { quietSince = max(quietSince, entry.arrival) }
      if evaluation.state.isFinal, !evaluation.countsOn { return .decided }
    }
    return evaluation.state.isFinal ? .decided : nil
  }

  /// Evaluates the arrivals and answers since the last look.
  private mutating func lookAtAnswers(where condition: (TrackingEvent) -> Bool) -> End? {
    let entries = Array(journal.entries(from: hasLooked ? next : 1))
    let revision = journal.revision
    if revision != self.revision {
      // An answer may have been sent before these entries arrived.
      replay(revision)
      return lookAtAnswers(where: condition)
    }
    hasLooked = true
    for moment in TimelineMoment.all(of: entries, since: question.origin) {
      guard moment.instant <= scale.deadline else { return evaluation.state.isFinal ? .decided : .time }
      if !moment.isAnswer { next = moment.entry.number + 1 }
      guard kinds.contains(moment.entry), moment.entry.event.map({ condition($0.event) }) ?? true else { continue }
      if evaluation.take(moment) { quietSince = max(quietSince, moment.instant) }
      if evaluation.state.isFinal { return .decided }
    }
    return nil
  }

  /// Evaluates all entries again, because an earlier one has changed.
  private mutating func replay(_ revision: Int) {
    self.revision = revision
    evaluation = makeEvaluation()
    next = question.origin.entry
    hasLooked = false
  }

  private mutating func finish() {
    if let waiter { journal.cancel(waiter) }
    ticket?.remove()
    evaluation.look(at: journal)
  }
}

/// The open waits of a verifier, which its stop ends.
final class WaitRegistry: Sendable {
  private struct State {
    var open: [Int: Entry] = [:]
    var next = 0
  }

  private struct Entry {
    let question: Question
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

  func add(_ question: Question) -> Ticket {
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
  func endAll() -> [Question] {
    let ended = state.withLock { state in
      defer { state.open = [:] }
      return state.open.sorted { $0.key < $1.key }.map(\.value)
    }
    for entry in ended { entry.wake?() }
    return ended.map(\.question)
  }
}
