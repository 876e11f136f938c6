import Foundation
import TrackingPatterns
import TrackingChecks
import TrackingRules
import TrackingServer

/// The state of a verifier between its start and its stop.
struct LifeState: Sendable {
  /// Only what arrives after it counts.
  var beginning: JournalMark
  var start: CodeLocation?
  /// Whether the last call was `stop()`.
  var isStopped = false
  /// Whether the server has been started, or a first use no longer starts it.
  var hasBegun = false
  /// Whether the last start has failed.
  var hasFailedToStart = false
  /// Whether the test has used its `tracker`.
  var tracks = false
  /// Whether the end of the test will stop it.
  var stopsAtTheEnd = false
  /// Whether the end of the test has stopped it.
  var isStoppedForGood = false
  /// Whether a call that doesn't wait has reported that the verifier was first used during teardown.
  var saidThatItIsTooLate = false
  /// The place up to which the checks of `stop()` have looked.
  var checked: JournalMark?
  /// The number of refused submissions that have been reported.
  var reportedAsFull = 0
  /// The number of requests that were not kept and have been reported.
  var reportedAsUnkept = 0
  /// Failures from before a reset, which `stop()` reports.
  var heldFailures: [CheckFailure] = []
}

extension TrackingVerifier {
  /// Starts the server and returns when it listens; it is stopped at the end of the test.
  ///
  /// Optional: the first use of ``launchEnvironment``, ``launchArguments``, ``endpoint`` or ``baseURL`` starts the server. Call it to choose the line at
  /// which a fixed port, a recording or a plan that can't be used fails the test, or to start a stopped server again.
  ///
  /// Calling it again does nothing. A server that can't start fails the test with the cause.
  public func start(
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    start(at: CodeLocation(fileID: fileID, file: file, line: line, column: column))
  }

  /// Starts the server if this is the verifier's first use, and reports where the verifier was made.
  ///
  /// After a stop only `start()` starts the server again.
  func startAtFirstUse() {
    guard !state.withLock(\.life.hasBegun) else { return }
    start(at: location, isFirstUse: true)
  }

  func start(at location: CodeLocation, isFirstUse: Bool = false) {
    // In `tearDown()` the test has stopped its verifier for good, and XCTest hasn't noted its end yet.
    let isOver = testCase != nil && state.withLock(\.life.isStoppedForGood)
    if let owner = endedTest ?? (isOver ? hasEndedSentence : nil) {
      // Said here, so not by the call that follows, too.
      state.withLock { state in (state.life.hasBegun, state.life.saidThatItIsTooLate) = (true, true) }
      report(.notStarted, "\(owner)\nIts server does not start.", at: location)
      return
    }
    if let host, !host.mayStartServer() { return }
    // One thread at a time, so that a first use on another thread returns when the server listens.
    let problem = starting.withLock { _ in recordingProblem(at: location) ?? serverProblem(at: location) }
    if let problem {
      let isNews = state.withLock { state in
        state.life.hasBegun = true
        return !exchange(&state.life.hasFailedToStart, with: true)
      }
      if isNews || !isFirstUse { report(problem) }
      return
    }
    state.withLock { state in
      state.life.hasBegun = true
      state.life.start = location
      state.life.isStopped = false
      state.life.hasFailedToStart = false
    }
    openInspectorIfWanted()
    stopAtTheEndOfTheTest()
    // Before the first event, so that an unreadable plan fails the test at its start.
    if let problem = planProblem(at: location) { report(problem) }
  }

  /// Starts the server.
  ///
  /// - Returns: The failure; `nil` if it listens.
  private func serverProblem(at location: CodeLocation) -> CheckFailure? {
    do throws(TrackingServerError) {
      try server.start()
      return nil
    } catch {
      return CheckFailure(.notStarted, "The tracking verifier could not start: \(error)", at: location)
    }
  }

  /// Stops the server, returns when its thread and sockets are gone, and reports the failures that no wait has reported; the journal stays.
  ///
  /// It reports, each once:
  /// - at the line of a wait that is still open, that the test ended before it; the wait returns;
  /// - at the line of a wait or an expectation, extras beyond its upper bound, and a match that arrived after the deadline;
  /// - at the line of `start()`, or where the verifier was made, the failures of ``Configuration/checksAtStop``, except what a wait has reported.
  ///
  /// Called at the end of the test at the latest, also for a verifier that was never started.
  public func stop() { stop(endsPrograms: false) }

  /// Stops at the end of the test, and terminates the programs that were launched with its address.
  package func stopForGood() { stop(endsPrograms: true) }

