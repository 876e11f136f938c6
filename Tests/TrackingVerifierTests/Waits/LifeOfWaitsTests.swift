import TestSupport
import TrackingSockets

@testable import TrackingServer
@testable import TrackingVerifier

/// Waits and the verifier's life: stops under way, verifiers that outlive their tests, patterns that use the verifier, many waits at once.
final class LifeOfWaitsTests: XCTestCase {
  private let reporter = RecordingReporter()
  private lazy var verifier = TrackingVerifier(
    with: self, configuration: .init(timeout: 0, settling: 0, reporter: reporter))

  func testAStopEndsAnOpenWaitAndReportsItOnce() async {
    let (wait, line) = (Task { [verifier] in await verifier.wait(for: .named("a"), timeout: 600) }, #line as UInt)
    while verifier.waits.count == 0 { await Task.yield() }
    verifier.stop()
    let event = await wait.value
    XCTAssertNil(event)
    XCTAssertEqual(reporter.kinds, [.unfinished])
    XCTAssertEqual(reporter.lines, [line])
    assertText(
      reporter.messages[0].timeless,
      """
      The test LifeOfWaitsTests.testAStopEndsAnOpenWaitAndReportsItOnce ended while it waited for an event named "a"
      Await that task before the test returns.
      """)
  }

  func testACheckThatStopEndsDoesNotPass() async {
    let wait = Task { [verifier] in await verifier.wait(for: .inOrder([.named("a"), .named("b")]), timeout: 600) }
    while verifier.waits.count == 0 { await Task.yield() }
    verifier.stop()
    let outcome = await wait.value
    XCTAssertEqual(outcome.failure?.kind, .unfinished)
    XCTAssertEqual(reporter.kinds, [.unfinished])
  }

  func testAStopEndsABlockingWait() {
    let ended = expectation(description: "the wait has returned")
    let verifier = verifier
    Thread.detachNewThread {
      verifier.wait(for: .request(.get, "/books"), timeout: 600)
      ended.fulfill()
    }
    while verifier.waits.count == 0 { Thread.sleep(forTimeInterval: 0.001) }
    verifier.stop()
    wait(for: [ended], timeout: 30)
    XCTAssertEqual(reporter.kinds, [.unfinished])
  }

  private func numbered(_ number: Int) -> TrackingEvent { TrackingEvent(name: "a", params: ["number": .int(number)]) }

  /// A pattern for events with a number, which counts the events that it is compared with.
  private func numbered(_ seen: Locked<Int>) -> EntryPattern {
    .satisfying("numbered") { (event: TrackingEvent) in
      seen.withLock { $0 += 1 }
      return event.params["number"] != nil
    }
  }

  func testAnOpenWaitBeginsAgainAtAReset() async {
    let seen = Locked(0)
    let check = TrackingCheck<CheckOutcome>.count(2, of: numbered(seen))
    let wait = Task { [verifier] in await verifier.wait(for: check, timeout: 60) }
    verifier.tracker.trackEvent(numbered(1))
    while seen.withLock({ $0 }) == 0 { await Task.yield() }
    verifier.reset()
    for number in 2...3 { verifier.tracker.trackEvent(numbered(number)) }
    let outcome = await wait.value
    XCTAssertEqual(outcome.events, [numbered(2), numbered(3)])
    XCTAssertEqual(reporter.messages, [])
  }

  func testABlockingWaitBeginsAgainAtAResetOfASharedServer() {
    let verifier = TrackingVerifier(
      with: self, server: TrackingServer(), configuration: .init(timeout: 60, settling: 0, reporter: reporter))
    let seen = Locked(0)
    let events = [TrackingEvent(name: "b"), numbered(2), TrackingEvent(name: "b")]
    Thread.detachNewThread {
      while seen.withLock({ $0 }) == 0 { Thread.sleep(forTimeInterval: 0.001) }
      verifier.reset()
      for event in events { verifier.tracker.trackEvent(event) }
    }
    let mark = verifier.mark()
    verifier.tracker.trackEvent(numbered(1))
    let outcome = verifier.wait(for: .inOrder([numbered(seen), .named("b")]), since: mark)
    XCTAssertEqual(outcome.events, [numbered(2), TrackingEvent(name: "b")])
    XCTAssertEqual(reporter.messages, [])
  }

  func testTheTimeOfAnOpenWaitDoesNotBeginAgainAtAReset() {
    let verifier = verifier
    let isDone = Locked(false)
    Thread.detachNewThread {
      while !isDone.withLock({ $0 }) {
        verifier.reset()
        Thread.sleep(forTimeInterval: 0.005)
      }
    }
    verifier.wait(for: .named("a"), timeout: 0.1)
    isDone.withLock { $0 = true }
    XCTAssertEqual(reporter.kinds, [.tooFew])
  }

  func testAnOpenExpectationBeginsAgainAtAReset() {
    let seen = Locked(0)
    let early = verifier.expectation(for: numbered(seen), count: 2)
    let late = verifier.expectation(for: numbered(seen), count: 2)
    // The entries are read when the main queue is served.
    let served = expectation(description: "served")
    DispatchQueue.main.async { served.fulfill() }
    wait(for: [served], timeout: 30)
    verifier.tracker.trackEvent(numbered(1))
    XCTAssertEqual(seen.withLock { $0 }, 2)
    verifier.reset()
    verifier.tracker.trackEvent(numbered(1))
    XCTAssertEqual(XCTWaiter().wait(for: [early], timeout: 0), .timedOut)
    verifier.tracker.trackEvent(numbered(1))
    XCTAssertEqual(XCTWaiter().wait(for: [late], timeout: 30), .completed)
    XCTAssertEqual(reporter.messages, [])
  }

  func testAWaitAfterTheStopSaysSo() {
    verifier.start()
    verifier.stop()
    verifier.wait(for: .named("a"))
    assertText(
      reporter.messages[0].timeless,
      """
      No event named "a" arrived within 0 s; nothing arrived at all

      The verifier was stopped, so nothing could reach it.
      """)
    verifier.start()
    verifier.wait(for: .named("a"))
    assertText(
      reporter.messages[1].timeless,
      """
      No event named "a" arrived within 0 s; no app connected

      No app connected to \(verifier.endpoint.url.absoluteString). Did you pass `launchEnvironment` to the app before launching
      it?
      """)
  }

  func testAVerifierOfATestThatHasEndedSaysSo() {
    let earlier = XCTestCase.idle()
    let verifier = TrackingVerifier(with: earlier, configuration: .init(timeout: 600, reporter: reporter))
    earlier.run()
    verifier.wait(for: .named("a"))
    verifier.start()
    XCTAssertEqual(reporter.kinds, [.misuse, .notStarted])
    XCTAssertEqual(
      reporter.sentences[0],
      """
      This verifier belongs to the test \(verifier.testName ?? ""), which has ended: make a verifier for each test, and await \
      its tasks before the test returns.
      """)
  }

  func testStartAndStopFromSeveralThreadsLoseNoEndpoint() throws {
    let verifier = verifier
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for _ in 0..<25 {
        if thread.isMultiple(of: 2) { verifier.stop() } else { verifier.start() }
        if thread == 1 { _ = verifier.endpoint }
      }
    }
    verifier.start()
    XCTAssertNotEqual(verifier.endpoint.url.port, 1)
    XCTAssertEqual(reporter.messages, [])
  }

