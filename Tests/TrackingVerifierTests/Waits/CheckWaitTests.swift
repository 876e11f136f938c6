import TestSupport
import TrackingSockets

@testable import TrackingChecks
@testable import TrackingVerifier

/// The duration of waits, and the failures that they report.
///
/// Waits that must return early have a timeout of minutes, so that a failure to return is noticed.
final class VerificationWaitTests: XCTestCase {
  private let reporter = RecordingReporter()
  private lazy var verifier = TrackingVerifier(
    with: self, configuration: .init(timeout: 600, settling: 0.01, reporter: reporter))
  private lazy var patient = TrackingVerifier(
    with: self, configuration: .init(timeout: 600, settling: 600, reporter: reporter))

  /// A pattern that has another such event tracked as soon as it has seen the first.
  private func trackingAnother(on verifier: TrackingVerifier) -> EventPattern {
    let hasTracked = Locked(false)
    return .satisfying("a twin") { event in
      let isFirst = hasTracked.withLock { hasTracked in
        defer { hasTracked = true }
        return !hasTracked
      }
      if isFirst { Thread { verifier.tracker.trackEvent(event) }.start() }
      return true
    }
  }

  // MARK: - Bounds

  func testAMetBoundReturnsAfterTheSettlingTime() {
    verifier.tracker.trackEvent(.tapped)
    XCTAssertEqual(verifier.wait(for: .named("button_tapped"), count: 1), [.tapped])
    XCTAssertTrue(verifier.wait(for: .count(.atMost(3), of: .named("button_tapped"))).passed)
    XCTAssertTrue(verifier.wait(for: .noDuplicates(within: 0.02)).passed)
    XCTAssertTrue(verifier.wait(for: .nothingElse()).passed)
    XCTAssertTrue(verifier.wait(for: .delivery).passed)
    XCTAssertEqual(reporter.messages, [])
  }

  func testALowerBoundReturnsAtOnce() {
    patient.tracker.trackEvent(.tapped)
    XCTAssertEqual(patient.wait(for: .named("button_tapped"), count: .atLeast(1)), [.tapped])
    XCTAssertTrue(patient.wait(for: .inOrder([.named("button_tapped")])).passed)
    XCTAssertEqual(reporter.messages, [])
  }

