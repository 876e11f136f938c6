import TrackerDouble
import TestSupport

@testable import TrackingServer
@testable import TrackingVerifier

/// Expectations of events beside those of the test.
final class ExpectationTests: XCTestCase {
  private let reporter = RecordingReporter()
  private lazy var verifier = TrackingVerifier(
    with: self, configuration: .init(timeout: 0, settling: 0, reporter: reporter))

  private func result(
    _ expectations: [XCTestExpectation], timeout: TimeInterval = 60, enforceOrder: Bool = false
  ) -> XCTWaiter.Result {
    XCTWaiter().wait(for: expectations, timeout: timeout, enforceOrder: enforceOrder)
  }

  private func track(_ names: String...) {
    for name in names { verifier.tracker.trackEvent(TrackingEvent(name: name)) }
  }

  func testEventsFulfilAnExpectationAsTheyArrive() {
    let twice = verifier.expectation(for: .named("a"), count: .atLeast(2))
    track("a", "b")
    XCTAssertEqual(result([twice], timeout: 0), .timedOut)
    let verifier = verifier
    let other = verifier.expectation(for: .named("c"), count: 2)
    Thread { for _ in 1...2 { verifier.tracker.trackEvent(TrackingEvent(name: "c")) } }.start()
    XCTAssertEqual(result([other]), .completed)
  }

  func testAPatternRunsOnTheThreadThatRecordsAndAgainWhenTheTestEnds() {
    let callers = Locked<[ObjectIdentifier]>([])
    let verifier = verifier
    let counted = ValueMatcher.satisfying("counted") { _ in
      callers.withLock { $0.append(ObjectIdentifier(Thread.current)) }
      return true
    }
    let expectation = verifier.expectation(for: .named("a", params: ["n": counted]), count: 1)
    let recorded = XCTestExpectation(description: "recorded")
    let recorder = Thread {
      verifier.journal.record(TrackingEvent(name: "a", params: ["n": 1]))
      // The pattern has run before the sender continues.
      XCTAssertEqual(callers.withLock { $0 }, [ObjectIdentifier(Thread.current)])
      recorded.fulfill()
    }
    // Once XCTest's wait serves the main queue; until then, entries are offered on the main thread.
    DispatchQueue.main.async { recorder.start() }
    XCTAssertEqual(result([expectation, recorded]), .completed)
    let before = callers.withLock { $0.count }
    verifier.stop()
    let atTheStop = callers.withLock { $0.dropFirst(before) }
    XCTAssertFalse(atTheStop.isEmpty)
    XCTAssertEqual(Set(atTheStop), [ObjectIdentifier(Thread.current)])
  }

  func testItCanBeAwaitedWithTheTestsOwnExpectations() {
    let first = verifier.expectation(for: .named("a"), count: .atLeast(1))
    let own = XCTestExpectation(description: "the test's own")
    let last = verifier.expectation(for: .named("b"), count: .atLeast(1))
    let verifier = verifier
    // Once XCTest's wait serves the main queue, so that nothing is offered later than it is recorded.
    DispatchQueue.main.async {
      Thread {
        verifier.tracker.trackEvent(TrackingEvent(name: "a"))
        own.fulfill()
        verifier.tracker.trackEvent(TrackingEvent(name: "b"))
      }.start()
    }
    XCTAssertEqual(result([first, own, last], enforceOrder: true), .completed)
  }

  func testTheWrongOrderFailsTheWaiter() {
    let first = verifier.expectation(for: .named("a"), count: .atLeast(1))
    let last = verifier.expectation(for: .named("b"), count: .atLeast(1))
    track("b", "a")
    XCTAssertEqual(result([first, last], enforceOrder: true), .incorrectOrder)
  }

  func testEarlierEventsCountUnlessAMarkIsGiven() {
    track("a")
    let mark = verifier.mark()
    let before = verifier.expectation(for: .named("a"), count: .atLeast(1))
    let since = verifier.expectation(for: .named("a"), count: .atLeast(1), since: mark)
    XCTAssertEqual(result([before]), .completed)
    XCTAssertEqual(result([since], timeout: 0), .timedOut)
  }

  func testAnUpperBoundAloneIsInverted() {
    let none = verifier.expectation(for: .named("a"), count: 0)
    let one = verifier.expectation(for: .named("b"), count: .atMost(1))
    track("b")
    XCTAssertTrue(none.isInverted && one.isInverted)
    XCTAssertEqual(result([none, one], timeout: 0), .completed)
    let broken = verifier.expectation(for: .named("b"), count: .atMost(1))
    track("b")
    XCTAssertEqual(result([broken]), .invertedFulfillment)
  }