  func testAPatternMayStopAndResetTheVerifier() {
    let verifier = verifier
    let uses: [@Sendable () -> Void] = [
      { verifier.stop() }, { verifier.reset() }, { _ = verifier.outcome(of: .nothingElse(within: 0)) },
    ]
    var results: [XCTWaiter.Result] = []
    for use in uses {
      let expectation = verifier.expectation(
        for: .satisfying("use") { (_: TrackingEvent) in
          use()
          return true
        }, count: 1...2)
      verifier.tracker.trackEvent(.tapped)
      results.append(XCTWaiter().wait(for: [expectation], timeout: 0.1))
      verifier.stop()
    }
    // A stop ends the expectation, and a reset discards its event.
    XCTAssertEqual(results, [.timedOut, .timedOut, .completed])
    XCTAssertEqual(reporter.messages, [])
  }

  func testACheckAtTheEndOfATestMayStopTheVerifier() {
    let stops = Locked<@Sendable () -> Void>({})
    let verifier = TrackingVerifier(
      with: self,
      configuration: .init(
        checksAtStop: [
          .none(
            of: .satisfying("stop") { (_: TrackingEvent) in
              stops.withLock { $0 }()
              return true
            })
        ], reporter: reporter))
    stops.withLock {
      $0 = {
        // A new event, which the stop in here would have to check.
        verifier.tracker.trackEvent(.tapped)
        verifier.stop()
      }
    }
    verifier.tracker.trackEvent(.tapped)
    verifier.stop()
    XCTAssertEqual(reporter.kinds, [.unexpectedExtra])
    stops.withLock { $0 = {} }
  }

