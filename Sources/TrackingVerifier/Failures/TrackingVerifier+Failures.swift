import Foundation
import TrackingModel
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
    let all = journal.events(from: beginning.event)
    let events = Array(all.drop { $0.number < question.origin.event })
    let before = all.prefix { $0.number < question.origin.event }
    var explanation = explain(events.filter { $0.arrival <= scale.deadline }, scale)
    var shown = events
    for (title, pattern) in explanation.missing {
      guard let early = before.last(where: { mismatch(pattern, $0.event) == nil }) else { continue }
      explanation.result += "\n\(title.isEmpty ? "It" : title) came before the mark: \(scale.place(of: early))."
      if !shown.contains(where: { $0.number == early.number }) { shown.append(early) }
    }
    shown.sort { $0.number < $1.number }
    var report = FailureReport(asked: asked, question: question.words, result: explanation.result)
    report.patterns = question.verification.patterns.map { "\($0)" }
    report.nearMisses = explanation.missing.prefix(FailureReport.mostNearMisses).compactMap { title, pattern in
      let candidates = events.filter { explanation.notes[$0.number] == nil }
      return Self.nearMiss(title, among: candidates, scale) { mismatch(pattern, $0) }
    }
    report.timeline = Timeline(of: shown, on: scale, notes: explanation.notes, since: question.origin.event)
    report.rejections = journal.rejections(since: question.origin)
    report.lost = journal.lostEvents(since: question.origin)
    report.explainsSilence = events.isEmpty && !explanation.missing.isEmpty
    report.endpoint = lastEndpoint?.url
    report.connections = journal.connections
    if case .untilCancelled = asked { explanation.kind = .cancelled }
    return VerificationFailure(kind: explanation.kind, message: report.text, location: question.location)
  }

  /// The last events are looked at, up to so many.
  private static let mostCandidates = 10_000

  private static func nearMiss(
    _ title: String, among events: [RecordedEvent], _ scale: Timescale, _ mismatch: (TrackingEvent) -> EventMismatch?
  ) -> FailureReport.NearMiss? {
    var nearest: (event: RecordedEvent, mismatch: EventMismatch, distance: Double)?
    for event in events.suffix(mostCandidates) {
      guard let mismatch = mismatch(event.event) else { continue }
      let distance = mismatch.distance
      // Of equals the last: it is the likelier answer to what the test did last.
      if distance <= nearest?.distance ?? .infinity { nearest = (event, mismatch, distance) }
    }
    return nearest.map {
      FailureReport.NearMiss(
        title: title, number: $0.event.number, place: scale.place(at: $0.event.arrival),
        difference: EventDiff.lines(for: $0.event.event, $0.mismatch))
    }
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
        finding: .exceeded(by: extras.count), question: watch.question.words, timeout: watch.question.timeout,
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
    report(VerificationFailure(kind: kind, message: message, location: location))
  }

  /// Keeps what was received beside the test's result.
  ///
  /// - Returns: Where it is found, if the test's result does not show it.
  func keepJournal() -> [String] {
    guard configuration.keepsJournal != .never else { return [] }
    let beginning = beginning
    let snapshot = JournalSnapshot(
      title: attachmentTitle, events: journal.events(from: beginning.event),
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
