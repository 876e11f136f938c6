import TestSupport

@testable import TrackingServer
@testable import TrackingVerifier

/// The failures that a stop reports about waits that have returned, for events and requests alike.
final class LateFindingTests: XCTestCase {
  private let reporter = RecordingReporter()
  private lazy var verifier = TrackingVerifier(
    with: self, configuration: .init(timeout: 0, settling: 0, checksAtStop: [], reporter: reporter))

  private func track(_ names: String...) {
    for name in names { verifier.tracker.trackEvent(TrackingEvent(name: name)) }
  }

  private func request(_ path: String) {
    verifier.journal.record(
      RecordedRequest(
        ReceivedRequest(method: "GET", path: path), connection: 1, exchange: 1, response: RecordedResponse(status: 200))
    )
  }

  func testALateExtraNamesItsLine() {
    verifier.tracker.track(TrackingEvent(name: "purchase"), fileID: "Shop/A.swift", line: 1)
    verifier.wait(for: .named("purchase"), count: 1)
    verifier.tracker.track(TrackingEvent(name: "purchase"), fileID: "Shop/B.swift", line: 2)
    verifier.stop()
    let lines = (reporter.messages.first ?? "").split(separator: "\n").map(String.init)
    XCTAssert(lines.contains("#2 was tracked at B.swift:2"), "\(lines)")
  }

  func testAMatchThatOnlyAnotherBoundAllowsIsStillAnExtra() {
    track("a")
    verifier.wait(for: .named("a"), count: .atMost(1))
    verifier.wait(for: .named("a"), count: .atLeast(1))
    track("a")
    // Checking in between changes nothing.
    XCTAssertNil(verifier.outcome(of: .nothingElse()).failure)
    verifier.stop()
    XCTAssertEqual(reporter.kinds, [.tooMany])
  }

  func testAnEntryThatALaterWaitMatchesIsNoExtra() {
    track("a")
    verifier.wait(for: .named("a"), count: 1)
    track("a")
    verifier.wait(for: .named("a"), count: 2)
    verifier.stop()
    XCTAssertEqual(reporter.messages, [])
  }

  func testAnOutcomeDoesNotKeepExtrasFromALaterWait() {
    track("a")
    verifier.wait(for: .named("a"), count: 1)
    XCTAssertNil(verifier.outcome(of: .count(1, of: .named("a"))).failure)
    track("a")
    verifier.stop()
    XCTAssertEqual(reporter.kinds, [.tooMany])
  }

  func testALateMatchDoesNotBreakNothingElse() {
    verifier.wait(for: .named("a"))
    track("a")
    XCTAssertNil(verifier.outcome(of: .nothingElse()).failure)
    verifier.stop()
    XCTAssertEqual(reporter.kinds, [.tooFew, .late])
  }

  func testABoundOutlivesAStop() {
    track("a")
    verifier.wait(for: .named("a"), count: 1...)
    verifier.stop()
    track("a")
    XCTAssertNil(verifier.outcome(of: .nothingElse()).failure)
    verifier.wait(for: .named("b"), count: .atMost(0))
    track("b")
    verifier.stop()
    verifier.stop()
    XCTAssertEqual(reporter.kinds, [.tooMany])
  }

  func testADeliveryThatIsCompleteTooLateIsReported() {
    verifier.journal.recordEvent(numbered: 1)
    verifier.journal.recordEvent(numbered: 3)
    verifier.wait(for: .delivery)
    verifier.journal.recordEvent(numbered: 2)
    verifier.stop()
    XCTAssertEqual(reporter.kinds, [.lost, .late])
    assertText(
      reporter.messages[1].timeless,
      """
      The check passed too late: every tracked event to arrive, and no submission to be rejected
      """)
  }

  func testRequestsFollowTheSameRules() {
    request("/a")
    verifier.wait(for: .request(.get, "/a"), count: 1)
    verifier.wait(for: .request(.get, "/b"))
    request("/a")
    request("/b")
    verifier.stop()
    XCTAssertEqual(reporter.kinds, [.tooFew, .tooMany, .late])
  }

  func testAnExpectationCountsWhatOtherWaitsHaveMatched() {
    let expectation = verifier.expectation(for: .named("a"), count: 1)
    track("a", "a")
    wait(for: [expectation], timeout: 5)
    verifier.wait(for: .named("a"))
    verifier.stop()
    XCTAssertEqual(reporter.kinds, [.tooMany])
  }

  func testACountReportsEverythingThatHasArrived() {
    track("a", "a", "a")
    XCTAssertEqual(verifier.wait(for: .named("a"), count: .atLeast(1)).count, 3)
    track("tapped", "tapped", "tapped", "tapped", "tapped")
    verifier.wait(for: .named("tapped"), count: 1)
    assertText(
      reporter.messages[0].timeless,
      """
      Expected exactly 1 event named "tapped", but 5 arrived; the extra ones are #5, #6, #7 and #8

      Received, by time since the wait began:
          #1  +N ms  a()
          #2  +N ms  a()
          #3  +N ms  a()
          #4  +N ms  matches  tapped()
          #5  +N ms  extra    tapped()
          #6  +N ms  extra    tapped()
          #7  +N ms  extra    tapped()
          #8  +N ms  extra    tapped()
      """)
  }

  func testALongListOfExtrasSaysHowManyItLeavesOut() {
    verifier.wait(for: .named("a"), count: 0)
    for _ in 1...23 { track("a") }
    verifier.stop()
    assertText(
      reporter.messages[0].timeless,
      """
      23 extra events arrived after the wait for "a" had passed: #1, #2, #3, #4, #5, #6, #7, #8 and 15 more
      No later wait expected them.

      Received, 20 of 23, by time since the wait began:
          #4   +N ms  a()
          #5   +N ms  a()
          #6   +N ms  a()
          #7   +N ms  a()
          #8   +N ms  a()
          #9   +N ms  a()
          #10  +N ms  a()
          #11  +N ms  a()
          #12  +N ms  a()
          #13  +N ms  a()
          #14  +N ms  a()
          #15  +N ms  a()
          #16  +N ms  a()
          #17  +N ms  a()
          #18  +N ms  a()
          #19  +N ms  a()
          #20  +N ms  a()
          #21  +N ms  a()
          #22  +N ms  a()
          #23  +N ms  a()
      """)
  }

  func testARejectionThatAWaitHasReportedIsNotReportedWhenTheTestEnds() {
    var configuration = TrackingVerifier.Configuration(timeout: 0, settling: 0, reporter: reporter)
    configuration.checksAtStop = [.delivery]
    verifier = TrackingVerifier(with: self, configuration: configuration)
    verifier.journal.recordRejection()
    verifier.wait(for: .named("a"))
    verifier.stop()
    XCTAssertEqual(reporter.kinds, [.tooFew])
    verifier.journal.recordRejection("another reason")
    verifier.stop()
    XCTAssertEqual(reporter.kinds, [.tooFew, .rejected])
    assertText(
      reporter.messages[1].timeless,
      """
      1 submission was rejected (400): another reason

      Received, by time since the first arrival:
          #2  +N ms  a rejected submission (400)
      """)
  }
}