  func testABrokenBoundFailsAtOnceAtTheLineOfTheCall() {
    for _ in 1...3 { patient.tracker.trackEvent(.tapped) }
    let (events, line) = (patient.wait(for: .named("button_tapped"), count: 2), #line as UInt)
    XCTAssertEqual(events, [.tapped, .tapped, .tapped])
    XCTAssertEqual(reporter.kinds, [.tooMany])
    XCTAssertEqual(reporter.lines, [line])
  }

  func testAnExtraDuringTheSettlingTimeBreaksABound() {
    patient.tracker.trackEvent(.tapped)
    patient.wait(for: .init(trackingAnother(on: patient)), count: 1)
    XCTAssertEqual(reporter.kinds, [.tooMany])
  }

  func testABoundThatHoldsAtTheDeadlineSucceeds() {
    patient.tracker.trackEvent(.tapped)
    patient.wait(for: .named("button_tapped"), count: 1, timeout: 0.01)
    XCTAssertEqual(reporter.messages, [])
  }

  func testABoundThatHoldsSucceedsWhenAnOuterWaitTimesOut() {
    let patient = patient
    patient.tracker.trackEvent(.tapped)
    let inner = Locked<[TrackingEvent]?>(nil)
    DispatchQueue.main.async {
      let events = patient.wait(for: .named("button_tapped"), count: 1)
      inner.withLock { $0 = events }
    }
    XCTAssertEqual(XCTWaiter().wait(for: [XCTestExpectation(description: "never")], timeout: 0.1), .timedOut)
    XCTAssertEqual(inner.withLock(\.self), [.tapped])
    XCTAssertEqual(reporter.messages, [])
  }

  func testATypedWaitWithAClosureSaysThatTheClosureMustHold() {
    verifier.tracker.track(AddedToCart(productID: "1", quantity: 1))
    verifier.wait(for: .typed(AddedToCart.self) { $0.quantity > 1 }, timeout: 0)
    verifier.wait(for: .typed(AddedToCart.self), since: verifier.mark(), timeout: 0)
    verifier.wait(for: .next(.typed(AddedToCart.self) { $0.quantity > 1 }), timeout: 0)
    XCTAssertEqual(
      reporter.messages.compactMap { $0.split(separator: "\n").first },
      [
        "No event of the type AddedToCart satisfying the closure arrived within 0 s; #1 fails the condition",
        "No event of the type AddedToCart (\"added_to_cart\") arrived within 0 s; #1 arrived before the mark",
        "No event of the type AddedToCart satisfying the closure arrived within 0 s; #1 fails the condition",
      ])
  }

  // MARK: - Absence

  func testTheFirstOffenderFailsAtOnce() {
    let verifier = verifier
    Thread { verifier.tracker.trackEvent(.tapped) }.start()
    let (outcome, line) = (verifier.wait(for: .none(of: .named("button_tapped"), within: 600)), #line as UInt)
    XCTAssertEqual(outcome.failure?.kind, .unexpectedExtra)
    XCTAssertEqual(outcome.events, [.tapped])
    XCTAssertEqual(reporter.lines, [line])
  }

  func testAbsenceListensForItsOwnTime() {
    verifier.tracker.trackEvent(.tapped)
    XCTAssertTrue(verifier.wait(for: .none(of: .named("other"), within: 0.01)).passed)
    XCTAssertTrue(verifier.wait(for: .none(of: .named("other"))).passed)
    XCTAssertEqual(reporter.messages, [])
  }

  func testNothingBeforeTheConsentPassesWhenTheConsentComes() {
    patient.tracker.trackEvent(TrackingEvent(name: "consent_given"))
    patient.tracker.trackEvent(.tapped)
    patient.tracker.trackEvent(TrackingEvent(name: "consent_given"))
    let consent = EventPattern.named("consent_given")
    XCTAssertEqual(patient.wait(for: .none(of: .any, before: .named("consent_given"))).events.count, 1)
    XCTAssertTrue(patient.wait(for: .none(of: .any, before: .init(consent))).passed)
    XCTAssertEqual(reporter.messages, [])
    patient.wait(for: .none(of: .any, before: .named("button_tapped")))
    XCTAssertEqual(reporter.kinds, [.unexpectedExtra])
  }

  // MARK: - Duplicates

  func testATimeoutOfTheCallEndsTheSearchForDuplicatesAtOnce() {
    func seconds(_ timeout: TimeInterval?, within: TimeInterval) -> Duration {
      ContinuousClock().measure { verifier.wait(for: .noDuplicates(within: within), timeout: timeout) }
    }
    verifier.tracker.trackEvent(.tapped)
    XCTAssertLessThan(seconds(0, within: 60), .seconds(30))
    verifier.tracker.trackEvent(TrackingEvent(name: "other"))
    XCTAssertGreaterThanOrEqual(seconds(nil, within: 0.04), .milliseconds(36), "without one it ends after the time")
    XCTAssertEqual(reporter.messages, [])
  }

  func testTheSilenceBeforeTheWaitCountsInTheSearchForDuplicates() {
    let journal = HandMadeJournal()
    journal.add("purchase", at: -3_000)
    journal.add("cart_shown", at: -1_500)
    guard case .met = journal.run(of: .noDuplicates(within: 1)).state(at: journal.time(0)) else {
      return XCTFail("It waits.")
    }
    // Everything that arrived before the wait is read, whatever silence lies between.
    journal.add("cart_shown", at: -1_000)
    XCTAssertEqual(journal.run(of: .noDuplicates(within: 1)).checkState, .broken)
  }

  func testADefaultTimeoutCutsOffNoSearchForDuplicates() {
    let journal = HandMadeJournal()
    journal.add("purchase", at: 400)
    journal.add("purchase", at: 1_300)
    XCTAssertEqual(journal.run(of: .noDuplicates(within: 1), timeout: 0.5).checkState, .broken)
  }

  // MARK: - Marks

  func testAMarkHidesEarlierEntries() {
    verifier.tracker.trackEvent(.tapped)
    verifier.tracker.track(AddedToCart(productID: "1", quantity: 1))
    let mark = verifier.mark()
    XCTAssertNil(verifier.wait(for: .tapped, since: mark, timeout: 0))
    XCTAssertNil(verifier.wait(for: .named("button_tapped"), since: mark, timeout: 0))
    XCTAssertNil(verifier.wait(for: .typed(AddedToCart.self), since: mark, timeout: 0))
    XCTAssertNil(verifier.wait(for: AddedToCart(productID: "1", quantity: 1), since: mark, timeout: 0))
    XCTAssertEqual(verifier.wait(for: .named("button_tapped"), count: .atLeast(1), since: mark, timeout: 0), [])
    XCTAssertEqual(reporter.kinds, [.tooFew, .tooFew, .tooFew, .tooFew, .tooFew])
    XCTAssertTrue(verifier.wait(for: .none(of: .named("button_tapped")), since: mark).passed)
    XCTAssertTrue(verifier.wait(for: .none(of: .any), since: mark).passed)
    verifier.tracker.trackEvent(.tapped)
    XCTAssertEqual(verifier.wait(for: .tapped, since: mark), .tapped)
    XCTAssertEqual(reporter.failures.count, 5)
  }

  func testAMarkFromBeforeAResetIsTheReset() {
    let mark = verifier.mark()
    verifier.tracker.trackEvent(.tapped)
    verifier.reset()
    XCTAssertTrue(verifier.wait(for: .none(of: .any), since: mark).passed)
  }

  func testAMarkOfAnotherVerifierIsRefused() {
    let outcome = verifier.wait(for: .none(of: .any), since: patient.mark())
    XCTAssertEqual(outcome.failure?.kind, .misuse)
    XCTAssertEqual(
      reporter.sentences,
      ["This mark comes from a verifier with another server. Create it with the verifier you wait on."])
  }

  // MARK: - Outcomes

  func testAnOutcomeReportsNothingNowOrLater() async {
    let mark = verifier.mark()
    let now = await verifier.outcome(of: .inOrder([.named("button_tapped")]), since: mark, timeout: 0)
    let later = await verifier.outcome(of: .count(1, of: .named("button_tapped")), timeout: 0)
    XCTAssertEqual([now.failure?.kind, later.failure?.kind], [.tooFew, .tooFew])
    assertText(
      now.failure?.message,
      """
      Expected 1 event in order, but the 1st, "button_tapped", didn't arrive within 0 s; nothing arrived at all

      Expected:
          1. an event named "button_tapped"

      `launchEnvironment` wasn't passed to any app, so only `verifier.tracker` could send events.
      """)
    verifier.tracker.trackEvent(.tapped)
    let once = await verifier.outcome(of: .count(1, of: .named("button_tapped")))
    XCTAssertTrue(once.passed)
    verifier.tracker.trackEvent(.tapped)
    verifier.stop()
    XCTAssertEqual(reporter.messages, [])
  }

  // MARK: - Delivery

  func testASubmissionThatIsRejectedDuringTheWaitFailsAtOnce() {
    let journal = patient.journal
    Thread { journal.recordRejection() }.start()
    XCTAssertEqual(patient.wait(for: .delivery).failure?.kind, .rejected)
    XCTAssertEqual(reporter.kinds, [.rejected])
  }

  func testAGapThatIsFilledInTimeIsNoLoss() {
    let journal = verifier.journal
    journal.recordEvent(numbered: 1)
    journal.recordEvent(numbered: 3)
    XCTAssertEqual(verifier.outcome(of: .delivery, timeout: 0).failure?.kind, .lost)
    Thread { journal.recordEvent(numbered: 2) }.start()
    XCTAssertTrue(verifier.wait(for: .delivery).passed)
    XCTAssertEqual(reporter.messages, [])
  }

  func testAnEventThatCouldNotBeEncodedFailsWithItsPathAndTheAppsLine() throws {
    let line = #line + 1
    verifier.tracker.track(
      TrackingEvent(name: "order_placed", parameters: ["order": ["id": 7, "view": self] as [String: Any]]))
    verifier.wait(for: .named("order_placed"))
    let failure = try XCTUnwrap(verifier.outcome(of: .delivery).failure)
    XCTAssertEqual(failure.kind, .brokenRule)
    XCTAssertEqual(
      failure.message.replacing(/\n\nReceived.*$/.dotMatchesNewlines(), with: ""),
      """
      #1 order_placed couldn't be encoded completely: order.view: VerificationWaitTests isn't a value
      #1 was tracked at CheckWaitTests.swift:\(line)
      """)
  }

  func testTypedEventsThatCouldNotBeEncodedAreListedOnceWithTheirLines() {
    let first = #line + 2
    for total in [1, 2] {
      verifier.tracker.track(Unprinted(total: total))
    }
    verifier.tracker.trackEvent(.tapped)
    verifier.wait(for: .delivery)
    verifier.stop()
    XCTAssertEqual(
      reporter.messages.map { $0.replacing(/\n\nReceived.*$/.dotMatchesNewlines(), with: "") },
      [
        """
        2 events couldn't be encoded completely, the last one #2 unprinted: params.paper: out of paper
        Not encoded completely: #1 unprinted: params.paper: out of paper
        Not encoded completely: #2 unprinted: params.paper: out of paper
        #1 and #2 were tracked, both at CheckWaitTests.swift:\(first)
        """
      ])
  }

  func testAnEventThatCouldNotBeEncodedIsReportedWhenTheTestEnds() {
    verifier.tracker.track(Unprinted(total: 1))
    verifier.wait(for: .named("unprinted"))
    verifier.stop()
    XCTAssertEqual(reporter.kinds, [.brokenRule])
    let message = reporter.messages.first ?? ""
    XCTAssertTrue(
      message.hasPrefix("#1 unprinted couldn't be encoded completely: params.paper: out of paper\n"), message)
  }

  // MARK: - Many at once
}

/// An event of which one field can't be encoded.
private struct Unprinted: TrackingSchema {
  struct Paper: Codable, Sendable {
    func encode(to encoder: any Encoder) throws {
      throw EncodingError.invalidValue(self, .init(codingPath: encoder.codingPath, debugDescription: "out of paper"))
    }
  }

  static let eventName = "unprinted"
  var total: Int
  var paper = Paper()
}
