import Foundation
import TrackingPatterns
import TrackingChecks
import TrackingRules
import TrackingServer

/// A verifier's state between its start and its stop.
struct LifeState: Sendable {
  /// Earlier entries don't count.
  var beginning: JournalMark
  var start: CodeLocation?
  var isStopped = false
  /// Whether the server has started, or a first use no longer starts it.
  var hasBegun = false
  var hasFailedToStart = false
  var tracks = false
  /// Whether a teardown block will stop the verifier.
  var stopsAtTheEnd = false
  /// Whether the end of the test has stopped the verifier.
  var isStoppedForGood = false
  /// Whether a call that doesn't wait has reported that the verifier was first used during teardown.
  var saidThatItIsTooLate = false
  /// The end of the last `stop()`'s checks.
  var checked: JournalMark?
  var reportedAsFull = 0
  var reportedAsUnkept = 0
  /// Whether `reset()` has discarded entries.
  var hasDiscarded = false
  var heldFailures: [CheckFailure] = []
}

extension TrackingVerifier {
  /// Starts the server and returns when it listens; the end of the test stops it.
  ///
  /// Optional: the first use of ``launchEnvironment``, ``launchArguments``, ``endpoint`` or ``baseURL`` starts the server. Call this method to choose
  /// the line where an unusable port, recording or plan fails the test, or to restart a stopped server.
  ///
  /// If the server is running, does nothing. If it can't start, the test fails with the cause.
  public func start(
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    start(at: CodeLocation(fileID: fileID, file: file, line: line, column: column))
  }

  /// Starts the server if this is the verifier's first use; failures are reported where the verifier was created.
  func startAtFirstUse() {
    guard !state.withLock(\.life.hasBegun) else { return }
    start(at: location, isFirstUse: true)
  }

  func start(at location: CodeLocation, isFirstUse: Bool = false) {
    // During `tearDown()`, the verifier may have been stopped for good, but XCTest hasn't set the end date yet.
    let isOver = testCase != nil && state.withLock(\.life.isStoppedForGood)
    if let owner = endedTest ?? (isOver ? hasEndedSentence : nil) {
      // Reported here, so the following call doesn't report it again.
      state.withLock { state in (state.life.hasBegun, state.life.saidThatItIsTooLate) = (true, true) }
      report(.notStarted, "\(owner)\nIts server does not start.", at: location)
      return
    }
    if let host, !host.mayStartServer() { return }
    // One thread at a time, so that a first use on another thread returns when the server listens.
    let problem = starting.withLock { recordingProblem(at: location) ?? serverProblem(at: location) }
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

  private func serverProblem(at location: CodeLocation) -> CheckFailure? {
    do throws(TrackingServerError) {
      try server.start()
      return nil
    } catch {
      return CheckFailure(.notStarted, "The tracking verifier could not start: \(error)", at: location)
    }
  }

  /// Stops the server, returns when its thread and sockets are gone, and reports new failures; the journal stays.
  ///
  /// It reports, each once:
  /// - at the line of an open wait, that the test ended first; the wait returns;
  /// - at the line of a wait or an expectation, extras beyond its upper bound, and a match that arrived after the deadline;
  /// - at the line of `start()`, or where the verifier was created, the failures of ``Configuration/checksAtStop`` that no wait has reported.
  ///
  /// The end of the test calls it, even for a verifier that was never started.
  public func stop() { stop(endsPrograms: false) }

  /// Stops at the end of the test, and terminates the programs launched with the verifier's address.
  package func stopForGood() { stop(endsPrograms: true) }

  private func stop(endsPrograms: Bool) {
    let early = finishInspection()
    // After the end of the test, a first use reports that the test has ended.
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

  /// Discards all received entries; later checks ignore them, and later responses to their requests.
  ///
  /// Open waits and expectations start over, but their timeouts don't. Stubs stay; ``resetStubs()`` removes them. A recorded backend starts over.
  /// Senders keep their connections.
  public func reset() {
    useSharedServer()
    log?.reset(since: beginning)
    ledger.reset()
    let held = takeStubProblems()
    let discards = journal.mark().entry > beginning.entry
    let mark = (ownsServer ? journal.removeAll() : journal.mark()).withoutEarlierRequests
    state.withLock { state in
      state.life.beginning = mark
      state.life.hasDiscarded = state.life.hasDiscarded || discards
      state.life.reportedAsFull = 0
      state.life.reportedAsUnkept = 0
      state.life.heldFailures += held
    }
    for run in board.beginAgain(since: mark) { ledger.edit { $0.keep(run) } }
    state.withLock(\.stubs.backend)?.reset()
  }

  /// Terminates the programs that this test launched, but not those launched for several tests before this one began.
  private func endPrograms() {
    // On a server shared by Swift Testing tests, a concurrent test may have launched them.
    guard ownsServer || testCase != nil else { return }
    let began = (testCase?.attempt ?? host?.attempt).map { Date(timeIntervalSince1970: Double($0.began) / 1_000_000) }
    for program in server.launchedPrograms(since: began ?? .distantPast) { program.terminate(with: testName) }
  }

  /// The first step of a call that may be the verifier's first use: registers `stop()` as a teardown block.
  ///
  /// On a server that outlives the test, it also does what `start()` does; otherwise, a test without a wait would check nothing.
  ///
  /// - Parameter line: `nil` for the line that created the verifier.
  func use(at line: CodeLocation? = nil) {
    if !ownsServer { startAtFirstUse() }
    // Even after a failed start or an earlier `stop()`.
    stopAtTheEndOfTheTest(at: line)
  }

  /// The first step of a read-only call.
  func useSharedServer() {
    if !ownsServer { startAtFirstUse() }
  }

  /// Registers `stop()` as a teardown block, once; fails a test whose teardown has begun.
  private func stopAtTheEndOfTheTest(at line: CodeLocation? = nil) {
    // XCTest would end the process if a test case that has ended, or whose teardown has begun, got another block.
    guard let testCase, !testCase.hasEnded else { return }
    if isTooLate {
      let isNews = state.withLock { !exchange(&$0.life.saidThatItIsTooLate, with: true) }
      if isNews, let problem = endedTest { report(.misuse, problem, at: line ?? location) }
      return
    }
    guard state.withLock({ !exchange(&$0.life.stopsAtTheEnd, with: true) }) else { return }
    // Strongly: stops the verifier even if the test no longer holds it.
    testCase.value?.addTeardownBlock {
      Self.tornDown.withLock { $0 = testCase.attempt }
      self.stopForGood()
    }
  }

  /// The last test run in whose teardown a verifier was stopped; XCTest runs one test at a time in a process.
  private static let tornDown = Locked<TestAttempt?>(nil)

  private var isTooLate: Bool {
    guard !state.withLock(\.life.stopsAtTheEnd), let testCase, let attempt = testCase.attempt else { return false }
    return Self.tornDown.withLock { $0 == attempt } || testCase.hasTakenTeardownBlocks
  }

  /// The reason why the verifier can't be used: its test is ending or has ended, or it belongs to no test.
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

// MARK: - Failures at the end

extension TrackingVerifier {
  /// The unreported failures, most severe first.
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
        if check.kind.scope == .stubs { return takeUnusedStubFailures() }
        return [failure(of: check, since: unchecked, until: end, isFull: isFull != nil)].compactMap(\.self)
      }
      let failures = (isFull.map { [$0] } ?? []) + plan + held + takeStubProblems() + late + checks
      let hasFailed = hasFailed || !failures.isEmpty || self.hasFailed || state.withLock(\.record.hasFailures)
      if hasFailed { warnOfUnmatchedRequests(since: unchecked, until: end) }
      let mutants = mutationReport(since: unchecked, hasFailed: hasFailed)
      if let observation = observe(since: unchecked, mutants: mutants, hasFailed: hasFailed) {
        state.withLock { $0.plan.observations.append(observation) }
      }
      return failures
    }
  }

