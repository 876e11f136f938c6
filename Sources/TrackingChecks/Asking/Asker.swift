import StubModel
import TrackingModel
import TrackingRules
import TrackingServer

/// Asks questions about a journal: a verifier for a test, or a session for a command.
///
/// All askers refuse the same questions, end a wait alike, and report failures in the same words. They differ in their plan and in the circumstances
/// that a failure reports. An asker has no clock and doesn't sleep: its caller gives the time, waits, and reports.
package protocol Asker: Sendable {
  var journal: TrackingJournal { get }
  /// The entries that waits have matched, and the questions that continue after their waits.
  var ledger: SharedLedger { get }
  /// The place from which on a failure lists entries.
  var beginning: JournalMark { get }
  /// The plan that questions may be about, if there is one.
  var rule: (any EventRule)? { get }

  /// Adds the circumstances in which a question has failed.
  func describe(_ evidence: inout Evidence)

  /// The failure of a question about a plan that isn't there or can't be used, of the kind `unusablePlan`.
  func noPlan(at location: CodeLocation) -> CheckFailure
}

/// The failure of a question that can't be asked.
package struct Unaskable: Error {
  package let failure: CheckFailure

  package init(_ failure: CheckFailure) {
    self.failure = failure
  }
}

extension Asker {
  /// A question at a line, with the plan that it is about.
  ///
  /// - Parameters:
  ///   - timeout: The seconds that the call gives; `nil` for the usual ones.
  ///   - settling: The seconds of silence after which an upper bound is believed.
  ///   - scale: The factor of these times.
  package func asked(
    _ verification: TrackingCheck<CheckOutcome>, _ words: String? = nil, at location: CodeLocation,
    since origin: JournalMark,
    timeout: Double?, usually: Double, settling: Double, scale: Double = TimeoutScale.factor
  ) throws(Unaskable) -> AskedQuestion {
    guard let verification = verification.with(plan: rule) else { throw Unaskable(noPlan(at: location)) }
    if let failure = verification.invalidity(at: location) { throw Unaskable(failure) }
    return AskedQuestion(
      verification, words, at: location, since: origin, timeout: (timeout ?? usually) * scale,
      isTimeoutOfCall: timeout != nil, settling: settling * scale)
  }

  /// The warning about a question that passes without an event that the plan doesn't have, so that a misspelt name passes; `nil` for any other question.
  package func warning(about question: AskedQuestion) -> String? {
    let names = question.verification.form.absent.flatMap { $0.events?.names ?? [] }
    guard !names.isEmpty, let rule else { return nil }
    let sentences = names.compactMap { name in
      rule.findings(in: TrackingEvent(name: name)).first { $0.kind == .unplannedEvent }.map {
        "The absence of \(TrackingValue.string(name)) proves nothing: \($0.reason)."
      }
    }
    return sentences.isEmpty ? nil : sentences.joined(separator: "\n")
  }

  /// The reading of a question whose wait begins.
  package func reading(of question: AskedQuestion, from now: ContinuousClock.Instant) -> Reading {
    Reading(
      question, in: QuestionSetting(origin: question.origin, ledger: ledger, location: question.location), from: now)
  }

  /// Ends the wait of a question: matches its entries, and continues it if later entries matter.
  ///
  /// - Parameters:
  ///   - hasBlockedMainActor: Whether nothing else of the main actor ran during the wait.
  ///   - unfinished: Makes the failure of a wait that a stop has ended.
  package func conclude(
    _ reading: Reading, _ end: WaitEnd, at now: ContinuousClock.Instant, hasBlockedMainActor: Bool = false,
    unfinished: (AskedQuestion) -> CheckFailure? = { _ in nil }
  ) -> Conclusion {
    let question = reading.question
    var conclusion = reading.conclusion(end, at: now)
    // Runs first, because a failure of `nothingElse` must see the matches before this wait.
    if let asked = conclusion.asked {
      let isReported = !question.isSilent
      if end == .stopped, isReported, let failure = unfinished(question) {
        conclusion.failure = failure
      } else {
        let (failure, report) = failure(of: reading, asked: asked, hasBlockedMainActor: hasBlockedMainActor)
        (conclusion.failure, conclusion.nearest) = (failure, report.nearest)
      }
      if end != .stopped, isReported, let rule = question.verification.form.rule {
        ledger.edit { $0.problems.add(reading.matched, against: rule.expectation) }
      }
    }
    ledger.record(conclusion, of: question)
    return conclusion
  }

  /// The failure of a question, and the report of it; what it lists isn't reported again at the end, unless the question is silent.
  package func failure(
    of reading: Reading, asked: FailureReport.Asked, hasBlockedMainActor: Bool = false
  ) -> (failure: CheckFailure, report: FailureReport) {
    var evidence = Evidence(in: journal, since: beginning, asking: reading.question.origin)
    evidence.hasBlockedMainActor = hasBlockedMainActor
    describe(&evidence)
    let report = FailureReport(of: reading, asked: asked, evidence)
    return (ledger.failure(of: report, about: reading, evidence), report)
  }

  /// The reading of a check at the end, about everything received between two marks.
  package func check(
    _ verification: TrackingCheck<CheckOutcome>, at location: CodeLocation, since mark: JournalMark,
    until end: JournalMark,
    asOf now: ContinuousClock.Instant
  ) throws(Unaskable) -> Reading {
    let question = try asked(verification, at: location, since: mark, timeout: nil, usually: 0, settling: 0)
    return ledger.glance(
      at: question, asOf: .until(now, since: journal.entries(since: mark)), until: end, except: ledger.value.problems)
  }
}

extension StubStore {
  /// The stubs of an owner that were never requested, each text once, without those that another stub covers.
  package func unasked(of owner: Owner) -> [StubEndpoint] {
    var known = Set(usages(of: owner).filter { $0.count > 0 }.map { "\($0.endpoint)" })
    return unused(of: owner).filter { known.insert("\($0)").inserted }
  }
}
