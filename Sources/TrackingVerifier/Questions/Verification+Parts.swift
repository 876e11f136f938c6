import Foundation
import TrackingModel
import TrackingPatterns
import TrackingServer

extension Verification {
  /// A new evaluation of the question, before the first entry.
  func evaluation(since mark: JournalMark, _ ledger: MatchLedger, except reported: ReportedProblems = .none)
    -> any Evaluation
  {
    switch form {
    case .one(let pattern): CountEvaluation(.atLeast(1), of: pattern, countsOn: false)
    case .next(let pattern): CountEvaluation(.atLeast(1), of: pattern, countsOn: false, claim: ledger.claim)
    case .count(let count, let pattern): CountEvaluation(count, of: pattern)
    case .inOrder(let patterns): OrderEvaluation(patterns)
    case .consecutive(let patterns): ConsecutiveEvaluation(patterns)
    case .inAnyOrder(let patterns): AssignmentEvaluation(patterns)
    case .none(let pattern, _): AbsenceEvaluation(of: pattern)
    case .nothingElse(let kinds, let ignored):
      NothingElseEvaluation(among: kinds, ignoring: ignored, unmatched: ledger.unmatched)
    case .noDuplicates(_, let seconds, let ignored): DuplicateEvaluation(within: seconds, ignoring: ignored)
    case .delivery: DeliveryEvaluation(since: mark, except: reported)
    case .redelivered(let pattern): RedeliveryEvaluation(since: mark, of: pattern)
    case .noUnmatchedRequests: UnmatchedRequestsEvaluation(since: mark, except: reported)
    case .noUnusedStubs: UnusedStubsEvaluation(ledger.unusedStubs)
    case .rule(let rule, let ignored): RuleEvaluation(rule, ignoring: ignored)
    case .plan: RuleEvaluation(NoPlan(), ignoring: [])
    }
  }

  /// The kinds of entries that it looks at.
  var kinds: EntryKinds {
    switch form {
    case .nothingElse(let kinds, _), .noDuplicates(let kinds, _, _): kinds
    case .delivery, .redelivered, .plan, .rule: .events
    case .noUnmatchedRequests, .noUnusedStubs: .requests
    case .one, .next, .count, .inOrder, .consecutive, .inAnyOrder, .none: EntryKinds(patterns.map(\.kinds))
    }
  }

  /// The entries that can change its state.
  var interest: JournalInterest {
    let interests = patterns.map(\.interest)
    let asksForAnswers = asksForAnswers
    switch form {
    case .one, .next, .count, .inOrder, .inAnyOrder, .none:
      let names = interests.map(\.eventNames)
      return JournalInterest(
        eventNames: names.contains(nil) ? nil : names.flatMap { $0 ?? [] },
        requests: interests.contains { $0.requests }, revisions: asksForAnswers)
    case .consecutive, .nothingElse, .noDuplicates, .noUnmatchedRequests, .noUnusedStubs:
      return JournalInterest(
        eventNames: kinds.contains(.events) ? nil : [], requests: kinds.contains(.requests), revisions: asksForAnswers)
    case .delivery: return JournalInterest(eventNames: nil, rejections: true)
    case .redelivered: return JournalInterest(revisions: true)
    case .plan, .rule: return JournalInterest(eventNames: nil)
    }
  }

  /// Whether answers that are added to requests may change its state.
  var asksForAnswers: Bool {
    switch form {
    case .noUnmatchedRequests, .noUnusedStubs, .redelivered: return true
    default: break
    }
    return (patterns + ignored).contains { $0.interest.revisions }
  }

  /// The seconds to listen in place of the timeout; `nil` when the timeout applies.
  func listeningTime(settling: TimeInterval) -> TimeInterval? {
    if case .none(_, let seconds) = form { seconds ?? settling } else { nil }
  }

