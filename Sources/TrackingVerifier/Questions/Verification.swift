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
  /// Where an event matches several patterns, events are assigned so that each pattern has one, if possible.
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

  /// No event for a number of seconds, as in `none(of:within:)`.
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
