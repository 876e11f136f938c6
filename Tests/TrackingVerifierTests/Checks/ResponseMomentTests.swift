import TestSupport

@testable import TrackingServer
@testable import TrackingChecks
@testable import TrackingVerifier

/// Checks of a pattern with `responded`: a request matches when its response is sent.
final class ResponseMomentTests: XCTestCase {
  private let reporter = RecordingReporter()
  private lazy var verifier = TrackingVerifier(
    with: self, configuration: .init(timeout: 0, settling: 0, checksAtStop: [], reporter: reporter))

  private let slow = EntryPattern.request(.get, "/slow").responded(200)

  /// Records a request whose response is known, and held back.
  private func delayedRequest() -> Int? {
    verifier.journal.record(
      RecordedRequest(
        ReceivedRequest(method: "GET", path: "/slow"), connection: 1, exchange: 1,
        response: RecordedResponse(status: 200)), isSent: false)
  }

  /// The checks that pass once the response is sent, and don't before.
  private var waiting: [TrackingCheck<CheckOutcome>] {
    [
      .nextOne(slow), .one(slow), .count(1, of: slow), .count(1..., of: slow), .inAnyOrder([slow]), .inOrder([slow]),
      .consecutive([slow]), .none(of: .named("never"), before: slow),
    ]
  }

  func testADelayedResponseMatchesWhenItIsSent() {
    let number = delayedRequest()
    for check in waiting { XCTAssertFalse(verifier.outcome(of: check).passed, "\(check)") }
    XCTAssertTrue(verifier.outcome(of: .none(of: slow)).passed)
    XCTAssertTrue(verifier.outcome(of: .count(0, of: slow)).passed)
    verifier.journal.noteSending(of: number)
    for check in waiting { XCTAssertTrue(verifier.outcome(of: check).passed, "\(check)") }
    XCTAssertFalse(verifier.outcome(of: .none(of: slow)).passed)
    XCTAssertFalse(verifier.outcome(of: .count(0, of: slow)).passed)
  }

  func testAResponseAfterAMarkMatchesAlthoughItsRequestCameBefore() {
    let number = delayedRequest()
    let mark = verifier.mark()
    verifier.journal.noteSending(of: number)
    for check in waiting {
      XCTAssertTrue(verifier.outcome(of: check, since: mark).passed, "\(check)")
      XCTAssertFalse(verifier.outcome(of: check, since: verifier.mark()).passed, "\(check)")
    }
    XCTAssertFalse(verifier.outcome(of: .none(of: slow), since: mark).passed)
    XCTAssertTrue(verifier.outcome(of: .none(of: slow), since: verifier.mark()).passed)
    XCTAssertFalse(verifier.outcome(of: .one(.request(.get, "/slow")), since: mark).passed)
  }

  func testAnActionMayLetGoTheResponseToAnEarlierRequest() {
    let number = delayedRequest()
    let request = verifier.expect(.request(.get, "/slow").responded(200)) { verifier.journal.noteSending(of: number) }
    XCTAssertEqual(request?.number, 1)
    XCTAssertEqual(reporter.messages, [])
  }

  func testARequestWithoutAResponseIsOneWithoutThatResponse() {
    let number = verifier.journal.record(
      RecordedRequest(ReceivedRequest(method: "GET", path: "/slow"), connection: 1, exchange: 1))
    let others = EntryPattern.request(.get, "/slow").and(slow.not())
    XCTAssertTrue(verifier.outcome(of: .one(others)).passed)
    verifier.journal.complete(number, with: RecordedResponse(status: 200))
    XCTAssertFalse(verifier.outcome(of: .one(others)).passed)
  }

  func testARequestCountsOnceInAnyOrder() {
    let number = delayedRequest()
    let patterns: [EntryPattern] = [.request(.get, "/slow"), slow]
    verifier.journal.noteSending(of: number)
    XCTAssertFalse(verifier.outcome(of: .inAnyOrder(patterns)).passed)
    // The second one has no response, and the first one may leave its pattern to it.
    _ = delayedRequest()
    XCTAssertEqual(verifier.outcome(of: .inAnyOrder(patterns)).matched.map(\.number), [2, 1])
  }

