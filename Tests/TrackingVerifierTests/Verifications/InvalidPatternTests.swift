import TrackingModel
import TrackingVerifier
import XCTest

/// A pattern that cannot match is a mistake in the test: it fails at once, and not after the timeout.
final class InvalidPatternTests: XCTestCase {
  private let reporter = RecordingReporter()
  private lazy var verifier = TrackingVerifier(with: self, configuration: .init(timeout: 600, reporter: reporter))

  func testARegularExpressionThatIsNone() {
    verifier.wait(for: .named("purchase", params: ["order_id": .matches("A-[0-9")]))
    XCTAssertEqual(reporter.failures.map(\.kind), [.invalidPattern])
    let message = reporter.sentences.first ?? ""
    XCTAssertTrue(
      message.hasPrefix(#"The pattern cannot match any event: "A-[0-9" is not a regular expression: "#), message)
  }

  func testABoundThatIsNoNumberInAnyOfSeveralPatterns() async {
    await verifier.wait(for: .inOrder([.named("a"), .params(["total": .greater(than: Double.nan)])]))
    XCTAssertEqual(reporter.failures.map(\.kind), [.invalidPattern])
  }

  func testAnAbsenceOfWhatCannotBeIsNoProof() {
    verifier.verifyNone(of: .named("purchase", params: ["order_id": .matches("(")]), within: 0)
    XCTAssertEqual(reporter.failures.map(\.kind), [.invalidPattern])
  }

  func testAnAbsenceOfWhatCannotBeIsNoProofAtTheStopEither() {
    let absence = Verification.none(of: .named("purchase", params: ["order_id": .matches("(")]))
    verifier = TrackingVerifier(with: self, configuration: .init(checksAtStop: [absence], reporter: reporter))
    verifier.stop()
    XCTAssertEqual(reporter.failures.map(\.kind), [.invalidPattern])
  }
}
