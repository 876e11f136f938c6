import Foundation
import TrackingModel
import TrackingPatterns
import TrackingServer

// How all waits ask. Only what waits has two forms, one that blocks and one that suspends.

/// What became of a question.
struct Answer {
  /// The events that answer it, or that break it.
  var events: [RecordedEvent] = []
  var failure: VerificationFailure?

  var outcome: Verification.Outcome {
    Verification.Outcome(events: events.map(\.event), failure: failure)
  }
}

extension TrackingVerifier {
  /// Asks, and reports a failure as the last thing that it does.
  func ask(_ question: AskableQuestion) -> Answer {
    let answer = answer(question)
    if let failure = answer.failure { fail(failure) }
    return answer
  }

  /// The same without blocking a thread.
  func ask(_ question: AskableQuestion, isolation: isolated (any Actor)? = #isolation) async -> Answer {
    let answer = await answer(question)
    if let failure = answer.failure { fail(failure) }
    return answer
  }

  /// Asks, and reports nothing.
  func answer(_ question: AskableQuestion) -> Answer {
    switch question.flatMap(unlessInTask) {
    case .failure(let reason): return Answer(failure: reason.failure)
    case .success(let question):
      let hide = show(question)
      defer { hide?() }
      var (wait, run) = begin(question)
      let end = wait.run({ run.take($0) }, until: { run.end() })
      return conclude(question, wait, run, end)
    }
  }

  /// The same without blocking a thread.
  func answer(_ question: AskableQuestion, isolation: isolated (any Actor)? = #isolation) async -> Answer {
    switch question {
    case .failure(let reason): return Answer(failure: reason.failure)
    case .success(let question):
      let hide = show(question)
      defer { hide?() }
      var (wait, run) = begin(question)
      let end = await wait.run({ run.take($0) }, until: { run.end() })
      return conclude(question, wait, run, end)
    }
  }

  /// Asks for a typed event with a closure, which is not kept.
  func ask<Typed>(_ question: AskableQuestion, _ judge: (TrackingEvent) -> Judgement<Typed>) -> Typed? {
    switch question.flatMap(unlessInTask) {
    case .failure(let reason):
      fail(reason.failure)
      return nil
    case .success(let question):
      let hide = show(question)
      defer { hide?() }
      var wait = EventWait(journal: journal, from: question.origin.entry, timeout: question.timeout)
      var found: (typed: Typed, event: RecordedEvent)?
      let deadline = wait.scale.deadline
      let end = wait.run({ Self.take($0, judge, &found) }, until: { deadline })
      return conclude(question, wait, found, end, judge)
    }
  }

  /// The same without blocking a thread.
  func ask<Typed>(
    _ question: AskableQuestion, isolation: isolated (any Actor)? = #isolation,
    _ judge: (TrackingEvent) -> Judgement<Typed>
  ) async -> Typed? {
    switch question {
    case .failure(let reason):
      fail(reason.failure)
      return nil
    case .success(let question):
      let hide = show(question)
      defer { hide?() }
      var wait = EventWait(journal: journal, from: question.origin.entry, timeout: question.timeout)
      var found: (typed: Typed, event: RecordedEvent)?
      let deadline = wait.scale.deadline
      let end = await wait.run({ Self.take($0, judge, &found) }, until: { deadline })
      return conclude(question, wait, found, end, judge)
    }
  }

  /// A question for a wait that blocks, which may not begin inside of a task.
  private func unlessInTask(_ question: Question) -> AskableQuestion {
    if withUnsafeCurrentTask(body: { $0 == nil }) { return .success(question) }
    return .failure(UnaskableQuestion(failure: .blockingInTask(at: question.location)))
  }
}

// MARK: - The steps that do not wait

extension TrackingVerifier {
  private func begin(_ question: Question) -> (EventWait, VerificationRun) {
    stopAtTheEndOfTheTest()
    let wait = EventWait(journal: journal, from: question.origin.entry, timeout: question.timeout)
    let evaluation = question.verification.evaluation(since: question.origin, isClaimed: claims.isClaimed)
    let run = VerificationRun(evaluation, in: journal, on: wait.scale, settling: .clamping(seconds: question.settling))
    return (wait, run)
  }

  private func conclude(
    _ question: Question, _ wait: EventWait, _ run: VerificationRun, _ end: WaitEnd
  ) -> Answer {
    var evaluation = run.evaluation
    evaluation.look(at: journal)
    let standing = evaluation.standing
    // Last: what was not claimed until now is what a failure of `nothingElse` is about. Nobody was told of a silent failure, so it claims nothing.
    defer { if standing.isGood || !question.isSilent { claims.claim(evaluation.claimed) } }
    if standing == .met || standing == .holding && end != .cancelled {
      if let bound = question.verification.bound {
        claims.watch(
          BoundWatch(
            question, began: wait.scale.began, bound, counted: evaluation.claimed.count, nextEvent: wait.next))
      }
      return Answer(events: evaluation.claimed)
    }
    if standing == .open, end == .time, !question.isSilent {
      claims.watch(LateWatch(question, wait.scale, evaluation, nextEvent: wait.next))
    }
    let isCancelled = end == .cancelled && standing != .broken
    let failure = failure(
      of: question, on: wait.scale,
      asked: isCancelled ? .untilCancelled : standing == .broken ? .untilDecided : .waited(question.timeout),
      evaluation.explanation)
    return Answer(events: evaluation.claimed, failure: failure)
  }

  private static func take<Typed>(
    _ recorded: RecordedEvent, _ judge: (TrackingEvent) -> Judgement<Typed>,
    _ found: inout (typed: Typed, event: RecordedEvent)?
  ) -> Bool {
    guard case .answer(let typed) = judge(recorded.event) else { return false }
    found = (typed, recorded)
    return true
  }

  private func conclude<Typed>(
    _ question: Question, _ wait: EventWait, _ found: (typed: Typed, event: RecordedEvent)?, _ end: WaitEnd,
    _ judge: (TrackingEvent) -> Judgement<Typed>
  ) -> Typed? {
    stopAtTheEndOfTheTest()
    if let (typed, event) = found {
      claims.claim([event])
      return typed
    }
    if end == .time {
      let evaluation = question.verification.evaluation(since: question.origin, isClaimed: claims.isClaimed)
      claims.watch(LateWatch(question, wait.scale, evaluation, nextEvent: wait.next))
    }
    fail(
      failure(
        of: question, on: wait.scale, asked: end == .cancelled ? .untilCancelled : .waited(question.timeout),
        explaining: { judge($1).mismatch }
      ) { events, _ in
        Explanation(
          kind: .tooFew, result: ResultText.came([], of: events.count),
          missing: question.verification.singlePattern.map { [("", $0)] } ?? [])
      })
    return nil
  }
}
