import StubModel
import TrackingModel
import TrackingRules
import TrackingServer

/// Runs checks of a journal: a test's verifier, or a command's session.
///
/// All runners refuse the same checks, end a wait alike, and report failures in the same words. They differ in their plan and in the circumstances
/// that a failure reports. A runner has no clock and doesn't sleep: its caller passes the time, waits, and reports.
package protocol CheckRunner: Sendable {
  var journal: TrackingJournal { get }
  /// The matched entries, and the checks that continue after their waits.
  var ledger: SharedLedger { get }
  /// The start of the entries in a failure.
  var beginning: JournalMark { get }
  /// The plan that checks use, if any.
  var rule: (any EventRule)? { get }
  /// The test's name, if any.
  var testName: String? { get }
  /// Whether refused submissions of other sessions may hold the events of the app under test.
  ///
  /// A test may overlook the app of an earlier test, which has another session; all tests of `tracking serve` have one session.
  var countsOtherSessions: Bool { get }

  /// Adds the circumstances of a failed check.
  func describe(_ context: inout FailureContext)

  /// Creates the failure, of the kind `unusablePlan`, of a check whose plan is missing or unusable.
  func noPlan(at location: CodeLocation) -> CheckFailure
}

extension CheckRunner {
  package var countsOtherSessions: Bool { false }

  /// Creates a check at a line, with the plan that it needs.
  ///
  /// - Parameters:
  ///   - timeout: The call's, in seconds; `nil` for the default. A check that listens has none.
  ///   - settling: The silence, in seconds, after which an upper bound counts as met.
  ///   - scale: Multiplies both.
  package func call(
    _ check: TrackingCheck<CheckOutcome>, at location: CodeLocation,
    since origin: JournalMark,
    timeout: Double?, usually: Double, settling: Double, scale: Double = TimeoutScale.factor
  ) throws(InvalidCheck) -> CheckCall {
    guard let check = check.with(plan: rule) else { throw InvalidCheck(noPlan(at: location)) }
    if let failure = check.invalidity(at: location) { throw InvalidCheck(failure) }
    if let timeout, let listening = check.kind.listening {
      throw InvalidCheck(CheckFailure(.misuse, listening.refusal(ofTimeout: timeout), at: location))
    }
    return CheckCall(
      check, at: location, since: origin, timeout: (timeout ?? usually) * scale,
      isTimeoutOfCall: timeout != nil, settling: settling * scale)
  }

  /// Returns a warning about a check that passes without an event that the plan excludes, so that a misspelt name passes.
  package func warning(about call: CheckCall) -> String? {
    let patterns = call.check.kind.absent.compactMap(\.events)
    guard !patterns.isEmpty, let rule else { return nil }
    var sentences: [String] = []
    for sentence in patterns.flatMap({ UnplannedAbsence.sentences(about: $0, by: rule) })
    where !sentences.contains(sentence) {
      sentences.append(sentence)
    }
    return sentences.isEmpty ? nil : sentences.joined(separator: "\n")
  }

  package func run(of call: CheckCall, from now: ContinuousClock.Instant) -> CheckRun {
    CheckRun(
      call,
      in: CheckContext(
        origin: call.origin, ledger: ledger, location: call.location, countsOtherSessions: countsOtherSessions),
      from: now)
  }

  /// Ends a wait: records its matches, continues the check if later entries matter, and creates its failure.
  ///
  /// - Parameter hasBlockedMainActor: Whether the main actor ran nothing else during the wait.
  package func finish(
    _ run: CheckRun, _ end: CheckEnd, at now: ContinuousClock.Instant, hasBlockedMainActor: Bool = false
  ) -> CheckResult {
    let (call, matched) = (run.call, run.matched)
    if run.passes(at: now, after: end) {
      ledger.record(matched, of: call, continuing: run.countingOn)
      return CheckResult(passedWith: matched)
    }
    // Created first, because a failure of `nothingElse` must see the matches before this wait.
    let finished: CheckResult
    if case .stopped = end, !call.isSilent {
      finished = CheckResult(.unfinished(call, in: testName), matched: matched, isReported: true)
    } else {
      let isBroken = run.checkState == .broken
      let report = report(run, isBroken ? .decided : end, hasBlockedMainActor: hasBlockedMainActor)
      if !call.isSilent, let rule = call.check.kind.rule {
        ledger.edit { $0.problems.add(matched, against: rule.expectation) }
      }
      finished = CheckResult(
        report.failure, matched: matched, isReported: call.isSilent, nearest: report.nearest)
    }
    // A silent failure isn't reported, so it matches nothing.
    ledger.record(call.isSilent ? [] : matched, of: call, continuing: run.continuing(after: end))
    return finished
  }

  /// Reports a failed check; unless the check is silent, `stop()` doesn't report the listed problems again.
  package func report(_ run: CheckRun, _ end: CheckEnd, hasBlockedMainActor: Bool = false) -> FailureReport {
    let call = run.call
    let start = call.origin.entry < beginning.entry ? call.origin : beginning
    var context = FailureContext(in: journal, since: start, origin: call.origin)
    context.hasBlockedMainActor = hasBlockedMainActor
    describe(&context)
    let report = FailureReport(of: run, end, context)
    guard !call.isSilent else { return report }
    let listed = report.timeline.listed.union(run.matched.map(\.number))
    let unmatched =
      report.unmatched.isEmpty ? context.unmatched.filter { listed.contains($0.number) } : report.unmatched
    ledger.edit { $0.problems.add(report.rejections, unmatched, report.lost, incomplete: report.incomplete) }
    return report
  }

  /// Runs a check on everything received between two marks.
  package func check(
    _ check: TrackingCheck<CheckOutcome>, at location: CodeLocation, since mark: JournalMark,
    until end: JournalMark,
    asOf now: ContinuousClock.Instant
  ) throws(InvalidCheck) -> CheckRun {
    let call = try call(check, at: location, since: mark, timeout: nil, usually: 0, settling: 0)
    return ledger.glance(
      at: call, asOf: .until(now, since: journal.entries(since: mark)), until: end, except: ledger.value.problems,
      countsOtherSessions: countsOtherSessions)
  }
}

extension StubStore {
  /// Returns an owner's stubs that were never requested, each text once, without those that another stub covers.
  package func unrequested(of owner: Owner) -> [StubEndpoint] {
    var known = Set(usages(of: owner).filter { $0.count > 0 }.map { "\($0.endpoint)" })
    return unused(of: owner).filter { known.insert("\($0)").inserted }
  }
}
