import TrackingModel
import TrackingPatterns

/// What one event means for a wait with a closure.
///
/// The judgement that decides is the one that explains, so that a failure cannot say something else than what was checked.
enum Judgement<Answer> {
  case answer(Answer)
  case miss(EventMismatch)

  /// Why it is none.
  var mismatch: EventMismatch? {
    if case .miss(let mismatch) = self { mismatch } else { nil }
  }
}

extension TrackingSchema {
  /// What an event means for a wait for one of this type for which a condition holds.
  static func judge(_ event: TrackingEvent, where condition: (Self) -> Bool) -> Judgement<Self> {
    guard event.name.isSameText(as: eventName) else {
      return .miss(EventMismatch([.name(expected: eventName, found: event.name)]))
    }
    do {
      let schema = try event.decode(as: Self.self)
      return condition(schema) ? .answer(schema) : .miss(EventMismatch([.condition("the condition of the closure")]))
    } catch {
      return .miss(EventMismatch([.schema("\(error)")]))
    }
  }
}