  func testAHighBoundIsNotExceeded() {
    let most = verifier.expectation(for: .named("a"), count: .atMost(.max - 1))
    let between = verifier.expectation(for: .named("a"), count: 0...Int.max - 1)
    track("a")
    XCTAssertEqual(result([most, between], timeout: 0), .completed)
  }

  func testExtrasDoNotFulfilItTwiceAndAreReportedWhenTheTestEnds() {
    let (once, line) = (verifier.expectation(for: .named("a"), count: 1), #line as UInt)
    track("a", "a", "a")
    XCTAssertFalse(once.assertForOverFulfill)
    XCTAssertEqual(result([once]), .completed)
    verifier.stop()
    XCTAssertEqual(reporter.kinds, [.tooMany])
    XCTAssertEqual(reporter.lines, [line])
    assertTexts(
      reporter.messages.map { $0.replacing(/\d+(\.\d+)? ms +/, with: "N ms  ") },
      [
        """
        Expected exactly 1 event named "a" (an XCTest expectation), but 2 extra events arrived: #2 and #3

        Received, by time since the wait began:
            #2  +N ms  a()
            #3  +N ms  a()
        """
      ])
  }

  func testAResetBeforeWhichNothingArrivedForgetsNoExpectation() {
    for (count, resets) in [(1, 1), (1, 2), (0, 1), (0, 2)] {
      let reporter = RecordingReporter()
      let verifier = TrackingVerifier(
        with: self, configuration: .init(timeout: 0, settling: 0, checksAtStop: [], reporter: reporter))
      let paid = verifier.expectation(for: .named("purchase"), count: count)
      for _ in 1...resets { verifier.reset() }
      for _ in 1...3 { verifier.tracker.trackEvent(TrackingEvent(name: "purchase")) }
      XCTAssertEqual(result([paid]), count == 0 ? .invertedFulfillment : .completed)
      verifier.stop()
      XCTAssertEqual(reporter.kinds, [.tooMany], "\(count), \(resets)")
      let extras = count == 0 ? "3 extra events arrived: #1, #2 and #3" : "2 extra events arrived: #2 and #3"
      XCTAssertEqual(reporter.messages.first?.contains(extras), true, "\(reporter.messages)")
    }
  }

  func testNothingFulfilsItAfterTheStop() {
    let never = verifier.expectation(for: .named("a"), count: .atLeast(1))
    verifier.stop()
    track("a")
    // Entries are offered when the main queue is served, which a wait of no time doesn't do.
    XCTAssertEqual(result([never], timeout: 0.05), .timedOut)
  }

  func testAnExpectationMatchesItsEvents() {
    let once = verifier.expectation(for: .named("a"), count: 1)
    track("a")
    XCTAssertEqual(result([once]), .completed)
    XCTAssertTrue(verifier.outcome(of: .nothingElse()).passed)
  }

  /// Of threads that check at once whether anything else came, none overlooks what another is just counting.
  func testAnExpectationMatchesItsEventsForAllThreads() {
    for _ in 1...100 {
      let verifier = TrackingVerifier(with: self, configuration: .init(timeout: 0, settling: 0, reporter: reporter))
      for number in 1...8 {
        _ = verifier.expectation(for: .satisfying("its number") { $0.name == "\(number)" }, count: 4)
      }
      for event in 0..<32 { verifier.tracker.trackEvent(TrackingEvent(name: "\(event % 8 + 1)")) }
      DispatchQueue.concurrentPerform(iterations: 4) { _ in verifier.wait(for: .nothingElse()) }
      verifier.stop()
    }
    XCTAssertEqual(reporter.messages, [])
  }

  func testManyEventsFromManyThreads() {
    let all = verifier.expectation(for: .named("a"), count: 1_600)
    let tracker = verifier.tracker
    DispatchQueue.concurrentPerform(iterations: 16) { _ in
      for _ in 1...100 { tracker.trackEvent(TrackingEvent(name: "a")) }
    }
    XCTAssertEqual(result([all]), .completed)
    verifier.stop()
    XCTAssertEqual(reporter.messages, [])
  }

  func testOverASocket() {
    verifier.start()
    let double = TrackerDouble(endpoint: verifier.endpoint)
    let posted = verifier.expectation(for: .named("a"), count: .atLeast(1))
    double.trackEvent(TrackingEvent(name: "a"))
    XCTAssertEqual(result([posted]), .completed)
  }
}
