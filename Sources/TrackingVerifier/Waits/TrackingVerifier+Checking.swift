import Foundation
import TrackingModel
import TrackingPatterns
import TrackingChecks
import TrackingServer

// From a check to its result or failure.

/// A check that can be made, or the failure that says why it can't.
typealias ValidCheckCall = Result<CheckCall, InvalidCheck>

/// The result of a check.
struct FinishedCheck {
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
    _ check: TrackingCheck<CheckOutcome>, _ words: String? = nil, since mark: Mark?, _ timeout: TimeInterval?,
    _ location: CodeLocation,
    isSilent: Bool = false, isOfCheck: Bool = false
  ) -> ValidCheckCall {
    Result { () throws(InvalidCheck) in
      if let owner = endedTest {
        throw InvalidCheck(CheckFailure(kind: .misuse, message: Excerpt.wrapped(owner), location: location))
      }
      guard let origin = origin(mark) else { throw InvalidCheck(.foreignMark(at: location)) }
      var call = try asked(
        check, words, at: location, since: origin, timeout: timeout, usually: configuration.timeout,
        settling: configuration.settling ?? (server.lastEndpoint == nil ? 0.05 : 0.25))
      if let plan = call.check.plan { state.withLock { $0.plan.asked = plan } }
      (call.isSilent, call.isOfCheck) = (isSilent, isOfCheck)
      if !isSilent, let warning = warning(about: call) { reporter.warn(warning, at: location) }
      return call
    }
  }

  /// Makes the check, and reports a failure as its last action.
  func ask(_ call: ValidCheckCall) -> FinishedCheck {
    let result = answer(call)
    if let failure = result.failure, !result.isReported { fail(failure, isNoted: result.isNoted) }
    return result
  }

  /// Makes the check without blocking a thread, and reports a failure as its last action.
  func ask(
    _ call: ValidCheckCall, isolation: isolated (any Actor)? = #isolation
  ) async -> FinishedCheck {
    let result = await answer(call)
    if let failure = result.failure, !result.isReported { fail(failure, isNoted: result.isNoted) }
    return result
  }

  /// Asks, and reports nothing.
  func answer(_ call: ValidCheckCall) -> FinishedCheck {
    switch call {
    case .failure(let reason): return FinishedCheck(failure: reason.failure)
    case .success(let call):
      guard mayBlock else {
        return FinishedCheck(failure: .blockingInTask(at: call.location))
      }
      var wait = begin(call)
      let hide = show(call)
      let end = wait.run()
      return hidden(conclude(wait, end), of: call, hide)
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
    _ call: ValidCheckCall, isolation: isolated (any Actor)? = #isolation
  ) async -> FinishedCheck {
    switch call {
    case .failure(let reason): return FinishedCheck(failure: reason.failure)
    case .success(let call):
      var wait = begin(call)
      let hide = show(call)
      let end = await wait.run()
      return hidden(conclude(wait, end), of: call, hide)
    }
  }

  private func begin(_ call: CheckCall) -> Wait {
    use()
    // Nothing but the test's own tracker needs no server.
    let lacksServer = server.endpoint == nil && state.withLock { $0.life.hasFailedToStart && !$0.life.tracks }
    return Wait(
      run(of: call, from: .now), in: journal, registry: waits,
      senders: PossibleSenders(to: server, settling: call.settling, lacksServer: lacksServer)
    ) { [self] run in
      run.call.again(since: beginning).map { self.run(of: $0, from: run.scale.began) }
    }
  }

  private func conclude(_ wait: Wait, _ end: WaitEnd) -> FinishedCheck {
    let (run, call, now) = (wait.checkRun, wait.checkRun.call, ContinuousClock.now)
    let isGood = run.isGood(at: now, after: end)
    // Before the failure's text, during which entries may arrive that the wait hasn't seen.
    log?.add(run, isGood: isGood)
    let hasBlocked = !isGood && wait.hasBlockedMainActor
    let answer = conclude(run, end, at: now, hasBlockedMainActor: hasBlocked) { self.unfinished($0) }
    // The `stop()` that ended it reports it.
    let isReported = end == .stopped && !call.isSilent
    return FinishedCheck(
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
