import StorefrontEvents
import TrackingVerifier
import XCTest

/// Events together with a test's other expectations, and checks by the suite's own helpers.
final class ExpectationTests: StorefrontTestCase {
  func testTheOrderIsReportedBeforeTheAppIsGone() throws {
    let order = verifier.expectation(for: .typed(OrderPlaced.self), count: 1)
    let end = expectation(description: "the app has ended")
    app.onExit { end.fulfill() }
    try app.tap("open product 42", "add", "cart", "checkout", "pay card", "quit")
    wait(for: [order, end], timeout: verifier.configuration.timeout, enforceOrder: true)
  }

  func testEachWayToPayEndsTheFunnel() throws {
    for method in PaymentMethod.allCases {
      let mark = verifier.mark()
      try app.tap("open product 7", "add", "cart", "checkout", "pay \(method)")
      verifyFunnel(paidBy: method, since: mark)
    }
  }

  /// Checks without failing the test, so that the suite reports the failure itself.
  private func verifyFunnel(
    paidBy method: PaymentMethod, since mark: TrackingVerifier.Mark, file: StaticString = #filePath, line: UInt = #line
  ) {
    let outcome = verifier.outcome(
      of: .inOrder([
        .typed(CheckoutStarted.self),
        .typed(OrderPlaced.self, "paid by \(method)") { $0.paymentMethod == method },
      ]), since: mark)
    if let failure = outcome.failure {
      XCTFail("The funnel breaks where one pays by \(method). \(failure.message)", file: file, line: line)
    }
  }
}
