import Foundation
import TrackingPatterns
import TrackingServer

/// A question with its line in the test, its origin and its timeout.
package struct Question: Sendable {
  package let verification: Verification
  /// The question in words that can follow "waited for".
  package let words: String
  package let location: CodeLocation
  /// Entries from before it are not looked at.
  package let origin: JournalMark
  /// Seconds to wait.
  package let timeout: TimeInterval
  /// Seconds without a further match after which an upper bound is believed.
  package let settling: TimeInterval
  /// Whether the caller reports the answer, so that the verifier reports nothing, now or later.
  package internal(set) var isSilent = false
  /// Whether a check of this package asks it for its own purposes.
  package internal(set) var isOfCheck = false
  /// Whether a closure that is not kept takes part in the answer.
  package internal(set) var hasCondition = false
}

/// A question that can be asked, or the failure that says why it can't.
typealias AskableQuestion = Result<Question, UnaskableQuestion>

/// The failure of a question that can't be asked.
struct UnaskableQuestion: Error {
  let failure: VerificationFailure
}

/// The answer to a question.
struct QuestionResult {
  /// The entries that answer it, or that break it.
  var matched: [JournalEntry] = []
  var failure: VerificationFailure?
  /// Whether the failure has been reported.
  var isReported = false
  /// Whether the inspector shows the failure already.
  var isNoted = false

  var outcome: Verification.Outcome { Verification.Outcome(matched: matched, failure: failure) }
  var isVerified: Bool { failure == nil }
}

extension Question {
  /// The only pattern of a count.
  var pattern: EntryPattern { verification.form.patterns[0] }
}

extension Verification {
  /// The same question with the plan that it asks about; `nil` if it asks about a plan and there is none.
  func with(plan: @autoclosure () -> (any EventRule)?) -> Verification? {
    form.with(plan: plan).map { Verification($0) }
  }

  /// The failure of an invalid question; `nil` for a valid one.
  func invalidity(at location: CodeLocation) -> VerificationFailure? {
    form.problem.map { VerificationFailure(kind: .invalidQuestion, message: Excerpt.wrapped($0), location: location) }
  }
}

extension VerificationFailure {
  static func foreignMark(at location: CodeLocation) -> VerificationFailure {
    VerificationFailure(
      kind: .foreignMark,
      message: "The mark is of a verifier with another server: take it from the verifier that waits.",
      location: location)
  }

  static func blockingInTask(at location: CodeLocation) -> VerificationFailure {
    VerificationFailure(
      kind: .blockingInTask,
      message: Excerpt.wrapped(
        """
        A blocking wait was called inside a task, where it would block a thread that all tasks share: make the \
        function that calls it `async` and write `await`.
        """), location: location)
  }
}
