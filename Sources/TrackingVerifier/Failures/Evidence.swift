import Foundation
import TrackingModel
import TrackingPatterns
import TrackingServer

/// All that came, as a failure tells of it.
struct Evidence {
  /// The events since the verifier began or was reset.
  var events: [RecordedEvent] = []
  /// The number of the first event that the question is about.
  var origin = 1
  /// The requests that no stub answers.
  var unmatched: [RecordedRequest] = []
  var rejections: [RejectedSubmission] = []
  var lost: [LostEvents] = []
  /// Where an app could have connected; `nil` when the verifier was never started.
  var endpoint: URL?
  /// How many connections there were.
  var connections = 0
}

extension FailureReport {
  /// The last events that are compared with what did not come, up to so many.
  private static let mostCandidates = 10_000

  /// What there is to say about a question.
  ///
  /// - Parameters:
  ///   - mismatch: Why an event is not what was asked for.
  ///   - explain: What to say about it, given the events that it is about.
  init(
    of question: Question, asked: Asked, _ evidence: Evidence, on scale: Timescale,
    explaining mismatch: (EventPattern, TrackingEvent) -> EventMismatch? = { $0.mismatch(of: $1) },
    _ explain: ([RecordedEvent], Timescale) -> Explanation
  ) {
    let before = evidence.events.prefix { $0.number < evidence.origin }
    let events = evidence.events.dropFirst(before.count)
    let explanation = explain(events.filter { $0.arrival <= scale.deadline }, scale)
    let early = explanation.missing.compactMap { title, pattern in
      before.last { mismatch(pattern, $0.event) == nil }.map { (title: title, event: $0) }
    }
    let tardy = explanation.missing.compactMap { title, pattern in
      events.first { $0.arrival > scale.deadline && mismatch(pattern, $0.event) == nil }
        .map { (title: title, event: $0) }
    }
    let earlyNumbers = Set(early.map(\.event.number))
    let shown = before.filter { earlyNumbers.contains($0.number) } + events

    self.asked = asked
    kind = if case .untilCancelled = asked { .cancelled } else { explanation.kind }
    self.question = question.words
    patterns = question.verification.patterns.map { "\($0)" }
    result = explanation.result
    for (title, event) in early {
      result += "\n\(title.isEmpty ? "It" : title) came before the mark: \(scale.place(of: event))."
    }
    for (title, event) in tardy {
      result += "\n\(title.isEmpty ? "It" : title) came too late: \(scale.place(of: event))."
    }
    // What came late needs no nearest miss. What came before the mark does: it may have been right then, and be wrong this time.
    let missing = explanation.missing.filter { title, _ in !tardy.contains { $0.title == title } }
    let candidates = events.suffix(Self.mostCandidates).filter { explanation.notes[$0.number] == nil }
    nearMisses = missing.prefix(Self.mostNearMisses).compactMap { title, pattern in
      NearMiss(title, among: candidates, scale) { mismatch(pattern, $0) }
    }
    timeline = Timeline(of: shown, on: scale, notes: explanation.notes, since: evidence.origin)
    rejections = evidence.rejections
    lost = evidence.lost
    // What an app does not get from its backend it cannot go on from, and track.
    unmatched = explanation.missing.isEmpty ? [] : evidence.unmatched
    explainsSilence = events.isEmpty && early.isEmpty && !explanation.missing.isEmpty
    endpoint = evidence.endpoint
    connections = evidence.connections
  }
}

extension FailureReport.NearMiss {
  /// The nearest of several events; `nil` when there are none.
  fileprivate init?(
    _ title: String, among events: [RecordedEvent], _ scale: Timescale, _ mismatch: (TrackingEvent) -> EventMismatch?
  ) {
    let misses = events.compactMap { event in mismatch(event.event).map { (event: event, mismatch: $0) } }
    guard let nearest = NearestMiss.index(in: misses.map(\.mismatch)).map({ misses[$0] }) else { return nil }
    self.init(
      title: title, number: nearest.event.number, place: scale.place(at: nearest.event.arrival),
      difference: EventDiff.lines(for: nearest.event.event, nearest.mismatch))
  }
}
