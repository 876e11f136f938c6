import TrackingModel
import TrackingServer

/// What a wait is for, in words, and by which name to find it.
struct WaitQuestion {
  let description: String
  /// The name without which no event is an answer, where there is one: other events need no closer look until they are to be explained.
  let name: String?
  let timeout: Double
  let location: CodeLocation

  /// The answer that an event is, if it is one.
  func answer<Answer>(_ recorded: RecordedEvent, _ judge: (TrackingEvent) -> Judgement<Answer>) -> Answer? {
    if let name, recorded.event.name != name { return nil }
    return if case .answer(let answer) = judge(recorded.event) { answer } else { nil }
  }
}

/// What one event means for a wait.
///
/// The judgement that decides is the one that explains, so that a failure cannot say something else than what was checked.
enum Judgement<Answer> {
  case answer(Answer)
  case miss(EventMismatch)
}

extension EventPattern {
  /// What an event means for a wait for this pattern.
  func judge(_ event: TrackingEvent) -> Judgement<TrackingEvent> {
    mismatch(of: event).map(Judgement.miss) ?? .answer(event)
  }
}

extension TrackingSchema {
  /// What an event means for a wait for this one: compared as events, since what is decoded may have lost a difference.
  func judge(_ event: TrackingEvent, expecting expected: TrackingEvent) -> Judgement<Self> {
    event == expected ? .answer(self) : .miss(EventMismatch(of: event, from: expected))
  }

  /// What an event means for a wait for one of this type for which a condition holds.
  static func judge(_ event: TrackingEvent, where condition: (Self) -> Bool) -> Judgement<Self> {
    guard event.name == eventName else { return .miss(EventMismatch([.name(expected: eventName, found: event.name)])) }
    do {
      let schema = try event.decode(as: Self.self)
      return condition(schema) ? .answer(schema) : .miss(EventMismatch([.condition("the condition of the closure")]))
    } catch {
      return .miss(EventMismatch([.schema("\(error)")]))
    }
  }

  /// Words for a wait for one of this type.
  static var question: String { "an event of the type \(Self.self) (\"\(eventName)\")" }
}