  func testAnIgnoredRequestNeedsNoResponseYet() {
    _ = delayedRequest()
    XCTAssertTrue(verifier.outcome(of: .nothingElse(among: .requests, ignoring: [slow])).passed)
  }

  func testARequestThatItsResponseMayLetIgnoreIsPending() {
    for check: TrackingCheck<CheckOutcome> in [
      .nothingElse(within: 1, among: .requests, ignoring: [slow]),
      .noDuplicates(within: 0.5, among: .requests, ignoring: [slow]),
    ] {
      for status in [200, 404, nil] {
        let journal = HandMadeJournal()
        for time in [0, 100] { journal.openRequest("/slow", at: time) }
        guard case .open = journal.run(of: check).state(at: journal.time(200)) else {
          return XCTFail("\(check)")
        }
        if let status {
          for number in [1, 2] { journal.complete(number, status: status, at: 300) }
        }
        XCTAssertEqual(journal.run(of: check).state(at: journal.time(10_000)).isGood, status == 200, "\(check)")
      }
      let other = HandMadeJournal()
      for time in [0, 100] { other.openRequest("/other", at: time) }
      guard case .broken = other.run(of: check).state(at: other.time(200)) else {
        return XCTFail("\(check)")
      }
    }
  }

  func testAnIgnoredRequestThatNeverGetsAResponseCounts() {
    let journal = HandMadeJournal()
    journal.openRequest("/slow", at: 100)
    assertText(
      journal.failure(of: .nothingElse(among: .requests, ignoring: [slow])).text,
      """
      The test expected nothing else, but 1 more request arrived: #1, GET /slow
      Can't tell whether #1 should be ignored: it has no response yet.

      Received, by time since the wait began:
          #1  +100 ms  not expected  GET /slow, no response yet
      """)
  }

  func testARequestThatItsResponseDoesNotIgnoreCountsOnce() {
    let number = delayedRequest()
    verifier.journal.noteSending(of: number)
    let failed = EntryPattern.request(.get, "/slow").responded(500)
    let extras = verifier.outcome(of: .nothingElse(among: .requests, ignoring: [failed]))
    XCTAssertEqual(extras.matched.map(\.number), [1])
    XCTAssertTrue(verifier.outcome(of: .noDuplicates(within: 1, among: .requests, ignoring: [failed])).passed)
  }

  func testALateResponseIsReported() {
    let number = delayedRequest()
    verifier.wait(for: .request(.get, "/slow").responded(200))
    verifier.journal.noteSending(of: number)
    verifier.stop()
    assertTexts(
      reporter.messages.map { $0.timeless.replacing(/to [0-9.]+ m?s too late/, with: "to N ms too late") },
      [
        """
        No request GET /slow responded 200 arrived within 0 s; #1 has no response yet

        Nearest is #1, N ms before the wait began (! differs):
                      expected  request
              path    /slow     /slow
              method  GET       GET
            ! status  200       no response yet
        """,
        """
        A matching request was responded to N ms too late: #1, GET /slow

        Received, by time since the wait began:
            #1  +N ms  GET /slow, response later
            #1  +N ms  response: GET /slow -> 200
        """,
      ])
  }

  func testADelayedStubOverASocket() async throws {
    verifier.start()
    let gate = StubGate()
    verifier.stub(.get, "/slow", .text("x").held(by: gate))
    let client = AppClient(verifier)
    async let response = client.send("GET", "/slow")
    await verifier.wait(for: .request(.get, "/slow"), timeout: 60)
    // That wait has matched the request, so it isn't the next one.
    let waiting = waiting.dropFirst()
    for check in waiting {
      let passed = await verifier.outcome(of: check).passed
      XCTAssertFalse(passed, "\(check)")
    }
    gate.open()
    for check in waiting {
      let passed = await verifier.outcome(of: check, timeout: 60).passed
      XCTAssertTrue(passed, "\(check)")
    }
    _ = try await response
  }
}
