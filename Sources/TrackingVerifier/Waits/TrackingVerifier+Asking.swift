import Foundation
import TrackingModel
import TrackingPatterns
import TrackingServer

// From a question to its answer or failure.

extension TrackingVerifier {
  /// The question with its origin and times, if it can be asked.
  func question(
    _ verification: Verification, _ words: String? = nil, since mark: Mark?, _ timeout: TimeInterval?,
    _ location: CodeLocation, isSilent: Bool = false, isOfCheck: Bool = false, hasCondition: Bool = false
  ) -> AskableQuestion {
    if let owner = endedTest {
      return .failure(
        UnaskableQuestion(
          failure: VerificationFailure(kind: .outsideOfTest, message: Excerpt.wrapped(owner), location: location)))
    }
    guard let origin = origin(mark) else {
      return .failure(UnaskableQuestion(failure: .foreignMark(at: location)))
    }
    guard let verification = verification.with(plan: try? plan.get()) else {
      return .failure(UnaskableQuestion(failure: noPlan(at: location)))
    }
    if let failure = verification.invalidity(at: location) {
      return .failure(UnaskableQuestion(failure: failure))
    }
    if let plan = verification.plan { state.withLock { $0.askedPlan = plan } }
    let settling = configuration.settling ?? (server.lastEndpoint == nil ? 0.05 : 0.25)
    let listening = verification.form.listeningTime(settling: settling)
    return .success(
      Question(
        verification: verification, words: words ?? "\(verification)", location: location, origin: origin,
        timeout: listening ?? timeout ?? configuration.timeout, settling: listening ?? settling,
        isSilent: isSilent, isOfCheck: isOfCheck, hasCondition: hasCondition))
  }

  /// The question for a typed event for which a condition holds.
  func question<S: TrackingSchema>(
    _ type: S.Type, isNext: Bool = false, since mark: Mark?, _ timeout: TimeInterval?, _ location: CodeLocation
  ) -> AskableQuestion {
    let pattern = EntryPattern.typed(type)
    return question(
      isNext ? .next(pattern) : .one(pattern), since: mark, timeout, location, hasCondition: true)
  }

  /// Asks, and reports a failure as its last action.
  func ask(_ question: AskableQuestion, where condition: (TrackingEvent) -> Bool = { _ in true }) -> QuestionResult {
    let result = answer(question, where: condition)
    if let failure = result.failure, !result.isReported { fail(failure, isNoted: result.isNoted) }
    return result
  }

  /// Asks without blocking a thread, and reports a failure as its last action.
  func ask(
    _ question: AskableQuestion, isolation: isolated (any Actor)? = #isolation,
    where condition: (TrackingEvent) -> Bool = { _ in true }
  ) async -> QuestionResult {
    let result = await answer(question, where: condition)
    if let failure = result.failure, !result.isReported { fail(failure, isNoted: result.isNoted) }
    return result
  }

  /// Asks, and reports nothing.
  func answer(_ question: AskableQuestion, where condition: (TrackingEvent) -> Bool = { _ in true }) -> QuestionResult {
    switch question {
    case .failure(let reason): return QuestionResult(failure: reason.failure)
    case .success(let question):
      guard withUnsafeCurrentTask(body: { $0 == nil }) else {
        return QuestionResult(failure: .blockingInTask(at: question.location))
      }
      var wait = begin(question)
      let hide = show(question)
      let end = wait.run(where: condition)
      return hidden(conclude(wait, end, where: condition), of: question, hide)
    }
  }

  /// Asks without blocking a thread, and reports nothing.
  func answer(
    _ question: AskableQuestion, isolation: isolated (any Actor)? = #isolation,
    where condition: (TrackingEvent) -> Bool = { _ in true }
  ) async -> QuestionResult {
    switch question {
    case .failure(let reason): return QuestionResult(failure: reason.failure)
    case .success(let question):
      var wait = begin(question)
      let hide = show(question)
      let end = await wait.run(where: condition)
      return hidden(conclude(wait, end, where: condition), of: question, hide)
    }
  }

  private func begin(_ question: Question) -> Wait {
    stopAtTheEndOfTheTest()
    return Wait(question, in: journal, registry: waits) { [ledger] in
      question.verification.form.evaluation(
        in: QuestionSetting(origin: question.origin, ledger: ledger, location: question.location))
    }
  }

  private func conclude(_ wait: Wait, _ end: Wait.End, where condition: (TrackingEvent) -> Bool) -> QuestionResult {
    let (question, evaluation) = (wait.question, wait.evaluation)
    let state = evaluation.state
    let isGood = state == .met || state == .holding && end != .cancelled && end != .stopped
    log?.add(
      question, began: wait.scale.began, isGood: isGood, matched: evaluation.matched, looked: wait.next,
      where: condition)
    // Runs last: a failure of `nothingElse` is about the matches before it. A silent failure isn't reported, so it matches nothing.
    defer { if state.isGood || !question.isSilent { ledger.match(evaluation.matched, at: question.location) } }
    if isGood {
      if let bound = question.verification.form.bound { ledger.watch(Watch(wait, bound: bound)) }
      return QuestionResult(matched: evaluation.matched)
    }
    if end == .stopped, !question.isSilent {
      // By the stop that ended it.
      return QuestionResult(failure: unfinished(question), isReported: true)
    }
    if state == .open, end == .time, !question.isSilent { ledger.watch(Watch(late: wait)) }
    if let rule = question.verification.form.rule, !question.isSilent {
      ledger.report(evaluation.matched, against: rule)
    }
    let isCancelled = end == .cancelled && state != .broken
    let failure = failure(
      of: question, on: wait.scale,
      asked: isCancelled ? .untilCancelled : state == .broken ? .untilDecided : .waited(question.timeout),
      where: condition, evaluation.explanation)
    return QuestionResult(matched: evaluation.matched, failure: failure)
  }
}
