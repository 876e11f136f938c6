import Foundation
import TrackingModel
import TrackingPatterns
import TrackingServer

/// A question about the events of an app and about its requests, as a value.
///
/// ```swift
/// verifier.wait(for: .inOrder([.request(.post, "/orders").answered(201), .named("order_placed")]))
/// verifier.wait(for: .none(of: .named("crash_reported"), within: 1), since: mark)
/// let outcome = await verifier.outcome(of: .noDuplicates(within: 0.5))
/// ```
///
/// `wait(for:)` fails the test when the answer is no, `outcome(of:)` reports nothing, and the questions of
/// ``TrackingVerifier/Configuration/checksAtStop`` are asked at each `stop()`. A question looks at everything since the verifier began, since the last
/// reset, or since a mark. <doc:AskingQuestions> says when each is answered.
public struct Verification: Sendable {
  /// What is asked.
  enum Form: Sendable {
    case one(EntryPattern)
    /// The first match that no earlier wait has matched.
    case next(EntryPattern)
    case count(EventCount, EntryPattern)
    case inOrder([EntryPattern])
    case consecutive([EntryPattern])
    case inAnyOrder([EntryPattern])
    case none(EntryPattern, within: TimeInterval?)
    case nothingElse(EntryKinds, ignoring: [EntryPattern])
    case noDuplicates(EntryKinds, within: TimeInterval, ignoring: [EntryPattern])
    case delivery
    case noUnmatchedRequests
    case redelivered(EventPattern)
    case noUnusedStubs
    /// The plan of the verifier's configuration or environment, put in place of this when it is asked.
    case plan(ignoring: [EntryPattern])
    case rule(any EventRule, ignoring: [EntryPattern])
  }

  let form: Form

  /// A number of matches of a pattern: `.count(1...3, of: .named("purchase"))`.
  public static func count(_ count: some CountConvertible, of pattern: EntryPattern) -> Verification {
    Verification(form: count is FirstMatch ? .one(pattern) : .count(count.eventCount, pattern))
  }

  /// A number of matches of a pattern in a variable.
  @_disfavoredOverload
  public static func count(_ count: some CountConvertible, of pattern: some EntryPatternConvertible) -> Verification {
    .count(count, of: pattern.entryPattern)
  }

  /// One match after the other, each of its pattern, whatever arrives between: `.inOrder([.named("cart_shown"), .named("purchase")])`.
  ///
  /// The order is that of arrival. A request arrives when its head and body have been received, and with ``RequestPattern/answered(_:)`` it is asked
  /// whether it has been answered since; its place in the order stays that of its arrival.
  public static func inOrder(_ patterns: [EntryPattern]) -> Verification {
    Verification(form: .inOrder(patterns))
  }

  /// The same for patterns in variables.
  @_disfavoredOverload
  public static func inOrder(_ patterns: [some EntryPatternConvertible]) -> Verification {
    Verification(form: .inOrder(patterns.map(\.entryPattern)))
  }

  /// One match directly after the other, each of its pattern, with nothing of their kinds between: requests do not separate events unless a pattern
  /// asks for requests.
  public static func consecutive(_ patterns: [EntryPattern]) -> Verification {
    Verification(form: .consecutive(patterns))
  }

  /// The same for patterns in variables.
  @_disfavoredOverload
  public static func consecutive(_ patterns: [some EntryPatternConvertible]) -> Verification {
    Verification(form: .consecutive(patterns.map(\.entryPattern)))
  }

  /// A different match for each pattern, in any order.
  ///
  /// Where an event matches several patterns, events are assigned so that each pattern has one, if that is possible at all.
  public static func inAnyOrder(_ patterns: [EntryPattern]) -> Verification {
    Verification(form: .inAnyOrder(patterns))
  }

  /// The same for patterns in variables.
  @_disfavoredOverload
  public static func inAnyOrder(_ patterns: [some EntryPatternConvertible]) -> Verification {
    Verification(form: .inAnyOrder(patterns.map(\.entryPattern)))
  }

  /// No match for a number of seconds from the beginning of the wait: `.none(of: .request(.any, "/ads/*"), within: 1)`.
  ///
  /// The seconds replace the timeout; without them, the configuration's settling time does. A match from before the wait counts, so give a mark where
  /// an earlier one was right. Wait for the last event of the journey first: of an app that has sent nothing yet, the answer is yes.
  public static func none(of pattern: EntryPattern, within seconds: TimeInterval? = nil) -> Verification {
    Verification(form: .none(pattern, within: seconds))
  }

  /// The same for a pattern in a variable.
  @_disfavoredOverload
  public static func none(
    of pattern: some EntryPatternConvertible, within seconds: TimeInterval? = nil
  ) -> Verification {
    Verification(form: .none(pattern.entryPattern, within: seconds))
  }

  /// No event at all for a number of seconds, as in `none(of:within:)`.
  public static func noEvents(within seconds: TimeInterval? = nil) -> Verification {
    Verification(form: .none(.any, within: seconds))
  }

  /// No events except those that waits have matched and those to be ignored; or no requests, or neither.
  ///
  /// ```swift
  /// verifier.wait(for: .nothingElse(ignoring: [.named("heartbeat")]))
  /// verifier.wait(for: .nothingElse(among: [.events, .requests]))
  /// ```
  ///
  /// A count also allows later matches as far as its bound leaves room. Wait for the last event of the journey first.
  public static func nothingElse(among kinds: EntryKinds = .events, ignoring patterns: [EntryPattern] = [])
    -> Verification
  {
    Verification(form: .nothingElse(kinds, ignoring: patterns))
  }

