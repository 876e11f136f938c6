import TestSupport

@testable import TrackingServer
@testable import TrackingVerifier

/// The failures that a verifier reports at its stop.
final class StopCheckTests: XCTestCase {
  private let reporter = RecordingReporter()
  private var configuration: TrackingVerifier.Configuration {
    TrackingVerifier.Configuration(timeout: 0, settling: 0, reporter: reporter)
  }
  private lazy var verifier = TrackingVerifier(with: self, configuration: configuration)

  private func lose(_ numbers: ClosedRange<UInt64>, of tracked: UInt64) {
    for number in 1...tracked where !numbers.contains(number) { verifier.journal.recordEvent(numbered: number) }
  }

  // MARK: - Delivery

  func testLostEventsAreReportedOnceAtTheLineOfTheStart() {
    let (_, line) = (verifier.start(), #line as UInt)
    lose(5...7, of: 41)
    verifier.stop()
    verifier.stop()
    XCTAssertEqual(reporter.kinds, [.lost])
    XCTAssertEqual(reporter.lines, [line])
  }

  func testRejectionsAreReported() {
    verifier.start()
    verifier.journal.recordRejection("expected a value")
    verifier.stop()
    XCTAssertEqual(reporter.kinds, [.rejected])
  }

  func testAnAppOfAnotherSessionDoesNotFailThisTest() {
    verifier.start()
    verifier.journal.recordRejection(RejectedSubmission.otherSessionReason, status: 403)
    verifier.stop()
    XCTAssertEqual(reporter.messages, [])
  }

  func testASecondStopReportsOnlyWhatIsNew() {
    verifier.start()
    verifier.journal.recordRejection("expected a value")
    verifier.stop()
    let (_, line) = (verifier.start(), #line as UInt)
    verifier.journal.recordRejection("expected another")
    verifier.stop()
    XCTAssertEqual(reporter.kinds, [.rejected, .rejected])
    XCTAssertEqual(reporter.lines.last, line)
    XCTAssertFalse(reporter.messages[1].contains("expected a value"))
  }

  func testTheChecksCanBeSwitchedOff() {
    var configuration = configuration
    configuration.checksAtStop = []
    verifier = TrackingVerifier(with: self, configuration: configuration)
    verifier.start()
    verifier.journal.recordRejection("expected a value")
    lose(5...7, of: 41)
    verifier.stop()
    XCTAssertEqual(reporter.messages, [])
  }

  // MARK: - Nothing else

  func testNothingElseCanBeCheckedWhenTheTestEnds() {
    var configuration = configuration
    configuration.checksAtStop = [.nothingElse(ignoring: [.named("heartbeat")])]
    let (verifier, line) = (TrackingVerifier(with: self, configuration: configuration), #line as UInt)
    for name in ["cart_shown", "heartbeat", "purchase", "purchase"] {
      verifier.tracker.trackEvent(TrackingEvent(name: name))
    }
    let (_, wait) = (verifier.wait(for: .inOrder([.named("cart_shown"), .named("purchase")])), #line)
    verifier.stop()
    verifier.stop()
    XCTAssertEqual(reporter.kinds, [.unexpectedExtra])
    XCTAssertEqual(reporter.lines, [line], "never started, so the line where it was made")
    assertTexts(
      reporter.messages.map(\.timeless),
      [
        """
        The test expected nothing else, but 1 more event arrived: #4, purchase()

        Received, by time since the first arrival:
            #1  +N ms  cart_shown()
            #2  +N ms  heartbeat()
            #3  +N ms  matched at StopCheckTests.swift:\(wait)  purchase()
            #4  +N ms  not expected                        purchase()
        """
      ])
  }

  func testAnyCheckCanBeMadeWhenTheTestEnds() {
    var configuration = configuration
    configuration.checksAtStop = [
      .noDuplicates(within: 60), .count(.atLeast(1), of: .named("app_closed")), .none(of: .named("crash_reported")),
    ]
    verifier = TrackingVerifier(with: self, configuration: configuration)
    verifier.start()
    verifier.tracker.trackEvent(.tapped)
    verifier.tracker.trackEvent(.tapped)
    verifier.stop()
    XCTAssertEqual(reporter.kinds, [.duplicate, .tooFew])
  }

  // MARK: - Entries after a wait

  func testExtrasAfterTheWaitAreReportedAtItsLine() {
    verifier.start()
    verifier.tracker.trackEvent(.tapped)
    let (_, line) = (verifier.wait(for: .named("button_tapped"), count: 1), #line as UInt)
    verifier.tracker.trackEvent(.tapped)
    verifier.tracker.trackEvent(TrackingEvent(name: "other"))
    verifier.tracker.trackEvent(.tapped)
    verifier.stop()
    verifier.stop()
    XCTAssertEqual(reporter.kinds, [.tooMany])
    XCTAssertEqual(reporter.lines, [line])
    assertTexts(
      reporter.messages.map(\.timeless),
      [
        """
        2 extra events arrived after the wait for "button_tapped" had passed: #2 and #4
        No later wait expected them.

        Received, by time since the wait began:
            #2  +N ms  button_tapped(event_name: "button1_tapped", screen: "main_screen")
            #4  +N ms  button_tapped(event_name: "button1_tapped", screen: "main_screen")
        """
      ])
  }

  func testExtrasBeforeAResetAreReportedAfterIt() {
    verifier.tracker.trackEvent(.tapped)
    verifier.wait(for: .named("button_tapped"), count: 1)
    verifier.tracker.trackEvent(.tapped)
    verifier.reset()
    verifier.tracker.trackEvent(.tapped)
    verifier.wait(for: .named("button_tapped"), count: 1)
    XCTAssertEqual(reporter.messages, [])
    verifier.stop()
    XCTAssertEqual(reporter.kinds, [.tooMany])
    assertText(
      reporter.messages[0].timeless,
      """
      1 extra event arrived after the wait for "button_tapped" had passed: #2
      No later wait expected it.

      Received, by time since the wait began:
          #2  +N ms  button_tapped(event_name: "button1_tapped", screen: "main_screen")
      """)
  }

  func testALateMatchIsReportedAtTheLineOfItsWait() {
    verifier.start()
    let (_, line) = (verifier.wait(for: .tapped), #line as UInt)
    verifier.tracker.trackEvent(.tapped)
    verifier.tracker.trackEvent(.tapped)
    verifier.stop()
    XCTAssertEqual(reporter.kinds, [.tooFew, .late])
    XCTAssertEqual(reporter.lines, [line, line])
  }

  func testTheLateMatchOfEachKindOfWaitIsReported() async {
    verifier.tracker.trackEvent(TrackingEvent(name: "a"))
    await verifier.wait(for: .inOrder([.named("a"), .named("added_to_cart")]))
    await verifier.wait(for: .inAnyOrder([.named("added_to_cart"), .named("a")]))
    await verifier.wait(for: .typed(AddedToCart.self) { $0.quantity > 7 })
    await verifier.wait(for: AddedToCart(productID: "1", quantity: 1))
    await verifier.wait(for: .named("other"))
    XCTAssertEqual(reporter.kinds, [.tooFew, .tooFew, .tooFew, .tooFew, .tooFew])
    verifier.tracker.track(AddedToCart(productID: "1", quantity: 1))
    verifier.stop()
    XCTAssertEqual(reporter.kinds.dropFirst(5), [.late, .late, .late])
  }
}
