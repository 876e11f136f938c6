import Foundation
import TrackingModel
import TrackingPatterns
import TrackingChecks
import TrackingServer

extension TrackingVerifier {
  func check(
    _ check: TrackingCheck<CheckOutcome>, since mark: Mark?, _ timeout: TimeInterval?,
    at location: CodeLocation
  ) -> CheckOutcome {
    let finished = run(check, since: mark, timeout, at: location)
    if let failure = finished.unreported { report(noted: failure) }
    return finished.outcome
  }

  func check(
    _ check: TrackingCheck<CheckOutcome>, since mark: Mark?, _ timeout: TimeInterval?,
    at location: CodeLocation, isolation: isolated (any Actor)? = #isolation
  ) async -> CheckOutcome {
    let finished = await run(check, since: mark, timeout, at: location)
    if let failure = finished.unreported { report(noted: failure) }
    return finished.outcome
  }

  /// Runs a check, and notes its failure for the caller to report.
  func run(
    _ check: TrackingCheck<CheckOutcome>, since mark: Mark?, _ timeout: TimeInterval?,
    at location: CodeLocation, isSilent: Bool = false, isInternal: Bool = false
  ) -> CheckResult {
    do throws(InvalidCheck) {
      let call = try call(
        check, since: mark, timeout, at: location, isSilent: isSilent, isInternal: isInternal)
      guard mayBlock else { throw InvalidCheck(.blockingInTask(at: location)) }
      var wait = begin(call)
      let hide = show(call)
      let end = wait.run()
      return finish(wait, end, hide)
    } catch {
      if !isSilent { note(error.failure) }
      return CheckResult(error)
    }
  }

  /// Runs a check without blocking a thread, and notes its failure for the caller to report.
  func run(
    _ check: TrackingCheck<CheckOutcome>, since mark: Mark?, _ timeout: TimeInterval?,
    at location: CodeLocation, isSilent: Bool = false, isInternal: Bool = false,
    isolation: isolated (any Actor)? = #isolation
  ) async -> CheckResult {
    do throws(InvalidCheck) {
      let call = try call(
        check, since: mark, timeout, at: location, isSilent: isSilent, isInternal: isInternal)
      var wait = begin(call)
      let hide = show(call)
      let end = await wait.run()
      return finish(wait, end, hide)
    } catch {
      if !isSilent { note(error.failure) }
      return CheckResult(error)
    }
  }

  func call(
    _ check: TrackingCheck<CheckOutcome>, since mark: Mark?, _ timeout: TimeInterval?,
    at location: CodeLocation, isSilent: Bool = false, isInternal: Bool = false
  ) throws(InvalidCheck) -> CheckCall {
    if let owner = endedTest {
      throw InvalidCheck(CheckFailure(.misuse, owner, at: location))
    }
    guard let origin = origin(mark) else { throw InvalidCheck(.foreignMark(at: location)) }
    var call = try call(
      check, at: location, since: origin, timeout: timeout, usually: configuration.timeout,
      settling: configuration.settling ?? (server.lastEndpoint == nil ? 0.05 : 0.25))
    if let plan = call.check.plan { state.withLock { $0.plan.checked = plan } }
    (call.isSilent, call.isInternal) = (isSilent, isInternal)
    if !isSilent, let warning = warning(about: call) { reporter.warn(warning, at: location) }
    return call
  }

  /// Whether this thread may be blocked: no task runs on it, or a task of a synchronous test on the main thread.
  ///
  /// In an asynchronous test, a blocking wait on the main thread would keep the main actor from running anything else, such as a view model's task.
  private var mayBlock: Bool {
    withUnsafeCurrentTask { $0 == nil } || Thread.isMainThread && testCase?.mayRunSynchronouslyInTask == true
  }

  private func begin(_ call: CheckCall) -> Wait {
    use()
    // The test's own `tracker` needs no server.
    let lacksServer = server.endpoint == nil && state.withLock { $0.life.hasFailedToStart && !$0.life.tracks }
    return Wait(
      run(of: call, from: .now), in: journal, registry: waits,
      senders: RunningSenders(
        to: server, settling: call.settling, arrivalTime: configuration.arrivalTime, lacksServer: lacksServer)
    ) { [self] run in
      run.call.again(since: beginning).map { self.run(of: $0, from: run.scale.began) }
    }
  }

  /// - Parameter hide: Stops showing the check in the inspector; `nil` if it isn't shown.
  private func finish(_ wait: Wait, _ end: CheckEnd, _ hide: Hide?) -> CheckResult {
    let (run, now) = (wait.checkRun, ContinuousClock.now)
    let passes = run.passes(at: now, after: end)
    // Before the failure is written, because entries that the wait hasn't seen may arrive meanwhile.
    log?.add(run, passed: passes)
    let hasBlocked = !passes && wait.hasBlockedMainActor
    let finished = finish(run, end, at: now, hasBlockedMainActor: hasBlocked)
    note(finished.unreported, hiding: hide)
    return finished
  }
}

extension CheckFailure {
  static func foreignMark(at location: CodeLocation) -> CheckFailure {
    CheckFailure(
      .misuse, "This mark comes from a verifier with another server. Create it with the verifier you wait on.",
      at: location)
  }

  static func blockingInTask(at location: CodeLocation) -> CheckFailure {
    CheckFailure(
      .misuse,
      """
      A blocking wait was called inside a task, where it would block a thread of Swift's concurrency pool
      Make the function that calls it `async` and write `await`.
      """, at: location)
  }
}
