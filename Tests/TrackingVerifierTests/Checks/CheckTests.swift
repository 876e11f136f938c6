import TestSupport

@testable import TrackingVerifier

/// The outcome of each kind of check, without a wait.
final class CheckTests: XCTestCase {
  private let reporter = RecordingReporter()
  private lazy var verifier = TrackingVerifier(
    with: self, configuration: .init(timeout: 0, settling: 0, reporter: reporter))

  private func track(_ names: String...) {
    for name in names { verifier.tracker.trackEvent(TrackingEvent(name: name)) }
  }

  private func kind(_ check: TrackingCheck<CheckOutcome>) -> CheckFailure.Kind? {
    verifier.outcome(of: check).failure?.kind
  }

  private func names(_ check: TrackingCheck<CheckOutcome>) -> [String] {
    verifier.outcome(of: check).events.map(\.name)
  }

  private func patterns(_ names: String...) -> [EntryPattern] { names.map(EntryPattern.named) }

  func testOrder() {
    track("a", "x", "b", "a", "c")
    XCTAssertNil(kind(.inOrder(patterns("a", "b", "c"))))
    XCTAssertNil(kind(.inOrder(patterns("a", "a", "c"))))
    XCTAssertEqual(kind(.inOrder(patterns("b", "x"))), .wrongOrder)
    XCTAssertEqual(kind(.inOrder(patterns("c", "c"))), .tooFew)
    XCTAssertEqual(kind(.inOrder(patterns("a", "d"))), .tooFew)
    XCTAssertEqual(names(.inOrder(patterns("x", "c"))), ["x", "c"])
  }

  func testConsecutive() {
    track("a", "a", "b", "a", "b", "c")
    XCTAssertNil(kind(.consecutive(patterns("a", "b", "c"))))
    XCTAssertNil(kind(.consecutive(patterns("a", "a", "b", "a"))))
    XCTAssertNil(kind(.consecutive(patterns("a", "b", "a", "b", "c"))))
    XCTAssertNil(kind(.consecutive(patterns("c"))))
    XCTAssertEqual(kind(.consecutive(patterns("a", "c"))), .unexpectedExtra)
    XCTAssertEqual(kind(.consecutive(patterns("c", "b"))), .wrongOrder)
    XCTAssertEqual(kind(.consecutive(patterns("c", "d"))), .tooFew)
    XCTAssertEqual(kind(.consecutive(patterns("d"))), .tooFew)
  }

  func testAnyOrder() {
    track("c", "a", "b", "a")
    XCTAssertNil(kind(.inAnyOrder(patterns("a", "b", "a", "c"))))
    XCTAssertEqual(kind(.inAnyOrder(patterns("a", "a", "a"))), .tooFew)
    XCTAssertEqual(names(.inAnyOrder(patterns("a", "b", "c"))), ["a", "b", "c"])
  }

  func testAnyOrderGivesEachPatternItsOwnEventWhereThatIsPossible() {
    track("a", "b")
    let any = EntryPattern.satisfying("anything") { _ in true }
    XCTAssertEqual(names(.inAnyOrder([any, .named("a")])), ["b", "a"])
    XCTAssertEqual(names(.inAnyOrder([.named("b"), any])), ["b", "a"])
    XCTAssertEqual(kind(.inAnyOrder([any, any, .named("a")])), .tooFew)
  }

  func testAbsence() {
    track("a")
    XCTAssertNil(kind(.none(of: .named("b"))))
    XCTAssertEqual(kind(.none(of: .named("a"))), .unexpectedExtra)
    XCTAssertEqual(kind(.none(of: .any)), .unexpectedExtra)
    XCTAssertEqual(names(.none(of: .any)), ["a"])
  }

  func testDuplicates() {
    track("a", "b", "a")
    XCTAssertEqual(kind(.noDuplicates(within: 60)), .duplicate)
    XCTAssertEqual(kind(.noDuplicates(within: .infinity)), .duplicate)
    XCTAssertNil(kind(.noDuplicates(within: 0.02, ignoring: [.named("a")])))
    XCTAssertEqual(names(.noDuplicates(within: 60)), ["a", "a"])
  }

  func testNothingElse() {
    track("a", "b", "heartbeat")
    XCTAssertEqual(kind(.nothingElse()), .unexpectedExtra)
    verifier.wait(for: .named("a"))
    XCTAssertEqual(names(.nothingElse(ignoring: [.named("heartbeat")])), ["b"])
    verifier.wait(for: .inOrder(patterns("a", "b")))
    XCTAssertNil(kind(.nothingElse(ignoring: [.named("heartbeat")])))
    XCTAssertEqual(names(.nothingElse()), ["heartbeat"])
  }

  func testEntriesThatNoWaitMatchedAreNamed() {
    track("a", "b", "c")
    verifier.wait(for: .named("a"))
    let message = verifier.outcome(of: .nothingElse()).failure?.message ?? ""
    XCTAssert(
      message.hasPrefix("The test expected nothing else, but 2 more events arrived; the first is #2, b()\n"), message)
    XCTAssert(message.contains("not expected  b()"), message)
  }

  func testASilentCheckThatFailsMatchesNothing() {
    track("a", "b")
    verifier.wait(for: .named("a"))
    XCTAssertEqual(verifier.outcome(of: .nothingElse()).failure?.kind, .unexpectedExtra)
    XCTAssertEqual(verifier.outcome(of: .nothingElse()).failure?.kind, .unexpectedExtra)
  }

  func testABoundAllowsLaterMatchesUpToItsLimit() {
    track("a", "a")
    verifier.wait(for: .named("a"), count: .atLeast(1))
    XCTAssertNil(kind(.nothingElse()))
    track("a")
    XCTAssertNil(kind(.nothingElse()))
    track("b")
    verifier.wait(for: .named("b"), count: 1...2)
    track("b")
    XCTAssertNil(kind(.nothingElse()))
    track("b")
    XCTAssertEqual(kind(.nothingElse()), .unexpectedExtra)
  }

  func testATypedWaitMatchesItsEvent() {
    verifier.tracker.track(AddedToCart(productID: "42", quantity: 2))
    verifier.wait(for: .typed(AddedToCart.self) { $0.quantity == 2 })
    XCTAssertNil(kind(.nothingElse()))
  }

  func testEachCheckInWords() {
    let checks: [TrackingCheck<CheckOutcome>] = [
      .count(2, of: .named("a")), .inOrder(patterns("a", "b")), .consecutive(patterns("a", "b")),
      .inAnyOrder(patterns("a")), .none(of: .named("a"), within: 1), .none(of: .any), .nothingElse(),
      .nothingElse(ignoring: patterns("a", "b")), .noDuplicates(within: 0.5), .noDuplicates(within: .infinity),
      .delivery,
    ]
    XCTAssertEqual(
      checks.map(\.description),
      [
        "exactly 2 events named \"a\"", "2 events in order", "2 events in a row",
        "1 event in any order", "no event named \"a\" within 1 s", "no event",
        "no events other than those that waits have matched",
        "no events other than those that waits have matched, ignoring an event named \"a\" or an event named \"b\"",
        "no two equal events within 0.5 s", "no two equal events",
        "every tracked event to arrive, and no submission to be rejected",
      ])
  }
}
