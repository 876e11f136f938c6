import Foundation
import TrackingModel
import TrackingPatterns
import TrackingServer

/// What a test asks, where, since when and for how long.
struct Question: Sendable {
  let verification: Verification
  /// What is asked, in words that go on from "waited for".
  let words: String
  let location: CodeLocation
  /// What came before is not looked at.
  let origin: JournalMark
  /// Seconds to wait.
  let timeout: TimeInterval
  /// Seconds of nothing more after which a bound that is met is believed.
  let settling: TimeInterval
  /// Whether whoever asks tells of the answer, so that the verifier tells nothing, now or later.
  var isSilent = false
  /// Whether a closure that was not kept has a say in it.
  var hasCondition = false
}

/// A question as it will be asked, or why it cannot be.
typealias AskableQuestion = Result<Question, UnaskableQuestion>

/// Why a question cannot be asked.
struct UnaskableQuestion: Error {
  let failure: VerificationFailure
}

extension TrackingVerifier {
  /// A question as it will be asked.
  func question(
    _ verification: Verification, since mark: Mark?, _ timeout: TimeInterval?, _ location: CodeLocation,
    isSilent: Bool = false
  ) -> AskableQuestion {
    question(verification, "\(verification)", since: mark, timeout, location).map { question in
      var question = question
      question.isSilent = isSilent
      return question
    }
  }

  /// The question for a typed event for which a condition holds.
  func question<S: TrackingSchema>(
    _ type: S.Type, since mark: Mark?, _ timeout: TimeInterval?, _ location: CodeLocation
  ) -> AskableQuestion {
    server.notes.learn(type)
    let words = "an event of the type \(type) (\"\(type.eventName)\")"
    return question(.one(.named(type.eventName)), words, since: mark, timeout, location).map { question in
      var question = question
      question.hasCondition = true
      return question
    }
  }

  private func question(
    _ verification: Verification, _ words: String, since mark: Mark?, _ timeout: TimeInterval?, _ location: CodeLocation
  ) -> AskableQuestion {
    guard let origin = origin(mark) else {
      return .failure(UnaskableQuestion(failure: .foreignMark(at: location)))
    }
    if let failure = verification.invalidity(at: location) {
      return .failure(UnaskableQuestion(failure: failure))
    }
    let listening = verification.listeningTime(settling: configuration.settling)
    return .success(
      Question(
        verification: verification, words: words, location: location, origin: origin,
        timeout: listening ?? timeout ?? configuration.timeout, settling: listening ?? configuration.settling))
  }
}

extension Verification {
  /// The failure of a question that makes no sense; `nil` for one that does.
  func invalidity(at location: CodeLocation) -> VerificationFailure? {
    problem.map { VerificationFailure(kind: .invalidQuestion, message: Excerpt.wrapped($0), location: location) }
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
        A blocking wait was called inside of a task, where it would keep the threads of all tasks from working: \
        make the function that calls it `async` and write `await`.
        """), location: location)
  }
}
