import TestSupport
import TrackingVerifier

final class WaitTests: XCTestCase {
  private let reporter = RecordingReporter()
  private lazy var verifier = TrackingVerifier(
    with: self, configuration: .init(timeout: 0.05, reporter: reporter))

  func testAnEventFromBeforeTheWaitCounts() {
    verifier.tracker.trackEvent(.tapped)
    XCTAssertEqual(verifier.wait(for: .tapped), .tapped)
    XCTAssertEqual(reporter.messages, [])
  }

  func testAnEventDuringTheWaitEndsIt() {
    let tracker = verifier.tracker
    let thread = Thread { tracker.trackEvent(.tapped) }
    thread.start()
    XCTAssertEqual(verifier.wait(for: .tapped, timeout: 60), .tapped)
    XCTAssertEqual(reporter.messages, [])
  }

  func testAWaitDoesNotConsumeItsEvent() {
    verifier.tracker.trackEvent(.tapped)
    verifier.wait(for: .tapped)
    verifier.wait(for: .tapped)
    XCTAssertEqual(reporter.messages, [])
  }

  func testATimeoutOfZeroLooksOnceAtWhatIsThere() {
    verifier.tracker.trackEvent(.tapped)
    verifier.wait(for: .tapped, timeout: 0)
    XCTAssertEqual(reporter.messages, [])
    verifier.wait(for: .named("other"), timeout: 0)
    XCTAssertEqual(reporter.failures.count, 1)
  }

  func testInvalidTimeoutsEndAtOnce() {
    let began = ContinuousClock.now
    for timeout in [-1, .nan, -Double.infinity] { verifier.wait(for: .named("a"), timeout: timeout) }
    XCTAssertLessThan(ContinuousClock.now - began, .seconds(5))
    let text = """
      No event named "a" arrived within 0 s; nothing arrived at all

      `launchEnvironment` wasn't passed to any app, so only `verifier.tracker` could send events.
      """
    XCTAssertEqual(reporter.messages, [text, text, text])
  }

  func testAnInfiniteTimeoutWaits() {
    let tracker = verifier.tracker
    Thread { tracker.trackEvent(.tapped) }.start()
    XCTAssertEqual(verifier.wait(for: .tapped, timeout: .infinity), .tapped)
  }

  func testAWaitForAPatternByName() {
    verifier.tracker.trackEvent(.tapped)
    XCTAssertEqual(verifier.wait(for: .named("button_tapped")), .tapped)
  }

  func testAWaitForAPatternByCondition() {
    verifier.tracker.trackEvent(.tapped)
    XCTAssertEqual(verifier.wait(for: .satisfying("a screen") { $0.params[.screen] != nil }), .tapped)
  }

  func testAWaitForATypedEvent() {
    verifier.tracker.track(AddedToCart(productID: "42", quantity: 2))
    XCTAssertEqual(
      verifier.wait(for: AddedToCart(productID: "42", quantity: 2)),
      TrackingEvent(AddedToCart(productID: "42", quantity: 2)))
  }

  func testAWaitForATypeWithAClosure() {
    verifier.tracker.track(AddedToCart(productID: "42", quantity: 1))
    verifier.tracker.track(AddedToCart(productID: "42", quantity: 2))
    let found = verifier.wait(
      for: .typed(AddedToCart.self) { $0.quantity == 2 && $0.productID == "42" && $0.price == nil })
    XCTAssertEqual(found?.quantity, 2)
  }

  func testAWaitForATypeAloneTakesTheFirst() {
    verifier.tracker.track(AddedToCart(productID: "1", quantity: 1))
    verifier.tracker.track(AddedToCart(productID: "2", quantity: 1))
    XCTAssertEqual(verifier.wait(for: .typed(AddedToCart.self))?.productID, "1")
  }

