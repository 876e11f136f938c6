import TrackingModel
import TrackingPatterns
import TrackingServer

/// A check of an app's events and requests, whose type determines what a wait returns.
///
/// ```swift
/// let event = verifier.wait(for: .named("purchase"))                              // TrackingCheck<TrackingEvent?>
/// let order = verifier.wait(for: .request(.post, "/orders").responded(201))        // TrackingCheck<RecordedRequest?>
/// verifier.wait(for: .none(of: .named("crash_reported"), within: 1), since: mark)  // TrackingCheck<CheckOutcome>
/// ```
///
/// If the check fails, `wait(for:)` fails the test, `require(_:)` also ends it, and `outcome(of:)` reports nothing. Each `stop()` runs the checks of
/// ``TrackingVerifier/Configuration/checksAtStop``. A check looks at everything since the verifier began, since the last reset, or since a mark.
/// <doc:Checks> says when each check passes or fails.
///
/// A check for one event or request is written like an `EventPattern` or a `RequestPattern`; for a pattern in a variable, use
/// `.init(pattern)`.
public struct TrackingCheck<Value>: Sendable {
  package let kind: any CheckKind
  let makeValue: @Sendable ([JournalEntry], CheckFailure?) -> Value

  init(_ kind: any CheckKind, value: @escaping @Sendable ([JournalEntry], CheckFailure?) -> Value) {
    self.kind = kind
    makeValue = value
  }

  package func value(of outcome: CheckOutcome) -> Value { makeValue(outcome.matched, outcome.failure) }

  /// The check without the type of its result.
  package var untyped: TrackingCheck<CheckOutcome> { TrackingCheck<CheckOutcome>(kind) }
}

extension TrackingCheck<CheckOutcome> {
  package init(_ kind: any CheckKind) {
    self.init(kind) { CheckOutcome(matched: $0, failure: $1) }
  }

  package var kinds: EntryKinds { kind.kinds }

  /// Whether a response that is sent after its request's arrival is a separate moment.
  package var readsResponses: Bool { kind.readsResponses }
}

extension TrackingCheck<CheckOutcome> {
  /// Unavailable: patterns are in a list.
  @available(*, unavailable, message: "patterns are in a list: write .inOrder([.named(\"a\"), .named(\"b\")])")
  public static func inOrder(_ patterns: EntryPattern...) -> TrackingCheck<CheckOutcome> { inOrder(patterns) }

  /// Unavailable: patterns are in a list.
  @available(*, unavailable, message: "patterns are in a list: write .inAnyOrder([.named(\"a\"), .named(\"b\")])")
  public static func inAnyOrder(_ patterns: EntryPattern...) -> TrackingCheck<CheckOutcome> { inAnyOrder(patterns) }

  /// Unavailable: patterns are in a list.
  @available(*, unavailable, message: "patterns are in a list: write .consecutive([.named(\"a\"), .named(\"b\")])")
  public static func consecutive(_ patterns: EntryPattern...) -> TrackingCheck<CheckOutcome> { consecutive(patterns) }

  /// Unavailable: an absence has a time.
  @available(*, unavailable, message: "write .none(of: .named(\"a\"), within: 1)")
  public static func never(_ pattern: EntryPattern) -> TrackingCheck<CheckOutcome> { none(of: pattern) }
}

extension TrackingCheck: CustomStringConvertible {
  /// A noun phrase for the check, such as `an event named "purchase"`.
  public var description: String { kind.description }
}

// MARK: - Outcomes

/// The result of a check that any number of entries may match.
public struct CheckOutcome: Sendable {
  /// The entries that pass or fail the check.
  package let matched: [JournalEntry]
  /// The failure; `nil` if the check passed.
  public let failure: CheckFailure?

  package init(matched: [JournalEntry], failure: CheckFailure?) {
    (self.matched, self.failure) = (matched, failure)
  }

  /// The events that pass or fail the check: in the order of the patterns if there are several, otherwise of arrival.
  public var events: [TrackingEvent] { matched.compactMap { $0.event?.event } }
  /// The requests that pass or fail the check, in the same order as `events`.
  public var requests: [RecordedRequest] { matched.compactMap(\.request) }
  /// Whether the check passed.
  public var passed: Bool { failure == nil }
}

extension CheckOutcome: CustomStringConvertible {
  /// The failure's message, or `passed`.
  public var description: String { failure?.message ?? "passed" }
}
