import Foundation
import TrackingPatterns
import TrackingServer

extension Verification {
  /// A new evaluation of the question, before the first event.
  func evaluation(since mark: JournalMark, isClaimed: @escaping @Sendable (RecordedEvent) -> Bool) -> any Evaluation {
    switch form {
    case .one(let pattern): CountEvaluation(.atLeast(1), of: pattern)
    case .count(let count, let pattern): CountEvaluation(count, of: pattern)
    case .inOrder(let patterns): OrderEvaluation(patterns)
    case .consecutive(let patterns): ConsecutiveEvaluation(patterns)
    case .inAnyOrder(let patterns): AssignmentEvaluation(patterns)
    case .none(let pattern, _): AbsenceEvaluation(of: pattern)
    case .nothingElse(let ignored): NothingElseEvaluation(ignoring: ignored, isClaimed: isClaimed)
    case .noDuplicates(let seconds, let ignored): DuplicateEvaluation(within: seconds, ignoring: ignored)
    case .delivery: DeliveryEvaluation(since: mark)
    case .noUnmatchedRequests: UnmatchedRequestsEvaluation(since: mark)
    }
  }

  /// For how many seconds to listen, whatever the timeout is; `nil` when the timeout counts.
  func listeningTime(settling: TimeInterval) -> TimeInterval? {
    if case .none(_, let seconds) = form { seconds ?? settling } else { nil }
  }

  /// Why nothing that comes can answer it, in a sentence.
  var problem: String? {
    switch form {
    case .count(let count, _) where count.problem() != nil:
      return count.problem()
    case .none(_, let seconds?) where seconds.isNaN || seconds < 0,
      .noDuplicates(let seconds, _) where seconds.isNaN || seconds < 0:
      return "A number of seconds cannot be \(TimeText.seconds(seconds)): \(self)."
    case .one, .count, .inOrder, .consecutive, .inAnyOrder, .none, .nothingElse, .noDuplicates, .delivery,
      .noUnmatchedRequests:
      return patternProblem.map { "The pattern cannot match any event: \($0)." }
    }
  }

  private var patternProblem: String? {
    let patterns: [EventPattern] =
      switch form {
      case .one(let pattern), .count(_, let pattern): [pattern]
      case .inOrder(let patterns), .consecutive(let patterns), .inAnyOrder(let patterns): patterns
      case .none(let pattern, _): pattern.map { [$0] } ?? []
      case .nothingElse(let ignored), .noDuplicates(_, let ignored): ignored
      case .delivery, .noUnmatchedRequests: []
      }
    return patterns.lazy.compactMap(\.problem).first
  }

  /// Whether it asks about the way of the events, and not about the events.
  var isOfDelivery: Bool {
    if case .delivery = form { true } else { false }
  }

  /// The one pattern that a single event is asked for by.
  var singlePattern: EventPattern? {
    if case .one(let pattern) = form { pattern } else { nil }
  }

  /// The number of events that is asked for, where what comes after the wait still counts; `nil` where it does not.
  var bound: (count: EventCount, pattern: EventPattern)? {
    if case .count(let count, let pattern) = form { (count, pattern) } else { nil }
  }
}
