import Foundation
import TrackingModel
import TrackingPatterns
import TrackingServer

// From a question and the journal to what is reported.

extension TrackingVerifier {
  /// What to report about a question.
  ///
  /// - Parameters:
  ///   - mismatch: Why an event is not what was asked for.
  ///   - explain: What to say about it, given the events that it is about.
  func failure(
    of question: Question, on scale: Timescale, asked: FailureReport.Asked,
    explaining mismatch: (EventPattern, TrackingEvent) -> EventMismatch? = { $0.mismatch(of: $1) },
    _ explain: ([RecordedEvent], Timescale) -> Explanation
  ) -> VerificationFailure {
    let evidence = Evidence(
      events: journal.events(from: beginning.entry), origin: question.origin.entry,
      unmatched: journal.requests(since: question.origin).filter(\.isUnmatched),
      rejections: journal.rejections(since: question.origin), lost: journal.lostEvents(since: question.origin),
      endpoint: lastEndpoint?.url, connections: journal.connections)
    let report = FailureReport(of: question, asked: asked, evidence, on: scale, explaining: mismatch, explain)
    return VerificationFailure(kind: report.kind, message: report.text, location: question.location)
  }

  /// What to report about a question whose wait had returned before.
  func failure(of finding: LateFinding) -> VerificationFailure? {
    switch finding {
    case .answered(let watch, let event):
      let text = LateReport(
        finding: .answered(after: event.arrival - watch.scale.deadline, isUnchecked: watch.question.hasCondition),
        question: watch.question.words, timeout: watch.question.timeout,
        timeline: Timeline(of: [event], on: watch.scale.withoutDeadline)
      ).text
      return VerificationFailure(kind: .late, message: text, location: watch.question.location)
    case .exceeded(let watch, let extras):
      guard !watch.question.isSilent, let first = extras.first else { return nil }
      let scale = Timescale(began: watch.began, deadline: first.arrival).withoutDeadline
      let text = LateReport(
        finding: watch.isOfExpectation ? .expectationExceeded(by: extras.count) : .exceeded(by: extras.count),
        question: watch.question.words, timeout: watch.question.timeout,
        timeline: Timeline(of: extras, on: scale)
      ).text
      return VerificationFailure(kind: .tooMany, message: text, location: watch.question.location)
    }
  }
}

// MARK: - Reporting

extension TrackingVerifier {
  /// Reports a failure as the last thing that is done, after the journal has been kept.
  ///
  /// With `continueAfterFailure = false` Apple's XCTest leaves through the reporting frames, so nothing may be left to do.
  func fail(_ failure: VerificationFailure) {
    report(failure.adding(keepJournal()))
  }

  func report(_ failure: VerificationFailure) {
    if hasNoTest, configuration.reporter is XCTestReporter { LostFailure.report(failure) }
    configuration.reporter.report(failure)
  }

  func report(_ kind: VerificationFailure.Kind, _ message: String, at location: CodeLocation) {
    report(VerificationFailure(kind: kind, message: Excerpt.wrapped(message), location: location))
  }

  /// Keeps what was received beside the test's result.
  ///
  /// - Returns: Where it is found, if the test's result does not show it.
  func keepJournal() -> [String] {
    guard configuration.keepsJournal != .never else { return [] }
    let beginning = beginning
    let snapshot = JournalSnapshot(
      title: attachmentTitle, events: journal.events(from: beginning.entry),
      requests: journal.requests(since: beginning),
      rejections: journal.rejections(since: beginning), lost: journal.lostEvents(since: beginning))
    guard !snapshot.isEmpty else { return [] }
    return snapshot.attachments.compactMap { configuration.reporter.keep($0, for: currentTestCase) }
  }
}

extension VerificationFailure {
  /// The same failure, with where the whole journal is found.
  func adding(_ places: [String]) -> VerificationFailure {
    guard !places.isEmpty else { return self }
    return VerificationFailure(
      kind: kind, message: "\(message)\n\nAll that came: \(places.joined(separator: "\n               "))",
      location: location)
  }
}
