import TestSupport
import TrackingModel
import TrackingVerifier
import XCTest

/// A question that nothing can answer is a mistake in the test: it fails at once, and not after the timeout.
final class InvalidQuestionTests: XCTestCase {
  private let reporter = RecordingReporter()
  private lazy var verifier = TrackingVerifier(with: self, configuration: .init(timeout: 600, reporter: reporter))

  func testAnInvalidRegularExpression() {
    verifier.wait(for: .named("purchase", params: ["order_id": .matches("A-[0-9")]))
    XCTAssertEqual(reporter.failures.map(\.kind), [.misuse])
    let message = reporter.sentences.first ?? ""
    XCTAssertTrue(
      message.hasPrefix(#"The pattern cannot match any event: "A-[0-9" is not a regular expression: "#), message)
  }

  func testABoundThatIsNotANumberInOneOfSeveralPatterns() async {
    await verifier.wait(for: .inOrder([.named("a"), .params(["total": .greater(than: Double.nan)])]))
    XCTAssertEqual(reporter.failures.map(\.kind), [.misuse])
  }

  func testTheAbsenceOfAnImpossibleMatchProvesNothing() {
    verifier.wait(for: .none(of: .named("purchase", params: ["order_id": .matches("(")]), within: 0))
    XCTAssertEqual(reporter.failures.map(\.kind), [.misuse])
  }

  func testTheAbsenceOfAnImpossibleMatchProvesNothingAtTheStop() {
    let absence = Verification.none(of: .named("purchase", params: ["order_id": .matches("(")]))
    verifier = TrackingVerifier(with: self, configuration: .init(checksAtStop: [absence], reporter: reporter))
    verifier.stop()
    XCTAssertEqual(reporter.failures.map(\.kind), [.misuse])
  }

  func testANegativeNumberOfEvents() {
    for count: EventCount in [.times(-1), .atMost(-1), .atLeast(-2), -2...3] {
      verifier.wait(for: .named("a"), count: count)
    }
    XCTAssertEqual(reporter.failures.map(\.kind), Array(repeating: .misuse, count: 4))
    XCTAssertEqual(reporter.sentences.first, "A count cannot be negative: exactly -1 times.")
    verifier.wait(for: .named("a"), count: 3...1)
    verifier.wait(for: .next(.named("a")), count: 2)
    XCTAssertEqual(
      reporter.sentences.suffix(2),
      [
        "No number is at least 3 and at most 1.", "`next` is for one match, so it has no count: wait for each.",
      ])
  }

  func testAnInvalidTime() {
    verifier.wait(for: .noDuplicates(within: .nan))
    verifier.wait(for: .noDuplicates(within: -.infinity))
    verifier.wait(for: .none(of: .named("a"), within: -1))
    XCTAssertEqual(reporter.failures.map(\.kind), Array(repeating: .misuse, count: 3))
    XCTAssertEqual(
      reporter.sentences.last, "A number of seconds cannot be -1 s: an event named \"a\", not once within -1 s.")
  }
}
