import Foundation
import TrackingModel
import TrackingPatterns
import TrackingChecks
import TrackingServer

// From a check to its result or failure.

/// A check that can be made, or the failure that says why it can't.
typealias AskableQuestion = Result<AskedQuestion, Unaskable>

/// The result of a check.
struct QuestionResult {
  /// The entries that match, or that fail the check.
  var matched: [JournalEntry] = []
  var failure: CheckFailure?
  /// Whether the failure has been reported.
  var isReported = false
  /// Whether the inspector shows the failure already.
  var isNoted = false

  var outcome: CheckOutcome { CheckOutcome(matched: matched, failure: failure) }
  var passed: Bool { failure == nil }
}

extension TrackingVerifier {
  /// The check with its origin and times, if it can be made.
  func asked(
    _ verification: TrackingCheck<CheckOutcome>, _ words: String? = nil, since mark: Mark?, _ timeout: TimeInterval?,
    _ location: CodeLocation,
    isSilent: Bool = false, isOfCheck: Bool = false
  ) -> AskableQuestion {
    Result { () throws(Unaskable) in
      if let owner = endedTest {
        throw Unaskable(CheckFailure(kind: .misuse, message: Excerpt.wrapped(owner), location: location))
      }
      guard let origin = origin(mark) else { throw Unaskable(.foreignMark(at: location)) }
      var question = try asked(
        verification, words, at: location, since: origin, timeout: timeout, usually: configuration.timeout,
        settling: configuration.settling ?? (server.lastEndpoint == nil ? 0.05 : 0.25))
      if let plan = question.verification.plan { state.withLock { $0.plan.asked = plan } }
      (question.isSilent, question.isOfCheck) = (isSilent, isOfCheck)
      if !isSilent, let warning = warning(about: question) { reporter.warn(warning, at: location) }
      return question
    }
  }

  /// Makes the check, and reports a failure as its last action.
  func ask(_ question: AskableQuestion) -> QuestionResult {
    let result = answer(question)
    if let failure = result.failure, !result.isReported { fail(failure, isNoted: result.isNoted) }
    return result
  }

  /// Makes the check without blocking a thread, and reports a failure as its last action.
  func ask(
    _ question: AskableQuestion, isolation: isolated (any Actor)? = #isolation
  ) async -> QuestionResult {
    let result = await answer(question)
    if let failure = result.failure, !result.isReported { fail(failure, isNoted: result.isNoted) }
    return result
  }

  /// Asks, and reports nothing.
  func answer(_ question: AskableQuestion) -> QuestionResult {
    switch question {
    case .failure(let reason): return QuestionResult(failure: reason.failure)
    case .success(let question):
      guard mayBlock else {
        return QuestionResult(failure: .blockingInTask(at: question.location))
      }
      var wait = begin(question)
      let hide = show(question)
      let end = wait.run()
      return hidden(conclude(wait, end), of: question, hide)
    }
  }

  /// Whether this thread may be blocked: no task runs on it, or a task of a synchronous test on the main thread.
  ///
  /// In an asynchronous test a blocking wait on the main thread would keep the main actor from running anything else, such as a view model's task.
  private var mayBlock: Bool {
    withUnsafeCurrentTask { $0 == nil } || Thread.isMainThread && testCase?.mayRunSynchronouslyInTask == true
  }

  /// Makes the check without blocking a thread, and reports nothing.
  func answer(
    _ question: AskableQuestion, isolation: isolated (any Actor)? = #isolation
  ) async -> QuestionResult {
    switch question {
    case .failure(let reason): return QuestionResult(failure: reason.failure)
    case .success(let question):
      var wait = begin(question)
      let hide = show(question)
      let end = await wait.run()
      return hidden(conclude(wait, end), of: question, hide)
    }
  }

  private func begin(_ question: AskedQuestion) -> Wait {
    use()
    // Nothing but the test's own tracker needs no server.
    let lacksServer = server.endpoint == nil && state.withLock { $0.life.hasFailedToStart && !$0.life.tracks }
    return Wait(
      reading(of: question, from: .now), in: journal, registry: waits,
      senders: Senders(to: server, settling: question.settling, lacksServer: lacksServer)
    ) { [self] reading in
      reading.question.again(since: beginning).map { self.reading(of: $0, from: reading.scale.began) }
    }
  }

  private func conclude(_ wait: Wait, _ end: WaitEnd) -> QuestionResult {
    let (reading, question, now) = (wait.reading, wait.reading.question, ContinuousClock.now)
    let isGood = reading.isGood(at: now, after: end)
    // Before the failure's text, during which entries may arrive that the wait hasn't seen.
    log?.add(reading, isGood: isGood)
    let hasBlocked = !isGood && wait.hasBlockedMainActor
    let answer = conclude(reading, end, at: now, hasBlockedMainActor: hasBlocked) { self.unfinished($0) }
    // The `stop()` that ended it reports it.
    let isReported = end == .stopped && !question.isSilent
    return QuestionResult(
      matched: answer.matched, failure: answer.failure, isReported: isReported && answer.failure != nil)
  }
}

extension CheckFailure {
  static func foreignMark(at location: CodeLocation) -> CheckFailure {
    CheckFailure(
      kind: .misuse,
      message: "The mark is of a verifier with another server: take it from the verifier that waits.",
      location: location)
  }

  static func blockingInTask(at location: CodeLocation) -> CheckFailure {
    CheckFailure(
      kind: .misuse,
      message: Excerpt.wrapped(
        """
        A blocking wait was called inside a task, where it would block a thread that all tasks share: make the \
        function that calls it `async` and write `await`.
        """), location: location)
  }
}