  func testACheckOfOneVerifierMayStopAnother() {
    let others = RecordingReporter()
    let other = TrackingVerifier(
      with: self,
      configuration: .init(timeout: 0, settling: 0, checksAtStop: [.none(of: .named("a"))], reporter: others))
    other.tracker.trackEvent(TrackingEvent(name: "b"))
    other.wait(for: .named("b"), count: 1)
    other.tracker.trackEvent(TrackingEvent(name: "a"))
    let stop = EntryPattern.satisfying("stops another") { (_: TrackingEvent) in
      // Its count has an extra by now, which `nothingElse` and the stop must see.
      other.tracker.trackEvent(TrackingEvent(name: "b"))
      _ = other.outcome(of: .nothingElse())
      other.stop()
      return false
    }
    let verifier = TrackingVerifier(
      with: self,
      configuration: .init(timeout: 0, settling: 0, checksAtStop: [.none(of: stop)], reporter: reporter))
    verifier.tracker.trackEvent(.tapped)
    verifier.stop()
    XCTAssertEqual(others.kinds, [.tooMany, .unexpectedExtra])
    XCTAssertEqual(reporter.kinds, [])
  }

  func testAPatternThatOneLedgerReadsMayUseAnotherVerifier() {
    let other = TrackingVerifier(
      with: self, configuration: .init(timeout: 0, settling: 0, checksAtStop: [], reporter: reporter))
    other.tracker.trackEvent(TrackingEvent(name: "b"))
    other.wait(for: .named("b"), count: 1...2)
    let passed = Locked<Bool?>(nil)
    let nested = EntryPattern.satisfying("uses another") { (event: TrackingEvent) in
      guard event.name == "late" else { return true }
      // The count allows it, which only the ledger that has read it knows.
      other.tracker.trackEvent(TrackingEvent(name: "b"))
      let outcome = other.outcome(of: .nothingElse())
      passed.withLock { $0 = $0 ?? outcome.passed }
      return true
    }
    verifier.tracker.trackEvent(.tapped)
    verifier.wait(for: .count(1..., of: nested))
    verifier.tracker.trackEvent(TrackingEvent(name: "late"))
    verifier.stop()
    XCTAssertEqual(passed.withLock { $0 }, true)
  }

  /// A server, and a verifier that shares it and whose stop acts while it looks, before it checks.
  private func lookingVerifier(
    checking check: TrackingCheck<CheckOutcome>, acting act: @escaping @Sendable (TrackingJournal) -> Void
  ) throws -> TrackingVerifier {
    let server = TrackingServer()
    try server.start()
    addTeardownBlock { server.stop() }
    let act = Locked<(@Sendable (TrackingJournal) -> Void)?>(act)
    return TrackingVerifier(
      with: self, server: server,
      configuration: .init(
        timeout: 0, settling: 0,
        checksAtStop: [
          .none(
            of: .satisfying("acts") { (event: TrackingEvent) in
              act.withLock { exchange(&$0, with: nil) }?(server.journal)
              return false
            }), check,
        ], reporter: reporter))
  }

