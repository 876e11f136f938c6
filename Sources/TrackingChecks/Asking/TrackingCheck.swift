import TrackingModel
import TrackingPatterns
import TrackingServer

/// A question about the events of an app and about its requests, as a value that says what its answer is.
///
/// ```swift
/// let event = verifier.wait(for: .named("purchase"))                              // TrackingCheck<TrackingEvent?>
/// let order = verifier.wait(for: .request(.post, "/orders").responded(201))        // TrackingCheck<RecordedRequest?>
/// verifier.wait(for: .none(of: .named("crash_reported"), within: 1), since: mark)  // TrackingCheck<CheckOutcome>
/// ```
///
/// `wait(for:)` fails the test when the answer is no, `require(_:)` ends it, and `outcome(of:)` reports nothing. The questions of
/// ``TrackingVerifier/Configuration/checksAtStop`` are asked at each `stop()`. A question looks at everything since the verifier began, since the last
/// reset, or since a mark. <doc:AskingQuestions> says when each is answered.
///
/// A question for one event or request is written like an `EventPattern` or a `RequestPattern`; write one that you have in a variable as
/// `.init(pattern)`.
public struct TrackingCheck<Value>: Sendable {
  package let form: any QuestionForm
  /// Makes the answer of the entries that answer the question or break it, and of the failure.
  let makeValue: @Sendable ([JournalEntry], CheckFailure?) -> Value

  init(_ form: any QuestionForm, answer: @escaping @Sendable ([JournalEntry], CheckFailure?) -> Value) {
    self.form = form
    makeValue = answer
  }

  /// The answer to this question.
  ///
  /// - Parameter matched: The entries that answer it, or that break it.
  package func answer(_ matched: [JournalEntry], _ failure: CheckFailure?) -> Value {
    makeValue(matched, failure)
  }

  /// The same question without the type of its answer.
  package var untyped: TrackingCheck<CheckOutcome> { TrackingCheck<CheckOutcome>(form) }
}

extension TrackingCheck<CheckOutcome> {
  package init(_ form: any QuestionForm) {
    self.init(form) { CheckOutcome(matched: $0, failure: $1) }
  }

  /// The kinds of entries that it looks at.
  package var kinds: EntryKinds { form.kinds }

  /// Whether it asks about the order in which answers are sent.
  package var ordersResponses: Bool { form.isOrdered && form.interest.revisions }
}

extension TrackingCheck<CheckOutcome> {
  /// Takes its patterns in a list.
  @available(*, unavailable, message: "patterns are in a list: write .inOrder([.named(\"a\"), .named(\"b\")])")
  public static func inOrder(_ patterns: EntryPattern...) -> TrackingCheck<CheckOutcome> { inOrder(patterns) }

  /// Takes its patterns in a list.
  @available(*, unavailable, message: "patterns are in a list: write .inAnyOrder([.named(\"a\"), .named(\"b\")])")
  public static func inAnyOrder(_ patterns: EntryPattern...) -> TrackingCheck<CheckOutcome> { inAnyOrder(patterns) }

  /// Takes its patterns in a list.
  @available(*, unavailable, message: "patterns are in a list: write .consecutive([.named(\"a\"), .named(\"b\")])")
  public static func consecutive(_ patterns: EntryPattern...) -> TrackingCheck<CheckOutcome> { consecutive(patterns) }
}

extension TrackingCheck: CustomStringConvertible {
  /// The question in words that can follow "waited for".
  public var description: String { form.description }
}

// MARK: - Answers

/// The answer to a question that several entries, or none, may answer.
public struct CheckOutcome: Sendable {
  /// The events and requests that answer the question, or that break it.
  let matched: [JournalEntry]
  /// The failure; `nil` when the answer is yes.
  public let failure: CheckFailure?

  package init(matched: [JournalEntry], failure: CheckFailure?) {
    (self.matched, self.failure) = (matched, failure)
  }

  /// The events that answer the question, or that break it: in the order of the patterns where there are several, else of arrival.
  public var events: [TrackingEvent] { matched.compactMap { $0.event?.event } }
  /// The requests that answer the question, or that break it, in the same order.
  public var requests: [RecordedRequest] { matched.compactMap(\.request) }
  /// Whether the answer is yes.
  public var passed: Bool { failure == nil }
}

extension CheckOutcome: CustomStringConvertible {
  /// The failure's message, or `verified`.
  public var description: String { failure?.message ?? "verified" }
}
