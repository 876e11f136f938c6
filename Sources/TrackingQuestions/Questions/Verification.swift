import TrackingModel
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
  package let form: any QuestionForm

  package init(_ form: any QuestionForm) {
    self.form = form
  }

  /// The kinds of entries that it looks at.
  package var kinds: EntryKinds { form.kinds }
}

extension Verification: CustomStringConvertible {
  /// The question in words that can follow "waited for".
  public var description: String { form.description }
}

extension Verification {
  /// Whether it asks about the order in which answers are sent.
  package var ordersAnswers: Bool { form.isOrdered && form.interest.revisions }
}

extension Verification {
  /// The result of a question.
  public struct Outcome: Sendable {
    /// The events and requests that answer the question, or that break it.
    let matched: [JournalEntry]
    /// The failure; `nil` when the answer is yes.
    public let failure: VerificationFailure?

    package init(matched: [JournalEntry], failure: VerificationFailure?) {
      (self.matched, self.failure) = (matched, failure)
    }

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
