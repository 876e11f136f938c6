import Foundation
import TrackingModel
import TrackingPatterns
import TrackingServer

/// The received entries and the circumstances that a failure reports.
struct Evidence {
  /// The circumstances in which a verifier may have received nothing.
  enum Reachability {
    /// Its server was never started.
    case neverStarted
    /// Its server starts with the first use of its endpoint, which has not been used.
    case unused
    case stopped
    case listening(URL, connections: Int)
  }

  /// The entries since the verifier began or was reset.
  let entries: [JournalEntry]
  /// The number of the first entry that the question is about.
  let origin: Int
  let lost: [LostEvents]
  /// What SDKs sent beside events.
  let others: [(items: OtherItems, count: Int)]
  var reachability = Reachability.neverStarted
  /// When the app closed its connection.
  let closed: ContinuousClock.Instant?

  init(in journal: Journal, since beginning: JournalMark, asking origin: JournalMark) {
    entries = Array(journal.entries(since: beginning))
    self.origin = origin.entry
    lost = journal.lostEvents(since: origin)
    others = journal.others
    closed = journal.lastConnectionClosed
  }

  /// The rejections that the question is about.
  var rejections: [RejectedSubmission] { entries.compactMap { $0.number < origin ? nil : $0.rejection } }

  /// The unmatched requests that the question is about.
  var unmatched: [RecordedRequest] {
    entries.compactMap { $0.number < origin ? nil : $0.request }.filter(\.isUnmatched)
  }
}

extension FailureReport {
  /// The last entries that are compared with a pattern without a match, up to so many.
  private static let mostCandidates = 10_000

  /// The report of a question.
  ///
  /// - Parameters:
  ///   - condition: A condition on events beside the question's patterns.
  ///   - explain: The explanation, given the entries that the question is about.
  init(
    of question: Question, asked: Asked, _ evidence: Evidence, on scale: Timescale,
    where condition: (TrackingEvent) -> Bool, _ explain: ([JournalEntry], Timescale) -> Explanation
  ) {
    let kinds = question.verification.kinds
    func matches(_ pattern: EntryPattern, _ entry: JournalEntry) -> Bool {
      pattern.matches(entry) && entry.event.map { condition($0.event) } ?? true
    }
    let before = evidence.entries.prefix { $0.number < evidence.origin }
    let entries = evidence.entries.dropFirst(before.count)
    let inTime = entries.filter { $0.arrival <= scale.deadline && kinds.contains($0) }
    let explanation = explain(inTime, scale)
    let early = explanation.missing.compactMap { title, pattern in
      before.last { matches(pattern, $0) }.map { (title: title, entry: $0) }
    }
    let tardy = explanation.missing.compactMap { title, pattern in
      entries.first { $0.arrival > scale.deadline && matches(pattern, $0) }.map { (title: title, entry: $0) }
    }
    let earlyNumbers = Set(early.map(\.entry.number))

    self.asked = asked
    kind = if case .untilCancelled = asked { .cancelled } else { explanation.kind }
    self.question = question.words
    patterns = question.verification.listedPatterns.map { "\($0)" }
    result = explanation.result
    for (title, entry) in early {
      result += "\n\(title.isEmpty ? "It" : title) arrived before the mark: \(scale.place(of: entry))."
    }
    for (title, entry) in tardy {
      result += "\n\(title.isEmpty ? "It" : title) arrived too late: \(scale.place(of: entry))."
    }
    // A late match needs no nearest miss. One from before the mark does: it may have been right then, and be wrong this time.
    let missing = explanation.missing.filter { title, _ in !tardy.contains { $0.title == title } }
    let candidates = entries.suffix(Self.mostCandidates)
      .filter { explanation.notes[$0.number] == nil && kinds.contains($0) }
    nearMisses = missing.prefix(Self.mostNearMisses).compactMap { title, pattern in
      NearMiss(title, of: pattern, among: candidates, scale, where: condition)
    }
    if nearMisses.isEmpty, !missing.isEmpty, inTime.count > Self.longestList {
      result += "\n\(Excerpt.wrapped("They are \(ResultText.names(of: inTime)).", indent: 4))"
    }
    timeline = Timeline(
      of: before.filter { earlyNumbers.contains($0.number) } + entries, on: scale, notes: explanation.notes,
      since: evidence.origin, kinds: kinds)
    rejections = evidence.rejections
    lost = evidence.lost
    others = evidence.others.map { ($0.items, $0.count) }
    // Without an answer of its backend an app may not get as far as the missing event.
    unmatched = explanation.missing.isEmpty ? [] : evidence.unmatched
    guard !explanation.missing.isEmpty else { return }
    let last = entries.last { $0.event != nil }
    if let closed = evidence.closed, closed <= scale.deadline, let last, closed >= last.arrival {
      let time = TimeText.duration(closed - last.arrival)
      closing = "The app's connection closed \(time) after its last event: did the app quit or crash?"
    }
    if !entries.contains(where: kinds.contains), early.isEmpty, rejections.isEmpty {
      silence = evidence.silence(about: kinds)
    }
    if inTime.allSatisfy({ $0.request == nil }), explanation.missing.contains(where: \.pattern.mayMeanSubmissions) {
      result += "\nAn accepted submission of events to POST / is not a request: wait for its events."
    }
  }
}

