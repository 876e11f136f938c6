import TestSupport

@testable import TrackingServer
@testable import TrackingVerifier

/// Expectations and XCTest's `enforceOrder`.
final class ExpectationOrderTests: XCTestCase {
  private let reporter = RecordingReporter()
  private lazy var verifier = TrackingVerifier(
    with: self, configuration: .init(timeout: 0, settling: 0, reporter: reporter))

  private func result(of names: [String], after act: () throws -> Void) rethrows -> XCTWaiter.Result {
    let expectations = names.map { verifier.expectation(for: .named($0), count: 1...) }
    try act()
    return XCTWaiter().wait(for: expectations, timeout: 1, enforceOrder: true)
  }

  private func post(_ names: String...) {
    _ = verifier.journal.record(names.map { TrackingEvent(name: $0) }, bodySize: 0, from: .init())
  }

  func testEventsOfOneSubmissionAreFulfilledInTheirOrder() {
    XCTAssertEqual(result(of: ["a", "b"]) { post("a", "b") }, .completed)
    verifier.reset()
    XCTAssertEqual(result(of: ["a", "b"]) { post("b", "a") }, .incorrectOrder)
  }

  func testEventsFromBeforeTheExpectationsAreFulfilledInTheirOrder() {
    post("a", "b")
    XCTAssertEqual(result(of: ["a", "b"]) {}, .completed)
    verifier.reset()
    post("b", "a")
    XCTAssertEqual(result(of: ["a", "b"]) {}, .incorrectOrder)
  }

  /// Two waits, one after the other, look alike, and no order is required of them: nothing may fail.
  func testStopWarnsOfAnOrderThatXCTestCanNotSee() async {
    post("a", "b")
    let (second, made) = (verifier.expectation(for: .named("b"), count: 1), #line as UInt)
    // Its wait ends when the one before is fulfilled, too.
    let other = verifier.expectation(for: .named("b"), count: 1)
    let between = await XCTWaiter().fulfillment(of: [other], timeout: 60)
    let (first, line) = (verifier.expectation(for: .named("a"), count: 1), #line as UInt)
    let result = await XCTWaiter().fulfillment(of: [second, first], timeout: 60, enforceOrder: true)
    // XCTest sees the order in which they were fulfilled.
    XCTAssertEqual([between, result], [.completed, .completed])
    verifier.stop()
    XCTAssertEqual(reporter.messages, [])
    XCTAssertEqual(reporter.linesOfWarnings, [line])
    XCTAssertEqual(
      reporter.warnings,
      [
        """
        The expectation of exactly 1 event named "a" was made after that of exactly 1 event named "b" \
        (ExpectationOrderTests.swift:\(made)) had been fulfilled by #2, and #1, which fulfils it, arrived earlier. If one wait \
        has both with `enforceOrder`, XCTest takes this for the order of the expectations: make them before the action, or use \
        `.inOrder`.
        """
      ])
  }

  func testOneExpectationAfterTheOtherIsNoOrder() async {
    post("a", "b")
    for name in ["a", "b"] {
      let expectation = verifier.expectation(for: .named(name), count: 1)
      let result = await XCTWaiter().fulfillment(of: [expectation], timeout: 60)
      XCTAssertEqual(result, .completed)
    }
    verifier.stop()
    XCTAssertEqual(reporter.messages + reporter.warnings, [])
  }

  func testARequestAndAnEvent() {
    func request() {
      verifier.journal.record(
        RecordedRequest(
          ReceivedRequest(method: "POST", path: "/orders"), connection: 1, exchange: 1,
          response: RecordedResponse(status: 201))
      )
    }
    for isInOrder in [true, false] {
      verifier.reset()
      let placed = verifier.expectation(for: .request(.post, "/orders").responded(201), count: 1)
      let tracked = verifier.expectation(for: .named("order_placed"), count: 1)
      if isInOrder { request() }
      post("order_placed")
      if !isInOrder { request() }
      XCTAssertEqual(
        XCTWaiter().wait(for: [placed, tracked], timeout: 1, enforceOrder: true),
        isInOrder ? .completed : .incorrectOrder)
    }
  }

  func testAnExpectationOfAResponseIsFulfilledWhenItIsAdded() throws {
    let number = try XCTUnwrap(
      verifier.journal.record(
        RecordedRequest(ReceivedRequest(method: "POST", path: "/orders"), connection: 1, exchange: 1)))
    let responded = verifier.expectation(for: .request(.post, "/orders").responded(), count: 1)
    XCTAssertEqual(XCTWaiter().wait(for: [responded], timeout: 0.05), .timedOut)
    let again = verifier.expectation(for: .request(.post, "/orders").responded(), count: 1)
    verifier.journal.complete(number, with: RecordedResponse(status: 200))
    XCTAssertEqual(XCTWaiter().wait(for: [again], timeout: 5), .completed)
  }

  func testAnUpperBoundAloneIsBrokenByOneExtra() {
    let few = verifier.expectation(for: .named("a"), count: .atMost(1))
    post("a")
    XCTAssertEqual(XCTWaiter().wait(for: [few], timeout: 0.05), .completed)
    let none = verifier.expectation(for: .named("a"), count: .atMost(1))
    post("a")
    XCTAssertEqual(XCTWaiter().wait(for: [none], timeout: 1), .invertedFulfillment)
  }
}