  /// Why no entry can answer it, in a sentence.
  var problem: String? {
    switch form {
    case .count(let count, _) where count.problem != nil:
      return count.problem
    case .none(_, let seconds?) where seconds.isNaN || seconds < 0,
      .noDuplicates(_, let seconds, _) where seconds.isNaN || seconds < 0:
      return "A number of seconds cannot be \(TimeText.seconds(seconds)): \(self)."
    default:
      let broken = (patterns + ignored).first { $0.problem != nil }
      return broken.map {
        "The pattern cannot match any \($0.kinds == .requests ? "request" : "event"): \($0.problem ?? "")."
      }
    }
  }

  /// Whether it asks about the delivery of events.
  var isOfDelivery: Bool {
    if case .delivery = form { true } else { false }
  }

  /// The count that is asked for, which later matches may exceed.
  var bound: (count: EventCount, pattern: EntryPattern)? {
    if case .count(let count, let pattern) = form { (count, pattern) } else { nil }
  }

  /// The patterns that it looks for.
  private var patterns: [EntryPattern] {
    switch form {
    case .one(let pattern), .next(let pattern), .count(_, let pattern), .none(let pattern, _): [pattern]
    case .inOrder(let patterns), .consecutive(let patterns), .inAnyOrder(let patterns): patterns
    case .redelivered(let pattern): [EntryPattern(pattern)]
    case .nothingElse, .noDuplicates, .delivery, .noUnmatchedRequests, .noUnusedStubs, .plan, .rule: []
    }
  }

  private var ignored: [EntryPattern] {
    switch form {
    case .nothingElse(_, let ignored), .noDuplicates(_, _, let ignored), .plan(let ignored), .rule(_, let ignored):
      ignored
    default: []
    }
  }

  /// The patterns of an order, as a failure lists them.
  var listedPatterns: [EntryPattern] {
    switch form {
    case .inOrder(let patterns), .consecutive(let patterns), .inAnyOrder(let patterns): patterns
    default: []
    }
  }
}

extension Verification: CustomStringConvertible {
  /// The question in words that continue "waited for".
  public var description: String {
    switch form {
    case .one(let pattern): "\(pattern)"
    case .next(let pattern): "the next match of \(pattern)"
    case .count(let count, let pattern): "\(pattern), \(count)"
    case .inOrder(let patterns): "\(kinds.counted(patterns.count)) in order"
    case .consecutive(let patterns): "\(kinds.counted(patterns.count)) in order, with nothing between"
    case .inAnyOrder(let patterns): "\(kinds.counted(patterns.count)) in any order"
    case .none(let pattern, let seconds):
      "\(pattern), not once\(seconds.map { " within \(TimeText.seconds($0))" } ?? "")"
    case .nothingElse(let kinds, let ignored):
      "no \(kinds.plural) except those that the test has asked for\(Self.exception(ignored))"
    case .noDuplicates(let kinds, let seconds, let ignored):
      "no two equal \(kinds.plural)\(seconds < .infinity ? " within \(TimeText.seconds(seconds))" : "")\(Self.exception(ignored))"
    case .delivery: "every tracked event to arrive, and no submission to be rejected"
    case .noUnmatchedRequests: "every request to be answered by a stub"
    case .redelivered(let pattern): "\(pattern), delivered again by an SDK"
    case .noUnusedStubs: "every stub to be used"
    case .plan(let ignored): "every event to be valid against the tracking plan\(Self.exception(ignored))"
    case .rule(let rule, let ignored): "\(rule.expectation)\(Self.exception(ignored))"
    }
  }

  private static func exception(_ ignored: [EntryPattern]) -> String {
    ignored.isEmpty ? "" : ", ignoring \(ignored.map { "\($0)" }.joined(separator: " or "))"
  }
}

extension Verification {
  /// The same question with the plan that it asks about; `nil` if it asks about a plan and there is none.
  func with(plan: @autoclosure () -> (any EventRule)?) -> Verification? {
    guard case .plan(let ignored) = form else { return self }
    return plan().map { Verification(form: .rule($0, ignoring: ignored)) }
  }
}

/// The rule in place of a plan that isn't known yet.
private struct NoPlan: EventRule {
  var expectation: String { "" }
  func findings(in event: TrackingEvent) -> [PlanFinding] { [] }
}
