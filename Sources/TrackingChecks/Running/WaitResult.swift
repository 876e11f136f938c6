import TrackingModel
import TrackingPatterns
import TrackingServer

/// The end of a question's wait: its answer, and what it leaves to other questions.
package struct WaitResult: Sendable {
  /// Whether the answer is yes.
  package var isGood: Bool
  /// The entries that answer the question, or that break it.
  package var matched: [JournalEntry] = []
  /// Whether the ledger records these entries as matched.
  package var isMatching = true
  /// The question as it continues after its wait; `nil` if later entries don't matter.
  package var later: CheckRun?
  /// The end of the wait, as the failure of an asker tells it; `nil` if the answer is yes, and for a replayed question that wasn't asked.
  package var asked: FailureReport.Asked?
  /// The failure; `nil` if the answer is yes, and until an asker has made it.
  package var failure: CheckFailure?
  /// The entry nearest to what is missing, and its differences.
  package var nearest: (entry: Int, differences: [DifferenceFacts])?

  package init(isGood: Bool) {
    self.isGood = isGood
  }
}

/// The reason for which a wait has ended.
package enum WaitEnd: Sendable {
  /// The question is answered, or its time has passed.
  case answered
  /// An outer wait of XCTest has timed out, or a replay has read everything: a bound that holds so far is believed.
  case interrupted
  /// Each program that could have answered it has ended.
  case abandoned
  /// The server that could have received the answer has not started.
  case unstarted
  /// Its task was cancelled.
  case cancelled
  /// The verifier was stopped, which reports it.
  case stopped
}

extension CheckRun {
  /// The end of its wait.
  package func conclusion(_ end: WaitEnd, at now: ContinuousClock.Instant) -> WaitResult {
    var conclusion = WaitResult(isGood: isGood(at: now, after: end))
    conclusion.matched = matched
    guard !conclusion.isGood else {
      conclusion.later = countingOn
      return conclusion
    }
    // A silent failure isn't reported, so it matches nothing.
    conclusion.isMatching = !call.isSilent
    switch (state(at: now), end) {
    case (.broken, _): conclusion.asked = .untilDecided
    case (_, .cancelled): conclusion.asked = .untilCancelled
    case (_, .abandoned): conclusion.asked = .untilEnded
    case (_, .unstarted): conclusion.asked = .notStarted
    default:
      conclusion.asked = .waited(call.timeout)
      if end != .stopped, !call.isSilent { conclusion.later = waitingOn }
    }
    return conclusion
  }

  /// Whether the question is answered with yes when its wait ends.
  package func isGood(at now: ContinuousClock.Instant, after end: WaitEnd) -> Bool {
    switch state(at: now) {
    case .met: true
    case .holding: end == .interrupted
    case .open, .broken, .tooLate: false
    }
  }
}

extension SharedLedger {
  /// Records the entries of a conclusion as matched, and continues its question, in one step.
  package func record(_ conclusion: WaitResult, of call: CheckCall) {
    let new = edit { ledger in
      if let later = conclusion.later { ledger.keep(later) }
      return conclusion.isMatching ? ledger.match(conclusion.matched, at: call.location) : []
    }
    if !new.isEmpty { onMatch(new) }
  }

  /// The failure of a question; `stop()` does not report again what it lists, unless it is silent.
  package func failure(
    of report: FailureReport, about run: CheckRun, _ evidence: Evidence
  ) -> CheckFailure {
    let call = run.call
    if !call.isSilent {
      let listsRequests = call.check.kinds.contains(.requests) || !report.unmatched.isEmpty
      edit { $0.problems.add(report.rejections, listsRequests ? evidence.unmatched : [], report.lost) }
    }
    return CheckFailure(kind: report.kind, message: report.text, location: call.location)
  }

  package static func failure(of finding: LateFinding) -> CheckFailure {
    let report = LateReport(finding)
    return CheckFailure(kind: report.kind, message: report.text, location: report.location)
  }

  /// The reading of a question about everything that has arrived, or had by a mark, without a wait.
  package func glance(
    at call: CheckCall, asOf scale: Timescale, until end: JournalMark? = nil,
    except reported: ReportedProblems = .none
  ) -> CheckRun {
    var run = CheckRun(
      call, in: CheckContext(origin: call.origin, reported: reported, ledger: self), asOf: scale)
    if let end { run.read(PastTimeline(of: timeline, until: end)) } else { run.read(timeline) }
    return run
  }
}

extension Timescale {
  /// The time until now, measured from the first of some entries.
  package static func until(_ now: ContinuousClock.Instant, since entries: JournalEntries) -> Timescale {
    Timescale(began: entries.first { _ in true }?.arrival ?? now, deadline: now, zero: "the first arrival")
  }
}