  /// The same for patterns in variables.
  @_disfavoredOverload
  public static func nothingElse(among kinds: EntryKinds = .events, ignoring patterns: [some EntryPatternConvertible])
    -> Verification
  {
    Verification(form: .nothingElse(kinds, ignoring: patterns.map(\.entryPattern)))
  }

  /// No two equal events within a number of seconds of each other; or no two requests of equal method, target and body.
  ///
  /// With infinity, all equal ones are duplicates. Wait for the last event of the journey first.
  public static func noDuplicates(
    within seconds: TimeInterval, among kinds: EntryKinds = .events, ignoring patterns: [EntryPattern] = []
  ) -> Verification {
    Verification(form: .noDuplicates(kinds, within: seconds, ignoring: patterns))
  }

  /// The same for patterns in variables.
  @_disfavoredOverload
  public static func noDuplicates(
    within seconds: TimeInterval, among kinds: EntryKinds = .events, ignoring patterns: [some EntryPatternConvertible]
  ) -> Verification {
    Verification(form: .noDuplicates(kinds, within: seconds, ignoring: patterns.map(\.entryPattern)))
  }

  /// Everything that the app's double tracked arrives, and nothing is rejected.
  ///
  /// An event that never arrived shows as a gap in the double's numbering once a later one has arrived. Submissions of an app that another test
  /// launched do not count.
  public static var delivery: Verification {
    Verification(form: .delivery)
  }

  /// An SDK has delivered an event again, which was recorded once: `.redelivered(.named("purchase"))`.
  ///
  /// The app's SDK did not learn that the first delivery had succeeded, and tried again, with the same id and the same content.
  public static func redelivered(_ pattern: EventPattern) -> Verification {
    Verification(form: .redelivered(pattern))
  }

  /// Each request of the app is answered by a stub, or is a submission of events.
  ///
  /// Among ``TrackingVerifier/Configuration/checksAtStop`` it fails the test for every other request.
  public static var noUnmatchedRequests: Verification {
    Verification(form: .noUnmatchedRequests)
  }

  /// Each stub of the verifier is asked, and all answers of its sequence or of its `times:` are sent.
  ///
  /// Among ``TrackingVerifier/Configuration/checksAtStop`` it fails the test at the line of each stub that wasn't used.
  public static var noUnusedStubs: Verification {
    Verification(form: .noUnusedStubs)
  }

  /// Every event follows the tracking plan: its name, its params, their values.
  ///
  /// The plan is that of ``TrackingVerifier/Configuration/plan``, else the file that the variable `TRACKING_PLAN` names. Asked at each stop unless
  /// ``TrackingVerifier/Configuration/checksAtStop`` says otherwise, where it asks nothing if there is no plan.
  public static var plan: Verification { .plan(ignoring: []) }

  /// The same except for some events: `.plan(ignoring: [.named("session_start")])`.
  public static func plan(ignoring patterns: [EntryPattern]) -> Verification {
    Verification(form: .plan(ignoring: patterns))
  }

  /// Every event follows a rule of your own.
  public static func following(_ rule: any EventRule, ignoring patterns: [EntryPattern] = []) -> Verification {
    Verification(form: .rule(rule, ignoring: patterns))
  }
}

extension Verification {
  /// The result of a question.
  public struct Outcome: Sendable {
    /// The events and requests that answer the question, or that break it.
    let matched: [JournalEntry]
    /// The failure; `nil` when the answer is yes.
    public let failure: VerificationFailure?

    /// The events that answer the question, or that break it: in the order of the patterns where there are several, else of arrival.
    public var events: [TrackingEvent] { matched.compactMap { $0.event?.event } }
    /// The requests that answer the question, or that break it, in the same order.
    public var requests: [RecordedRequest] { matched.compactMap(\.request) }
    /// Whether the answer is yes.
    public var isVerified: Bool { failure == nil }
  }
}

extension Verification.Outcome: CustomStringConvertible {
  /// The failure's message, or `verified`.
  public var description: String { failure?.message ?? "verified" }
}

// MARK: - Parts of a question

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
        eventNames: names.contains(nil) ? nil : names.reduce(into: []) { $0.formUnion($1 ?? []) },
        requests: interests.contains { $0.requests }, answers: asksForAnswers)
    case .consecutive, .nothingElse, .noDuplicates, .noUnmatchedRequests, .noUnusedStubs:
      return JournalInterest(
        eventNames: kinds.contains(.events) ? nil : [], requests: kinds.contains(.requests), answers: asksForAnswers)
    case .delivery: return JournalInterest(eventNames: nil, rejections: true)
    case .redelivered: return JournalInterest(answers: true)
    case .plan, .rule: return JournalInterest(eventNames: nil)
    }
  }

  /// Whether answers that are added to requests may change its state.
  var asksForAnswers: Bool {
    switch form {
    case .noUnmatchedRequests, .noUnusedStubs, .redelivered: return true
    default: break
    }
    return (patterns + ignored).contains { $0.interest.answers }
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
    case .plan(let ignored): "every event to be as the tracking plan has it\(Self.exception(ignored))"
    case .rule(let rule, let ignored): "\(rule.expectation)\(Self.exception(ignored))"
    }
  }

  private static func exception(_ ignored: [EntryPattern]) -> String {
    ignored.isEmpty ? "" : ", ignoring \(ignored.map { "\($0)" }.joined(separator: " or "))"
  }
}

// MARK: - The plan

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
