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
    let report = report(on: question, on: scale, asked: asked, explaining: mismatch, explain)
    return VerificationFailure(kind: report.kind, message: report.text, location: question.location)
  }

  /// The same before it is a failure.
  func report(
    on question: Question, on scale: Timescale, asked: FailureReport.Asked,
    explaining mismatch: (EventPattern, TrackingEvent) -> EventMismatch? = { $0.mismatch(of: $1) },
    _ explain: ([RecordedEvent], Timescale) -> Explanation
  ) -> FailureReport {
    let evidence = Evidence(
      events: journal.events(from: beginning.entry), origin: question.origin.entry,
      unmatched: journal.requests(since: question.origin).filter(\.isUnmatched),
      rejections: journal.rejections(since: question.origin), lost: journal.lostEvents(since: question.origin),
      endpoint: lastEndpoint?.url, connections: journal.connections)
    return FailureReport(of: question, asked: asked, evidence, on: scale, explaining: mismatch, explain)
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
    note(failure)
    report(failure.adding(keepJournal()))
  }

  /// Notes a failure for the inspector and the attachments.
  func note(_ failure: VerificationFailure) {
    let failure = SessionNotes.Failure(message: failure.message, location: failure.location.shortText)
    state.withLock { $0.failures.append(failure) }
    if server.notes.isObserved { server.notes.add(failure) }
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
    let snapshot = JournalSnapshot(title: attachmentTitle, document: session)
    guard !snapshot.isEmpty else { return [] }
    return snapshot.attachments.compactMap { configuration.reporter.keep($0, for: currentTestCase) }
  }
}

extension TrackingVerifier {
  /// What was received since the beginning, with what the test says about it.
  private var session: SessionDocument {
    var notes = server.notes.snapshot()
    notes.title = testTitle
    notes.failures = state.withLock(\.failures)
    for number in claims.claimed { notes.marks[number, default: .init()].isMatched = true }
    var session = SessionDocument(
      entries: Array(journal.entries(since: beginning)), notes: notes, lost: journal.lostEvents(since: beginning))
    session.swift = LinkedInspector.type?.swiftSource(of: server)
    return session
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