  /// Adds a warning about requests without a stub that no failure has listed: code under test that threw because of them doesn't name them.
  private func warnOfUnmatchedRequests(since mark: JournalMark, until end: JournalMark) {
    let requests = journal.requests(since: mark).filter { $0.isUnmatched && $0.number < end.entry }
    let new = ledger.value.problems.new(requests)
    guard !new.isEmpty else { return }
    ledger.edit { $0.problems.add([], new, []) }
    let warning = (text: UnmatchedList.warning(about: new), location: startLocation)
    state.withLock { $0.warnings.append(warning) }
  }

  /// Returns failures of unfulfilled expectations with the received entries, which XCTest's own failures lack.
  ///
  /// Only for a failed test: whether XCTest waited for an expectation is unknown.
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

  /// `1 submission was refused`; `nil` if the count is 0.
  private static func words(_ count: Int, _ noun: String, _ verb: String) -> String? {
    count == 0 ? nil : "\(count.counted(noun)) \(count == 1 ? "was" : "were") \(verb)"
  }

  /// Runs a check of `stop()` on everything received between two marks, and returns its failure.
  ///
  /// A full journal, already reported, explains rejected and lost submissions.
  private func failure(
    of check: TrackingCheck<CheckOutcome>, since mark: JournalMark, until end: JournalMark, isFull: Bool
  ) -> CheckFailure? {
    if isFull, check.kind.scope == .delivery { return nil }
    let run: CheckRun
    do throws(InvalidCheck) {
      run = try self.check(check, at: startLocation, since: mark, until: end, asOf: .now)
    } catch {
      // Without a plan, the check is silent; an unusable plan has been reported.
      return error.failure.kind == .unusablePlan ? nil : error.failure
    }
    let warnings = [run.check.warning(on: run.scale), warning(about: run.call)].compactMap(\.self)
    if !warnings.isEmpty {
      let location = startLocation
      state.withLock { $0.warnings += warnings.map { (text: $0, location: location) } }
    }
    guard !run.checkState.isGood else {
      log?.add(atStop: run.call)
      return nil
    }
    return report(run, .testEnded).failure
  }
}
