import Foundation
import StubModel
import TrackingModel
import TrackingChecks
import TrackingRules
import TrackingServer

/// Runs a command's checks of a server, as a verifier does for a test.
///
/// It reads no clock and starts nothing: the caller passes the time, and lets an open check look again when it is woken and at its deadline.
final class ServeSession: CheckRunner {
  /// A place in the server's journal.
  struct Mark: Sendable {
    let mark: JournalMark
    var entry: Int { mark.entry }
  }

  let server: TrackingServer
  let ledger: SharedLedger
  let rule: (any EventRule)?
  /// The last finish: what arrived before it is about other tests.
  var beginning: JournalMark { finished.withLock(\.mark) }
  let testName: String? = nil
  let countsOtherSessions = true
  var journal: TrackingJournal { server.journal }
  /// The silence, in seconds, after which an upper bound counts as met.
  private let settling: TimeInterval
  private let owner: StubStore.Owner
  private let checkCount = Locked(UInt(0))
  /// The place of the last finish, and the number of the app's connections at that time.
  private let finished = Locked((mark: JournalMark.beginning, connections: 0))

  /// - Parameter plan: The rule of the check `.plan`.
  init(about server: TrackingServer, plan: (any EventRule)? = nil, settling: TimeInterval = 0.25) {
    self.server = server
    self.settling = settling
    rule = plan
    owner = server.stubs.makeOwner()
    ledger = SharedLedger(of: server.journal, onMatch: { [notes = server.notes] in notes?.match($0, true) })
  }

  func mark() -> Mark { Mark(mark: server.journal.mark()) }

  /// Starts a check; failures of later checks refer to it by number, as `wait:3`.
  ///
  /// - Parameters:
  ///   - timeout: In seconds; `nil` for the check's own, or 5.
  ///   - scale: Multiplies the timeout and the settling time.
  /// - Throws: The failure of an invalid check.
  func begin(
    _ check: TrackingCheck<CheckOutcome>, since mark: Mark? = nil, timeout: TimeInterval? = nil,
    scale: Double = TimeoutScale.factor, now: ContinuousClock.Instant
  ) throws(InvalidCheck) -> OpenCheck {
    let number = checkCount.withLock { count in
      count += 1
      return count
    }
    let location = CodeLocation(fileID: "wait", file: "wait", line: number, column: 1)
    let call = try call(
      check, at: location, since: mark?.mark ?? .beginning, timeout: timeout, usually: 5, settling: settling,
      scale: scale)
    return OpenCheck(run(of: call, from: now), in: self)
  }

  /// Installs stubs until ``removeStubs()``; if one is invalid, installs none.
  func install(_ stubs: [StubEndpoint], files folder: StubFolder? = nil) throws(StubError) {
    try server.install(stubs, files: folder, of: owner)
  }

  func removeStubs() { server.stubs.forget(owner) }

  /// Ends the checks so far, and returns their unreported late matches and extras.
  func endChecks() -> [CheckFailure] {
    defer { ledger.reset() }
    return ledger.takeFindings().map { LateReport($0).failure }
  }

  /// Returns the failures that a verifier's `stop()` would report: late matches, extras, and the failures of `checks` on the entries between two
  /// marks.
  func finish(
    _ checks: [TrackingCheck<CheckOutcome>], since mark: Mark?, until end: Mark, now: ContinuousClock.Instant
  ) -> [CheckFailure] {
    defer { finished.withLock { $0 = (end.mark, journal.connections) } }
    return endChecks()
      + checks.compactMap { check in
        let start = mark?.mark ?? .beginning
        guard let run = try? self.check(check, at: .wholeTest, since: start, until: end.mark, asOf: now) else {
          return nil
        }
        return run.checkState.isGood ? nil : report(run, .testEnded).failure
      }
  }

