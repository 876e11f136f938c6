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

  init(_ form: any QuestionForm) {
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
  /// Asks the question about everything that had arrived at a time.
  ///
  /// - Parameter condition: A condition on events beside the question's patterns.
  func evaluation(
    over timeline: some QuestionTimeline, in setting: QuestionSetting, until deadline: ContinuousClock.Instant,
    where condition: (TrackingEvent) -> Bool = { _ in true }
  ) -> any Evaluation {
    var evaluation = form.evaluation(in: setting)
    for moment in moments(of: timeline, since: setting.origin) where moment.instant <= deadline {
      guard kinds.contains(moment.entry), moment.entry.event.map({ condition($0.event) }) ?? true else { continue }
      _ = evaluation.take(moment)
      if evaluation.state.isFinal, !evaluation.countsOn { break }
    }
    evaluation.look(at: timeline)
    return evaluation
  }

  /// The moments that the question is about; answers only if it asks about their order.
  func moments(of timeline: some QuestionTimeline, since mark: JournalMark) -> [TimelineMoment] {
    guard ordersAnswers else {
      return timeline.received(since: mark).map { TimelineMoment($0) }
    }
    return TimelineMoment.all(of: timeline.received(since: .beginning), since: mark)
  }

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