  func testAFailedWaitFailsOnceAtTheLineOfTheCall() {
    let (event, line) = (verifier.wait(for: .tapped), #line as UInt)
    XCTAssertNil(event)
    XCTAssertEqual(reporter.failures.map(\.location.line), [line])
    XCTAssertEqual(reporter.failures.map { "\($0.location.file)" }, ["\(#filePath)"])
    XCTAssertEqual(reporter.failures.map(\.kind), [.tooFew])
  }

  func testEventsAreInTheOrderOfArrival() {
    for quantity in 1...3 {
      verifier.tracker.track(AddedToCart(productID: "42", quantity: quantity))
    }
    verifier.tracker.trackEvent(.tapped)
    XCTAssertEqual(verifier.events.map(\.name), ["added_to_cart", "added_to_cart", "added_to_cart", "button_tapped"])
    XCTAssertEqual(verifier.events.map { $0.params["quantity"] }, [1, 2, 3, nil])
  }

  func testAfterAResetOnlyNewEventsCount() {
    verifier.tracker.trackEvent(.tapped)
    verifier.reset()
    XCTAssertEqual(verifier.events, [])
    verifier.wait(for: .tapped)
    XCTAssertEqual(reporter.failures.count, 1)
    verifier.tracker.trackEvent(.tapped)
    verifier.wait(for: .tapped)
    XCTAssertEqual(reporter.failures.count, 1)
  }

  func testManyWaitsAtOnceAreAllWoken() {
    let tracker = verifier.tracker
    let verifier = verifier
    DispatchQueue.concurrentPerform(iterations: 16) { index in
      tracker.track(AddedToCart(productID: "\(index)", quantity: 1))
      _ = verifier.wait(for: AddedToCart(productID: "\((index + 1) % 16)", quantity: 1), timeout: 60)
    }
    XCTAssertEqual(reporter.messages, [])
  }

  func testWithoutAServerACheckSettlesInATwentiethOfASecond() {
    let verifier = TrackingVerifier(with: self, configuration: .init(timeout: 60, reporter: reporter))
    verifier.tracker.trackEvent(.tapped)
    func time(_ act: () -> Void) -> Duration { ContinuousClock().measure(act) }
    let unstarted = time { verifier.wait(for: .named("button_tapped"), count: 1) }
    XCTAssertGreaterThanOrEqual(unstarted, .milliseconds(50))
    verifier.start()
    let started = time { verifier.wait(for: .named("button_tapped"), count: 1) }
    XCTAssertGreaterThanOrEqual(started, .milliseconds(250))
    // Far below the timeout, and far above what a busy machine adds.
    XCTAssertLessThan(unstarted + started, .seconds(5))
    XCTAssertEqual(reporter.messages, [])
  }

  func testAFailureShowsWhatTheTestKnowsAboutItsApp() {
    let verifier = TrackingVerifier(with: self, configuration: .init(timeout: 0, reporter: reporter))
    verifier.describeApp { nil }
    verifier.describeApp {
      "the program was ended by signal 11 (Segmentation fault); the end of its standard error:\n  oh no"
    }
    verifier.tracker.trackEvent(.tapped)
    verifier.wait(for: .named("a"))
    verifier.wait(for: .none(of: .named("button_tapped")))
    assertTexts(
      reporter.messages.map(\.timeless),
      [
        """
        No event named "a" arrived within 0 s

        Received, by time since the wait began:
            #1  +N ms  button_tapped(event_name: "button1_tapped", screen: "main_screen")

        the program was ended by signal 11 (Segmentation fault); the end of its standard error:
          oh no
        """,
        """
        Expected no event named "button_tapped", but #1 arrived N ms before the wait began

        Received, by time since the wait began:
            #1  +N ms  unexpected  button_tapped(event_name: "button1_tapped", screen: "main_screen")
        """,
      ])
  }

  func testANextThatFailsNamesTheWaitsThatHaveItsMatches() {
    let verifier = TrackingVerifier(with: self, configuration: .init(timeout: 0, reporter: reporter))
    verifier.tracker.trackEvent(TrackingEvent(name: "a"))
    verifier.tracker.trackEvent(TrackingEvent(name: "a"))
    let (_, next) = (verifier.wait(for: .next(.named("a"))), #line as UInt)
    let (_, count) = (verifier.wait(for: .count(2, of: .named("a"))), #line as UInt)
    verifier.wait(for: .next(.named("a")))
    assertTexts(
      reporter.messages.map(\.timeless),
      [
        """
        No other event named "a" arrived within 0 s; earlier waits matched #1 and #2
        Matched before: #1 by the wait at WaitTests.swift:\(next) and #2 by the wait at WaitTests.swift:\(count).

        Received, by time since the wait began:
            #1  +N ms  matched before  a()
            #2  +N ms  matched before  a()
        """
      ])
  }

  func testAPredicateMayReadTheVerifier() {
    verifier.tracker.trackEvent(.tapped)
    let verifier = verifier
    verifier.wait(for: .satisfying("alone") { _ in verifier.events.count == 1 })
    XCTAssertEqual(reporter.messages, [])
  }

  @MainActor func testABlockingWaitOnTheMainActorIsRefusedInAnAsyncTest() async {
    let verifier = verifier
    let blocking: @Sendable () -> TrackingEvent? = { verifier.wait(for: .tapped, timeout: 5) }
    XCTAssertTrue(withUnsafeCurrentTask { $0 != nil })
    // As a view model tracks; a wait that blocked the main actor would keep it from doing so.
    Task { @MainActor in verifier.tracker.trackEvent(.tapped) }
    XCTAssertNil(blocking())
    XCTAssertEqual(reporter.kinds, [.misuse])
    let event = await verifier.wait(for: .tapped, timeout: 60)
    XCTAssertEqual(event, .tapped)
    XCTAssertEqual(reporter.kinds, [.misuse])
  }

  func testAFailedWaitThatBlockedTheMainActorSaysSo() {
    let verifier = verifier
    let ended = expectation(description: "the wait has ended")
    DispatchQueue.main.async {
      // A job of the main queue runs alone, as one of the main actor does.
      Task { @MainActor in verifier.tracker.trackEvent(.tapped) }
      verifier.wait(for: .tapped)
      ended.fulfill()
    }
    wait(for: [ended], timeout: 60)
    assertTexts(
      reporter.messages,
      [
        """
        No event button_tapped(event_name: "button … (of 72) … een: "main_screen") arrived within 0.05 s; nothing arrived at all

        Expected: button_tapped(event_name: "button1_tapped", screen: "main_screen")

        The wait blocked the main actor, so none of its other code ran, such as a view model's task that
        tracks: make the function that waits `async` and write `await`.

        `launchEnvironment` wasn't passed to any app, so only `verifier.tracker` could send events.
        """
      ])
    XCTAssertEqual(reporter.kinds, [.tooFew])
  }

  func testAFailedWaitThatServedTheMainQueueBlamesNothing() {
    let verifier = verifier
    Task { @MainActor in verifier.tracker.trackEvent(.tapped) }
    verifier.wait(for: .named("other"))
    XCTAssertEqual(reporter.kinds, [.tooFew])
    XCTAssertFalse(reporter.messages.joined().contains("main actor"))
    XCTAssertEqual(verifier.events, [.tapped])
  }

  @MainActor func testOnTheMainThreadABlockingWaitInATaskIsRefusedIfXCTestDoesNotRunItsTest() async {
    let verifier = TrackingVerifier(with: .idle(), configuration: .init(reporter: reporter))
    let blocking: @Sendable () -> Void = { verifier.wait(for: .tapped, timeout: 60) }
    blocking()
    XCTAssertEqual(reporter.failures.map(\.kind), [.misuse])
  }

  func testABlockingWaitInATaskIsRefusedAtOnce() async {
    let verifier = verifier
    // From here the compiler cannot see that the closure runs inside of a task.
    let blocking: @Sendable () -> Void = { verifier.wait(for: .tapped, timeout: 60) }
    await Task { blocking() }.value
    XCTAssertEqual(reporter.failures.map(\.kind), [.misuse])
    XCTAssertEqual(
      reporter.sentences,
      [
        """
        A blocking wait was called inside a task, where it would block a thread of Swift's concurrency pool Make the function that calls it `async` and write `await`.
        """
      ])
  }
}
