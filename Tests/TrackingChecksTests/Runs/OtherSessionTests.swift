import TestSupport

@testable import TrackingChecks
@testable import TrackingServer

/// Checks of a runner whose tests have one session, so that a refused submission of another may have held any event.
final class OtherSessionTests: XCTestCase {
  private let journal = HandMadeJournal()

  private func refuse(at milliseconds: Int) {
    journal.reject(RejectedSubmission.otherSessionReason, body: "{}", status: 403, at: milliseconds)
  }

  private func passes(_ check: TrackingCheck<CheckOutcome>) -> Bool {
    journal.run(of: check, countingOtherSessions: true).state(at: journal.time(10_000)).isGood
  }

  func testASubmissionBeforeTheEndOfTheCheckFailsIt() {
    journal.add("a", at: 0)
    refuse(at: 200)
    for check: TrackingCheck<CheckOutcome> in [
      .count(1, of: .named("a")), .count(...1, of: .named("a")), .none(of: .named("b")),
      .nothingElse(ignoring: [.named("a")]),
      .noDuplicates(within: 0.25), .delivery,
    ] {
      XCTAssertFalse(passes(check), "\(check)")
      XCTAssertTrue(journal.run(of: check).state(at: journal.time(10_000)).isGood, "\(check)")
    }
    for check: TrackingCheck<CheckOutcome> in [
      .count(1..., of: .named("a")), .inOrder([.named("a")]), .nextOne(.named("a")), .none(of: .request(.any, "/*")),
    ] { XCTAssertTrue(passes(check), "\(check)") }
  }

  func testASubmissionAfterTheEndOfTheCheckDoesNot() {
    journal.add("a", at: 0)
    journal.add("b", at: 10)
    refuse(at: 300)
    for check: TrackingCheck<CheckOutcome> in [
      .count(1, of: .named("a")), .none(of: .named("c")), .noDuplicates(within: 0.25),
      .none(of: .named("c"), before: .named("b")), .consecutive([.named("a"), .named("b")]),
    ] { XCTAssertTrue(passes(check), "\(check)") }
  }

  func testNothingIsExcludedBetweenTwoEventsAndBeforeOne() {
    journal.add("a", at: 0)
    refuse(at: 5)
    journal.add("b", at: 10)
    for check: TrackingCheck<CheckOutcome> in [
      .none(of: .named("c"), before: .named("b")), .consecutive([.named("a"), .named("b")]),
    ] { XCTAssertFalse(passes(check), "\(check)") }
    XCTAssertTrue(passes(.none(of: .request(.any, "/*"), before: .named("b"))))
  }

  func testWhatCameBeforeARunOfMatchesDoesNotSeparateThem() {
    let check = TrackingCheck.consecutive([.named("a"), .named("b")])
    refuse(at: 1)
    journal.add("a", at: 5)
    journal.add("b", at: 10)
    XCTAssertTrue(passes(check))
    XCTAssertFalse(passes(.none(of: .named("c"), before: .named("b"))))
    let other = HandMadeJournal()
    for time in [0, 10] {
      other.reject(RejectedSubmission.otherSessionReason, body: "{}", status: 403, at: time)
      other.add(time == 0 ? "a" : "b", at: time)
    }
    let run = other.run(of: check, countingOtherSessions: true)
    let explanation = run.explain(Finding(entries: [], kinds: .events, scale: run.scale, time: ""))
    XCTAssertEqual(
      explanation.headline.line,
      "Expected 2 events in a row, but can't tell: 1 submission came with another session's token")
    XCTAssertEqual(explanation.notes, [3: "of another session"])
  }

  func testACheckThatAlreadyFailsIsStillOpenForItsMatch() {
    refuse(at: 5)
    let check = TrackingCheck.count(1, of: .named("a"))
    func state(at milliseconds: Int) -> CheckRun.State {
      journal.run(of: check, countingOtherSessions: true).state(at: journal.time(milliseconds))
    }
    guard case .open = state(at: 10) else { return XCTFail("\(state(at: 10))") }
    journal.add("a", at: 20)
    guard case .broken = state(at: 30) else { return XCTFail("\(state(at: 30))") }
  }

  func testSuchASubmissionWakesTheCheck() {
    let none = TrackingCheck.none(of: .named("a"), within: 1)
    XCTAssertTrue(journal.run(of: none, countingOtherSessions: true).interest.rejections)
    XCTAssertFalse(journal.run(of: none).interest.rejections)
    let request = TrackingCheck.none(of: .request(.any, "/*"), within: 1)
    XCTAssertFalse(journal.run(of: request, countingOtherSessions: true).interest.rejections)
  }
}