extension EntryPattern {
  /// Whether a test may mean submissions of events by it.
  fileprivate var mayMeanSubmissions: Bool { requests?.mayMeanSubmissions ?? false }
}

extension Evidence {
  /// Why nothing arrived.
  fileprivate func silence(about kinds: EntryKinds) -> String {
    let text =
      switch reachability {
      case .neverStarted: "The verifier was not started, so \(whatIsLeft(of: kinds)): call `start()`."
      case .unused: "No app was given the verifier's endpoint, so \(whatIsLeft(of: kinds))."
      case .stopped: "The verifier was stopped, so nothing could reach it."
      case .listening(let url, 0):
        kinds.contains(.events)
          ? "No connection reached \(url.absoluteString): was `launchEnvironment` handed to the app before launch?"
          : "No connection reached \(url.absoluteString): does the app use `verifier.baseURL`?"
      case .listening(let url, let count):
        "\(count.counted("connection")) reached \(url.absoluteString), but sent no \(kinds.singular)."
      }
    return Excerpt.wrapped(text)
  }
}

/// The words for what can be received without a server.
private func whatIsLeft(of kinds: EntryKinds) -> String {
  kinds == .requests ? "no request could reach it" : "only its `tracker` could have sent an event"
}

extension FailureReport.NearMiss {
  /// A request that differs in more than this has little to do with the pattern.
  private static let farthestRequest = 0.9

  /// The entry nearest to a pattern; `nil` when none is near.
  fileprivate init?(
    _ title: String, of pattern: EntryPattern, among entries: [JournalEntry], _ scale: Timescale,
    where condition: (TrackingEvent) -> Bool
  ) {
    if let events = pattern.events, let miss = Self.event(nearestTo: events, among: entries, where: condition) {
      self.init(
        title: title, number: miss.event.number, place: scale.place(at: miss.event.arrival),
        difference: EventDiff.lines(for: miss.event.event, miss.mismatch))
    } else if let requests = pattern.requests {
      let misses = entries.compactMap(\.request).map { (request: $0, comparison: requests.comparison(with: $0)) }
      let nearest = misses.filter { $0.comparison.weight > 0 }.min { $0.comparison.weight < $1.comparison.weight }
      guard let nearest, nearest.comparison.weight <= Self.farthestRequest else { return nil }
      self.init(
        title: title, number: nearest.request.number, place: scale.place(at: nearest.request.arrival),
        difference: nearest.comparison.lines(wanted: "expected", width: Excerpt.columns - 4), isEvent: false)
    } else {
      return nil
    }
  }

  /// Of events with the pattern's name, or nearly its name, the one that differs least.
  private static func event(
    nearestTo pattern: EventPattern, among entries: [JournalEntry], where condition: (TrackingEvent) -> Bool
  ) -> (event: RecordedEvent, mismatch: EventMismatch)? {
    let misses = entries.compactMap(\.event).compactMap {
      recorded -> (event: RecordedEvent, mismatch: EventMismatch)? in
      if let mismatch = pattern.mismatch(of: recorded.event) { return (recorded, mismatch) }
      return condition(recorded.event) ? nil : (recorded, EventMismatch([.condition("the condition of the closure")]))
    }
    guard let nearest = NearestMiss.index(in: misses.map(\.mismatch)).map({ misses[$0] }) else { return nil }
    guard let name = pattern.name else { return nearest }
    return EditDistance.isNear(nearest.event.event.name, name) || nearest.mismatch.hasEqualParams ? nearest : nil
  }
}