  /// A warning about a check of delivery if events came without numbers.
  fileprivate func numberWarning(about call: CheckCall) -> String? {
    guard call.check.kind.scope == .delivery else { return nil }
    let events = journal.events(from: call.origin.entry)
    let count = events.count { $0.sequence == nil }
    return count == 0
      ? nil
      : """
      The loss of an event would not show: \(count) of \(events.count.counted("event")) came without Tracking-Sequence, \
      which a `TrackerDouble` sends.
      """
  }

  /// The report of the failure if an open check ended now.
  fileprivate func progress(
    of call: CheckCall, now: ContinuousClock.Instant
  ) -> (text: String, nearestMiss: String?) {
    var call = call
    call.isSilent = true
    let run = ledger.glance(
      at: call, asOf: Timescale(began: now, deadline: now), countsOtherSessions: countsOtherSessions)
    let report = report(run, .stillOpen).failure.message
    return (report.split(separator: "\n").first.map(String.init) ?? "open", report)
  }

  func describe(_ context: inout FailureContext) {
    let earlier = finished.withLock(\.connections)
    let connections = journal.connections - earlier
    if let url = server.lastEndpoint?.url {
      context.reachability = connections == 0 && earlier > 0 ? .idle(url) : .listening(url, connections: connections)
    }
    context.unrequestedStubs = server.stubs.unrequested(of: owner)
    context.coveredStub = server.stubs.covered(of: owner)
  }

  func noPlan(at location: CodeLocation) -> CheckFailure {
    CheckFailure(.unusablePlan, "There is no plan: start `tracking serve` with --plan.", at: location)
  }
}

extension TrackingCheck<CheckOutcome> {
  static func first(_ pattern: EntryPattern) -> TrackingCheck<CheckOutcome> { one(pattern) }

  /// Matches an entry that no earlier check has matched.
  static func firstFree(_ pattern: EntryPattern) -> TrackingCheck<CheckOutcome> { nextOne(pattern) }
}

struct OpenCheck: Sendable {
  private var run: CheckRun
  private let session: ServeSession
  /// Stops showing the check on the page, with its failure.
  private var hide: (@Sendable ((message: String, location: String)?) -> Void)?

  init(_ run: CheckRun, in session: ServeSession) {
    (self.run, self.session) = (run, session)
  }

  var origin: JournalMark { run.call.origin }

  /// The number of the check on its server.
  var number: UInt { run.call.location.line }

  /// The failure of a check whose test has ended before it was decided.
  var unfinished: CheckFailure {
    CheckFailure(
      .unfinished, "The test was finished before this check was decided: \(run.call.words)", at: run.call.location)
  }

  /// A warning about a check that can't fail, or can't see a loss.
  var warning: String? { session.warning(about: run.call) ?? session.numberWarning(about: run.call) }

  /// Shows the check on the page, if one is open, until ``end(_:)``.
  mutating func show(at place: String, now: @escaping @Sendable () -> ContinuousClock.Instant) {
    guard hide == nil, let notes = session.server.notes, notes.isObserved else { return }
    let (call, session) = (run.call, session)
    hide = notes.beginWait(call.words, at: place) { session.progress(of: call, now: now()) }
  }

  /// Stops showing the check, in the same revision of the page as its failure.
  func end(_ failure: (message: String, location: String)?) {
    if let hide {
      hide(failure)
    } else if let failure {
      session.server.notes?.add(failure: failure.message, at: failure.location)
    }
  }

  enum State: Sendable {
    /// Undecided; look again at this time if nothing arrives.
    case open(until: ContinuousClock.Instant)
    case finished(CheckResult)
  }

  /// Reads new entries.
  ///
  /// - Parameter now: A time before this call.
  mutating func look(at now: ContinuousClock.Instant) -> State {
    run.read(session.server.journal)
    switch run.state(at: now) {
    case .open(let end), .holding(let end): return .open(until: end)
    case .met, .broken, .tooLate: return .finished(session.finish(run, .decided, at: now))
    }
  }

  /// Calls a function once, on any thread, when an entry arrives that may decide the check; returns a function that cancels this.
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
