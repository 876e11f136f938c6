import TrackingPatterns
import TrackingServer

/// How far a question is answered, event by event.
protocol Evaluation: Sendable {
  /// How the question stands after what was looked at.
  var standing: Standing { get }
  /// The events that answer the question, or that break it.
  var claimed: [RecordedEvent] { get }

  /// Looks at the next event.
  ///
  /// - Returns: Whether the event concerns the question, so that the settling time begins anew.
  mutating func take(_ event: RecordedEvent) -> Bool

  /// Looks at what else there is, when no further event is.
  mutating func look(at journal: Journal)

  /// What to say about it when it is not answered as it should be.
  ///
  /// - Parameter events: All events that the question is about.
  func explanation(of events: [RecordedEvent], on scale: Timescale) -> Explanation
}

extension Evaluation {
  func look(at journal: Journal) {}
}

/// What to say about a question that was not answered as it should be.
struct Explanation {
  var kind: VerificationFailure.Kind
  /// What came, in sentences.
  var result: String
  /// What single events are, by their numbers, in a word or two.
  var notes: [Int: String] = [:]
  /// What did not come, so that its nearest misses are worth seeing, each with words for it where there are several.
  var missing: [(title: String, pattern: EventPattern)] = []
}

/// A pattern that is asked about many events.
struct PatternMatcher: Sendable {
  let pattern: EventPattern
  /// The name without which no event matches, where there is one: other events need no closer look.
  private let name: String?

  init(_ pattern: EventPattern) {
    self.pattern = pattern
    name = pattern.name
  }

  func matches(_ recorded: RecordedEvent) -> Bool {
    if let name, !recorded.event.name.isSameText(as: name) { return false }
    return pattern.mismatch(of: recorded.event) == nil
  }
}
