import TestSupport

@testable import TrackingServer
@testable import TrackingVerifier

/// Expectations that are made while the verifier reads the entries for earlier ones.
final class ExpectationRaceTests: XCTestCase {
  private let reporter = RecordingReporter()

  /// The number of tries, which the variable `RACE_TRIES` raises.
  private static let tries = ProcessInfo.processInfo.environment["RACE_TRIES"].flatMap { Int($0) } ?? 5

  private func makeVerifier() -> TrackingVerifier {
    TrackingVerifier(with: .idle(), configuration: .init(timeout: 0, settling: 0, checksAtStop: [], reporter: reporter))
  }

  private func track(_ names: [String], _ verifier: TrackingVerifier) {
    for name in names { verifier.tracker.trackEvent(TrackingEvent(name: name)) }
  }

  func testExpectationsMadeInATaskFindAllEarlierEvents() async {
    var results: [XCTWaiter.Result: Int] = [:]
    for _ in 0..<Self.tries {
      let verifier = makeVerifier()
      track(["a", "b", "c"], verifier)
      let expectations = ["c", "b", "a"].map { verifier.expectation(for: .named($0), count: 1) }
      results[await XCTWaiter().fulfillment(of: expectations, timeout: 2), default: 0] += 1
    }
    XCTAssertEqual(results, [.completed: Self.tries])
  }

  // On a busy machine the second expectation may be made when the first has been fulfilled: then the stop says what XCTest can't see.
  func testTheOrderOfEarlierEventsIsEnforcedInATask() async {
    for (names, expected) in [(["a", "b"], XCTWaiter.Result.completed), (["b", "a"], .incorrectOrder)] {
      var results: [XCTWaiter.Result: Int] = [:]
      for _ in 0..<Self.tries {
        let verifier = makeVerifier()
        track(names, verifier)
        let expectations = ["a", "b"].map { verifier.expectation(for: .named($0), count: 1) }
        let result = await XCTWaiter().fulfillment(of: expectations, timeout: 2, enforceOrder: true)
        let failures = reporter.failures.count
        verifier.stop()
        let isReported = reporter.failures.count > failures
        results[result == .completed && isReported ? .incorrectOrder : result, default: 0] += 1
      }
      XCTAssertEqual(results, [expected: Self.tries], "\(names)")
    }
  }

  func testAShortWaitInATaskSeesAnEventThatIsThere() async {
    var results: [XCTWaiter.Result: Int] = [:]
    for _ in 0..<Self.tries {
      let verifier = makeVerifier()
      track(["a"], verifier)
      let expectation = verifier.expectation(for: .named("a"), count: 1)
      results[await XCTWaiter().fulfillment(of: [expectation], timeout: 0.05), default: 0] += 1
    }
    XCTAssertEqual(results, [.completed: Self.tries])
  }

  func testAnInvertedExpectationIsNeverGreenIfItsEventIsThere() async {
    for timeout in [0, 0.001, 0.05] {
      var results: [XCTWaiter.Result: Int] = [:]
      for _ in 0..<Self.tries {
        let verifier = makeVerifier()
        track(["a"], verifier)
        let inverted = verifier.expectation(for: .named("a"), count: 1)
        inverted.isInverted = true
        results[await XCTWaiter().fulfillment(of: [inverted], timeout: timeout), default: 0] += 1
        let bounded = verifier.expectation(for: .named("a"), count: .atMost(0))
        results[await XCTWaiter().fulfillment(of: [bounded], timeout: timeout), default: 0] += 1
      }
      XCTAssertEqual(results, [.invertedFulfillment: 2 * Self.tries], "\(timeout)")
    }
  }

  func testAnExpectationMadeWhileAnotherIsReadFindsAnEarlierEvent() {
    var results: [XCTWaiter.Result: Int] = [:]
    for _ in 0..<Self.tries {
      let verifier = makeVerifier()
      track(["a"], verifier)
      let open = verifier.expectation(for: .named("x"), count: 100_000)
      // From here on the app's thread reads for the open expectation.
      XCTAssertEqual(XCTWaiter().wait(for: [XCTestExpectation()], timeout: 0.005), .timedOut)
      let isOver = Locked(false)
      let app = Thread { while !isOver.withLock({ $0 }) { verifier.tracker.trackEvent(TrackingEvent(name: "x")) } }
      app.start()
      let earlier = verifier.expectation(for: .named("a"), count: 1)
      results[XCTWaiter().wait(for: [earlier], timeout: 2), default: 0] += 1
      isOver.withLock { $0 = true }
      withExtendedLifetime(open) {}
    }
    XCTAssertEqual(results, [.completed: Self.tries])
  }
}