  /// The kinds of all failures after each of three stops.
  private func kindsAtStops(of verifier: TrackingVerifier) -> [[CheckFailure.Kind]] {
    (0..<3).map { _ in
      verifier.stop()
      return reporter.kinds
    }
  }

  func testWhatArrivesWhileAStopLooksIsJudgedOnce() throws {
    let verifier = try lookingVerifier(checking: .none(of: .named("extra"))) { $0.record(TrackingEvent(name: "extra")) }
    verifier.tracker.trackEvent(.tapped)
    XCTAssertEqual(kindsAtStops(of: verifier), [[], [.unexpectedExtra], [.unexpectedExtra]])
  }

  func testWhatIsLostWhileAStopLooksIsJudgedOnce() throws {
    let verifier = try lookingVerifier(checking: .delivery) { journal in
      _ = journal.record([.tapped], bodySize: 0, from: .init(launch: "a.1", sequence: 3, isOfSession: true))
    }
    verifier.tracker.trackEvent(.tapped)
    XCTAssertEqual(kindsAtStops(of: verifier), [[], [.lost], [.lost]])
  }

  func testWhatIsDeliveredAgainWhileAStopLooksIsJudgedOnce() throws {
    let sent = changed(TrackingEvent.tapped) { $0.origin = SDKOrigin(format: "Segment", kind: "track", id: "1") }
    let verifier = try lookingVerifier(checking: .redelivery(of: .any)) { journal in
      _ = journal.record([sent], bodySize: 0, from: .init())
    }
    _ = verifier.journal.record([sent], bodySize: 0, from: .init())
    XCTAssertEqual(kindsAtStops(of: verifier), [[.tooFew], [.tooFew], [.tooFew, .tooFew]])
  }

  func testAResponseToARequestFromBeforeAResetCountsAtNoLook() throws {
    let verifier = try lookingVerifier(checking: .inOrder([.request(.any, "/a").responded(500)])) { _ in }
    let journal = verifier.journal
    let number = journal.record(RecordedRequest(ReceivedRequest(method: "GET", path: "/a"), connection: 1, exchange: 1))
    verifier.reset()
    verifier.stop()
    journal.complete(number, with: RecordedResponse(status: 500))
    verifier.stop()
    XCTAssertEqual(reporter.kinds, [.tooFew, .tooFew])
  }

  func testThreeHundredBlockingWaitsAllEnd() {
    let verifier = TrackingVerifier(with: self, configuration: .init(timeout: 60, reporter: reporter))
    let count = 300
    let ended = expectation(description: "all waits have returned")
    ended.expectedFulfillmentCount = count
    for index in 0..<count {
      Thread.detachNewThread {
        verifier.wait(for: .named(index.isMultiple(of: 2) ? "shared" : "event \(index)"))
        ended.fulfill()
      }
    }
    while verifier.waits.count < count { Thread.sleep(forTimeInterval: 0.001) }
    let tracker = verifier.tracker
    for index in stride(from: 1, to: count, by: 2) { tracker.trackEvent(TrackingEvent(name: "event \(index)")) }
    tracker.trackEvent(TrackingEvent(name: "shared"))
    wait(for: [ended], timeout: 60)
    XCTAssertEqual(reporter.messages, [])
  }

  func testAnEventWakesNoWaitThatItDoesNotConcern() async {
    let wait = Task { [verifier] in await verifier.wait(for: .named("a"), timeout: 60) }
    while verifier.waits.count == 0 { await Task.yield() }
    let woken = verifier.journal.state.withLock { state in
      var woken = JournalWaiters.Woken()
      state.waiters.take(forEventNamed: "b", into: &woken)
      return woken.count
    }
    XCTAssertEqual(woken, 0)
    verifier.tracker.trackEvent(TrackingEvent(name: "a"))
    let event = await wait.value
    XCTAssertEqual(event?.name, "a")
  }
}