  private func stop(endsPrograms: Bool) {
    let early = finishInspection()
    // At the end of the test, a later first use says that the test has ended.
    state.withLock { state in if endsPrograms { state.life.isStoppedForGood = true } else { state.life.hasBegun = true }
    }
    explainMissingPage()
    if ownsServer {
      server.stop()
      state.withLock { $0.life.isStopped = true }
    }
    if endsPrograms { endPrograms() }
    let unfinished = waits.endAll().filter { !$0.isSilent }.map { CheckFailure.unfinished($0, in: testName) }
    let (expectations, warnings, waitEnds) = board.close()
    for (kept, next) in waitEnds { log?.end(expectation: kept, before: next) }
    // A shared server continues without this verifier's stubs.
    if !ownsServer { server.stubs.removeAll(of: stubOwner) }
    let late =
      unfinished + unfulfilled(expectations) + findingsAtStop(hasFailed: !unfinished.isEmpty)
    for failure in late { note(failure) }
    let failures = early + late + finishRecording(hasFailed: !(early + late).isEmpty)
    keepObservations()
    for warning in takeWarnings() + warnings { reporter.warn(warning.text, at: warning.location) }
    guard !failures.isEmpty || configuration.keepsJournal == .always else { return }
    let places = keepJournal()
    // Last, because the first report may leave the test.
    for failure in failures { report(failure.adding(places)) }
  }

  /// Discards everything received so far; later checks ignore it, and later responses to its requests.
  ///
  /// An open wait or expectation begins again, but its timeout doesn't.
  /// Stubs stay: ``resetStubs()`` removes them. A recorded backend starts again. Senders keep their connections.
  public func reset() {
    useSharedServer()
    log?.reset(since: beginning)
    ledger.reset()
    let held = takeStubProblems()
    let mark = (ownsServer ? journal.removeAll() : journal.mark()).withoutEarlierRequests
    state.withLock { state in
      state.life.beginning = mark
      state.life.reportedAsFull = 0
      state.life.reportedAsUnkept = 0
      state.life.heldFailures += held
    }
    for run in board.beginAgain(since: mark) { ledger.edit { $0.keep(run) } }
    state.withLock(\.stubs.backend)?.reset()
  }

  /// Terminates the programs that this test has launched, but not those that were launched for several tests, before this one began.
  private func endPrograms() {
    // On a server that tests of Swift Testing share, a test that runs at the same time may have launched them.
    guard ownsServer || testCase != nil else { return }
    let began = (testCase?.attempt ?? host?.attempt).map { Date(timeIntervalSince1970: Double($0.began) / 1_000_000) }
    for program in server.launchedPrograms(since: began ?? .distantPast) { program.terminate(with: testName) }
  }

  /// The first step of a call that may be the verifier's first use: lets the end of the test stop the verifier.
  ///
  /// On a server that outlives the test it does everything that `start()` does; otherwise a test without a wait would check nothing.
  ///
  /// - Parameter line: The line of the call; `nil` for that of the verifier.
  func use(at line: CodeLocation? = nil) {
    if !ownsServer { startAtFirstUse() }
    // Also after a start that failed, or after an earlier stop.
    stopAtTheEndOfTheTest(at: line)
  }

  /// The first step of a call that only reads.
  func useSharedServer() {
    if !ownsServer { startAtFirstUse() }
  }

  /// Registers `stop()` as a teardown block, once; fails a test whose teardown has begun.
  ///
  /// - Parameter line: The line of the call; `nil` for that of the verifier.
  private func stopAtTheEndOfTheTest(at line: CodeLocation? = nil) {
    // A test case that has ended, or whose teardown has begun, takes no more blocks: XCTest would end the process.
    guard let testCase, !testCase.hasEnded else { return }
    if isTooLate {
      let isNews = state.withLock { !exchange(&$0.life.saidThatItIsTooLate, with: true) }
      if isNews, let problem = endedTest { report(.misuse, problem, at: line ?? location) }
      return
    }
    guard state.withLock({ !exchange(&$0.life.stopsAtTheEnd, with: true) }) else { return }
    // Strongly: it is stopped even if the test holds it no longer.
    testCase.value?.addTeardownBlock {
      Self.tornDown.withLock { $0 = testCase.attempt }
      self.stopForGood()
    }
  }

  /// The last execution in whose teardown a verifier was stopped.
  ///
  /// One is enough: XCTest runs one test at a time in a process.
  private static let tornDown = Locked<TestAttempt?>(nil)

  /// Whether this verifier was not used before the teardown of its test began.
  private var isTooLate: Bool {
    guard !state.withLock(\.life.stopsAtTheEnd), let testCase, let attempt = testCase.attempt else { return false }
    return Self.tornDown.withLock { $0 == attempt } || testCase.hasTakenTeardownBlocks
  }

