import StubModel
import TestSupport
import TrackingModel
import XCTest

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
        HTTPRequest(method: "GET", path: path), connection: 1, exchange: 1, answer: RecordedAnswer(status: 200)))
  }

  func testAMatchThatOnlyAnotherBoundAllowsIsStillAnExtra() {
    track("a")
    verifier.wait(for: .named("a"), count: .atMost(1))
    verifier.wait(for: .named("a"), count: .atLeast(1))
    track("a")
    // Asking in between changes nothing.
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

  func testALateAnswerDoesNotBreakNothingElse() {
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
    XCTAssertTrue(reporter.messages[1].contains("The answer arrived"), reporter.messages[1])
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
    XCTAssertTrue(
      reporter.messages[0].contains("It arrived 5 times; the first one too many is #5"), reporter.messages[0])
  }

  func testALongListOfExtrasSaysHowManyItLeavesOut() {
    verifier.wait(for: .named("a"), count: 0)
    for _ in 1...23 { track("a") }
    verifier.stop()
    XCTAssertTrue(reporter.messages[0].contains("23 too many arrived"), reporter.messages[0])
    XCTAssertTrue(reporter.messages[0].hasSuffix("... and 3 more"), reporter.messages[0])
  }

  func testARejectionThatAWaitHasReportedIsNotReportedAtTheStop() {
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
    XCTAssertTrue(reporter.messages[1].contains("another reason"), reporter.messages[1])
  }
}
