import TestSupport

@testable import TrackingChecks

/// Checks that listen for a time, and pass because nothing more arrives.
final class ListeningTimeTests: XCTestCase {
  func testACheckListensFromTheStartOfTheWait() {
    let journal = HandMadeJournal()
    for time in [100, 900, 1_900, 2_100] { journal.add("a", at: time) }
    let checks: [TrackingCheck<CheckOutcome>] = [
      .count(...3, of: .named("a"), within: 2), .count(0...3, of: .named("a"), within: 2), .nothingElse(within: 0.05),
      .count(0, of: .named("b"), within: 3),
    ]
    for check in checks { XCTAssertTrue(journal.run(of: check).state(at: journal.time(3_000)).isGood, "\(check)") }
    XCTAssertFalse(journal.run(of: checks[3]).state(at: journal.time(2_999)).isOver)
    for check: TrackingCheck<CheckOutcome> in [
      .count(...3, of: .named("a"), within: 2.2), .nothingElse(within: 0.2), .count(...2, of: .named("a"), within: 2),
    ] {
      XCTAssertFalse(journal.run(of: check).state(at: journal.time(3_000)).isGood, "\(check)")
    }
  }
}

extension CheckRun.State {
  fileprivate var isOver: Bool {
    switch self {
    case .open, .holding: false
    case .met, .broken, .tooLate: true
    }
  }
}