  /// The reason for which the verifier can't be used: its test ends or has ended, or it belongs to none; `nil` while its test runs.
  var endedTest: String? {
    if let misuse { return misuse.taken() }
    if isTooLate, let testName {
      return """
        This verifier was first used during the teardown of \(testName), too late to be stopped automatically
        XCTest takes no more teardown blocks then. Use the verifier first in setUp() or in the test.
        """
    }
    guard testCase?.hasEnded ?? host?.hasEnded ?? false else { return nil }
    return hasEndedSentence
  }

  private var hasEndedSentence: String? {
    testName.map {
      """
      This verifier belongs to the test \($0), which has ended
      Make a verifier for each test, and await its tasks before the test returns.
      """
    }
  }
}

// MARK: - Reports of a stop

extension TrackingVerifier {
  /// The unreported failures, most severe first.
  ///
  /// - Parameter hasFailed: Whether `stop()` has found other failures.
  func findingsAtStop(hasFailed: Bool = false) -> [CheckFailure] {
    // A pattern that stops the verifier must not be run again by that stop.
    guard !Self.checking.contains(ObjectIdentifier(self)) else { return [] }
    return Self.$checking.withValue(Self.checking.union([ObjectIdentifier(self)])) {
      let (unchecked, end) = takeUnchecked()
      let isFull = fullJournal()
      let held = state.withLock { exchange(&$0.life.heldFailures, with: []) }
      let late = ledger.takeFindings().map { LateReport($0).failure }
      let plan = planProblem(at: startLocation).map { [$0] } ?? []
      let checks = configuration.checksAtStop.flatMap { check in
        if check.form.scope == .stubs { return takeUnusedStubFailures() }
        return [failure(of: check, since: unchecked, until: end, isFull: isFull != nil)].compactMap(\.self)
      }
      let failures = (isFull.map { [$0] } ?? []) + plan + held + takeStubProblems() + late + checks
      let hasFailed = hasFailed || !failures.isEmpty || self.hasFailed || state.withLock(\.record.hasFailures)
      let mutants = mutationReport(since: unchecked, hasFailed: hasFailed)
      if let observation = observe(since: unchecked, mutants: mutants, hasFailed: hasFailed) {
        state.withLock { $0.plan.observations.append(observation) }
      }
      return failures
    }
  }

  /// The failures of unfulfilled expectations with the received entries, which XCTest's own failure doesn't list.
  ///
  /// Only for a test that has failed, because whether an expectation was waited for is unknown.
  private func unfulfilled(_ checks: [CheckCall]) -> [CheckFailure] {
    guard hasFailed else { return [] }
    return checks.map {
      report(ledger.glance(at: $0, asOf: .until(.now, since: journal.entries(since: $0.origin))), .unfulfilled).failure
    }
  }

  private func fullJournal() -> CheckFailure? {
    let (submissions, requests) = takeOverflow()
    let parts = [
      Self.words(submissions, "submission", "refused"), Self.words(requests, "request", "not kept"),
    ]
    guard submissions + requests > 0 else { return nil }
    return CheckFailure(
      .journalFull, "\(parts.compactMap(\.self).joined(separator: ", ")): \(journal.fullReason)", at: startLocation)
  }

  /// `1 submission was refused`; `nil` for none.
  private static func words(_ count: Int, _ noun: String, _ verb: String) -> String? {
    count == 0 ? nil : "\(count.counted(noun)) \(count == 1 ? "was" : "were") \(verb)"
  }

  /// The failure of a check that `stop()` makes of everything received between two marks.
  ///
  /// A full journal has been reported, and explains rejected and lost submissions.
  private func failure(
    of check: TrackingCheck<CheckOutcome>, since mark: JournalMark, until end: JournalMark, isFull: Bool
  ) -> CheckFailure? {
    if isFull, check.form.scope == .delivery { return nil }
    let run: CheckRun
    do throws(InvalidCheck) {
      run = try self.check(check, at: startLocation, since: mark, until: end, asOf: .now)
    } catch {
      // Without a plan the check is silent; one that can't be used has been reported.
      return error.failure.kind == .unusablePlan ? nil : error.failure
    }
    let warnings = [run.evaluation.warning(on: run.scale), warning(about: run.call)].compactMap(\.self)
    if !warnings.isEmpty {
      let location = startLocation
      state.withLock { $0.warnings += warnings.map { (text: $0, location: location) } }
    }
    guard !run.evaluation.state.isGood else {
      log?.add(atStop: run.call)
      return nil
    }
    return report(run, .testEnded).failure
  }
}
