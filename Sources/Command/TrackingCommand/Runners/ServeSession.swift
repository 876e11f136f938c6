import Foundation
import StubModel
import TrackingModel
import TrackingChecks
import TrackingRules
import TrackingServer

/// The questions that a command asks about a server: what a verifier is for a test.
///
/// It asks no clock and starts nothing: the caller gives the time, and lets an open question look again when it is woken and at its deadline.
final class ServeSession: CheckRunner {
  /// A place in the server's journal, after everything that has arrived.
  struct Mark: Sendable {
    let mark: JournalMark
    /// The number of the next entry.
    var entry: Int { mark.entry }
  }

  let server: TrackingServer
  let ledger: SharedLedger
  let rule: (any EventRule)?
  let beginning = JournalMark.beginning
  let testName: String? = nil
  var journal: TrackingJournal { server.journal }
  private let owner: StubStore.Owner
  private let state = Locked((asked: UInt(0), checked: JournalMark.beginning))

  /// A session of questions about everything in a server's journal.
  ///
  /// - Parameter plan: The rule of the question `.plan`.
  init(about server: TrackingServer, plan: (any EventRule)? = nil) {
    self.server = server
    rule = plan
    owner = server.stubs.makeOwner()
    ledger = SharedLedger(of: server.journal, onMatch: { [notes = server.notes] in notes?.match($0, true) })
  }

  /// The place after everything that has arrived.
  func mark() -> Mark { Mark(mark: server.journal.mark()) }

  /// Asks a question; failures of later ones name it as `ask:3`, by its number.
  ///
  /// - Parameters:
  ///   - timeout: Seconds to wait; `nil` for the usual 5, or for the seconds that the question names.
  ///   - scale: The factor of the timeout and the settling time.
  /// - Throws: The failure of a question that can't be asked.
  func ask(
    _ check: TrackingCheck<CheckOutcome>, since mark: Mark? = nil, timeout: TimeInterval? = nil,
    scale: Double = TimeoutScale.factor, now: ContinuousClock.Instant
  ) throws(InvalidCheck) -> OpenCheck {
    let number = state.withLock { state in
      state.asked += 1
      return state.asked
    }
    let location = CodeLocation(fileID: "ask", file: "ask", line: number, column: 1)
    let call = try call(
      check, at: location, since: mark?.mark ?? .beginning, timeout: timeout, usually: 5, settling: 0.25,
      scale: scale)
    return OpenCheck(run(of: call, from: now), in: self)
  }

  /// Installs stubs that stay until ``removeStubs()``.
  ///
  /// - Throws: What is not valid in a stub; none is installed then.
  func install(_ stubs: [StubEndpoint], files folder: StubFolder? = nil) throws(StubError) {
    try server.install(stubs, files: folder, of: owner)
  }

  /// Removes the stubs of this session.
  func removeStubs() { server.stubs.forget(owner) }

  /// Returns what a verifier's stop reports, and ends the questions so far.
  ///
  /// These are late answers and extras, and the failures of some questions about what has arrived since the last finish.
  func finish(_ checks: [TrackingCheck<CheckOutcome>], now: ContinuousClock.Instant) -> [CheckFailure] {
    let end = server.journal.mark()
    let mark = state.withLock { state in
      defer { state.checked = end }
      return state.checked
    }
    defer { ledger.reset() }
    return ledger.takeFindings().map { LateReport($0).failure }
      + checks.compactMap { check in
        guard let run = try? self.check(check, at: .wholeTest, since: mark, until: end, asOf: now) else {
          return nil
        }
        return run.evaluation.state.isGood ? nil : report(run, .testEnded).failure
      }
  }

  func describe(_ context: inout FailureContext) {
    if let url = server.lastEndpoint?.url {
      context.reachability = .listening(url, connections: journal.connections)
    }
    context.unrequestedStubs = server.stubs.unrequested(of: owner)
    context.coveredStub = server.stubs.covered(of: owner)
  }

  func noPlan(at location: CodeLocation) -> CheckFailure {
    CheckFailure(.unusablePlan, "There is no plan: start `tracking serve` with --plan.", at: location)
  }
}

extension TrackingCheck<CheckOutcome> {
  /// One entry that matches.
  static func first(_ pattern: EntryPattern) -> TrackingCheck<CheckOutcome> { one(pattern) }

  /// One entry that matches, and that no earlier question has matched.
  static func firstFree(_ pattern: EntryPattern) -> TrackingCheck<CheckOutcome> { nextOne(pattern) }
}

/// A question that isn't answered yet.
struct OpenCheck: Sendable {
  private var run: CheckRun
  private let session: ServeSession

  init(_ run: CheckRun, in session: ServeSession) {
    (self.run, self.session) = (run, session)
  }

  /// The warning about a check that can't fail; `nil` if it can.
  var warning: String? { session.warning(about: run.call) }

  /// The state of a question after a look.
  enum State: Sendable {
    /// Not known; look again at this time if nothing arrives.
    case open(until: ContinuousClock.Instant)
    case finished(FinishedCheck)
  }

  /// Reads what has arrived.
  ///
  /// - Parameter now: The time before this call.
  mutating func look(at now: ContinuousClock.Instant) -> State {
    run.read(session.server.journal)
    switch run.state(at: now) {
    case .open(let end), .holding(let end): return .open(until: end)
    case .met, .broken, .tooLate: return .finished(session.finish(run, .decided, at: now))
    }
  }

  /// Calls a function once, from any thread, when something arrives that may answer the question.
  ///
  /// - Returns: A function that ends the waiting.
  func wake(_ wake: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    let journal = session.server.journal
    let news = journal.news(
      from: run.next, revision: run.revision, of: run.interest, orWake: wake)
    guard case .none(let waiter) = news else {
      wake()
      return {}
    }
    return { journal.cancel(waiter) }
  }
}
