import TrackingModel
import TrackingServer

// The end of a wait: from its reading to an answer or a failure, and to what continues until the stop.

/// The reason for which a wait has ended.
package enum WaitEnd: Sendable {
  /// The question is answered, or its time has passed.
  case answered
  /// An outer wait of XCTest has timed out.
  case interrupted
  /// Each program that could have answered it has ended.
  case abandoned
  /// Its task was cancelled.
  case cancelled
  /// The verifier was stopped, which reports it.
  case stopped
}

extension Reading {
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
  /// Ends the wait of a question: matches its entries, and continues it if later entries matter.
  ///
  /// - Parameter failure: Makes the failure while the entries aren't matched, since one of `nothingElse` is about the matches before it.
  /// - Returns: The failure; `nil` if the question is answered with yes.
  package func conclude(
    _ reading: Reading, _ end: WaitEnd, at now: ContinuousClock.Instant,
    failure: (FailureReport.Asked) -> VerificationFailure
  ) -> VerificationFailure? {
    let question = reading.question
    let isGood = reading.isGood(at: now, after: end)
    // A silent failure isn't reported, so it matches nothing.
    defer { if isGood || !question.isSilent { match(reading.matched, at: question.location) } }
    guard !isGood else {
      if let later = reading.countingOn { edit { $0.keep(later) } }
      return nil
    }
    let isContinued = end != .stopped && !question.isSilent
    let asked: FailureReport.Asked
    switch (reading.state(at: now), end) {
    case (.broken, _): asked = .untilDecided
    case (_, .cancelled): asked = .untilCancelled
    case (_, .abandoned): asked = .untilEnded
    default:
      asked = .waited(question.timeout)
      if isContinued { edit { $0.keep(reading.waitingOn) } }
    }
    if isContinued, let rule = question.verification.form.rule {
      edit { $0.problems.add(reading.matched, against: rule.expectation) }
    }
    return failure(asked)
  }

  /// The failure of a question; what it lists is not reported again at the stop, unless it is silent.
  package func failure(
    of report: FailureReport, about reading: Reading, _ evidence: Evidence
  ) -> VerificationFailure {
    let question = reading.question
    if !question.isSilent {
      let listsRequests = question.verification.kinds.contains(.requests) || !report.unmatched.isEmpty
      edit { $0.problems.add(report.rejections, listsRequests ? evidence.unmatched : [], report.lost) }
    }
    return VerificationFailure(kind: report.kind, message: report.text, location: question.location)
  }

  package static func failure(of finding: LateFinding) -> VerificationFailure {
    let report = LateReport(finding)
    return VerificationFailure(kind: report.kind, message: report.text, location: report.location)
  }

  /// The reading of a question about everything that has arrived, or had by a mark, without a wait.
  package func glance(
    at question: AskedQuestion, asOf scale: Timescale, until end: JournalMark? = nil,
    except reported: ReportedProblems = .none
  ) -> Reading {
    var reading = Reading(
      question, in: QuestionSetting(origin: question.origin, reported: reported, ledger: self), asOf: scale)
    if let end { reading.read(PastTimeline(of: timeline, until: end)) } else { reading.read(timeline) }
    return reading
  }
}

extension Timescale {
  /// The time until now, measured from the first of some entries.
  package static func until(_ now: ContinuousClock.Instant, since entries: JournalEntries) -> Timescale {
    Timescale(began: entries.first { _ in true }?.arrival ?? now, deadline: now, zero: "the first arrival")
  }
}
