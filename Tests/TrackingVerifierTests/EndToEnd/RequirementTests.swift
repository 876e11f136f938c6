import TestSupport
import TrackingVerifier

/// Requirements that fail, each in a test of another process, which runs this one with a variable.
final class RequirementTests: XCTestCase {
  private static let variable = "TRACKING_TESTS_REQUIREMENT"

  private lazy var verifier: TrackingVerifier = .init(with: self, configuration: .init(timeout: 0, settling: 0))
  private var requirement: String? { ProcessInfo.processInfo.environment[Self.variable] }

  func testARequirementFailsItsTestOnceAndEndsIt() throws {
    switch requirement {
    case "pattern": _ = try verifier.require(.named("purchase"))
    case "type": _ = try verifier.require(.typed(AddedToCart.self) { $0.quantity > 1 })
    case "request": _ = try verifier.require(.request(.get, "/books"))
    case "order": _ = try verifier.require(.inOrder([.named("purchase"), .named("receipt_shown")]))
    case "action":
      _ = try verifier.require(.named("purchase")) { verifier.tracker.track(AddedToCart(productID: "42", quantity: 1)) }
    case nil:
      for name in ["pattern", "type", "request", "order", "action"] {
        try run("testARequirementFailsItsTestOnceAndEndsIt", name)
      }
      return
    case let other?: return XCTFail("there is no requirement \(other)")
    }
    print("It continued.")
  }

  func testAnAsyncRequirementFailsItsTestOnceAndEndsIt() async throws {
    if requirement == "pattern" {
      _ = try await verifier.require(.named("purchase"))
      return print("It continued.")
    }
    try run("testAnAsyncRequirementFailsItsTestOnceAndEndsIt", "pattern")
  }

  func testARequirementReturnsItsMatch() throws {
    verifier.tracker.track(AddedToCart(productID: "42", quantity: 2))
    XCTAssertEqual(try verifier.require(.typed(AddedToCart.self)).quantity, 2)
    XCTAssertEqual(try verifier.require(.named("added_to_cart")).name, "added_to_cart")
    XCTAssertEqual(try verifier.require(.inOrder([.named("added_to_cart")])).events.count, 1)
  }

  func testARequirementThrowsForAReporterOfTheTestsOwn() {
    let reporter = RecordingReporter()
    let verifier = TrackingVerifier(with: self, configuration: .init(timeout: 0, settling: 0, reporter: reporter))
    XCTAssertThrowsError(try verifier.require(.named("purchase"))) { XCTAssertTrue($0 is RequirementFailure) }
    XCTAssertEqual(reporter.kinds, [.tooFew])
  }

  private func run(_ test: String, _ requirement: String) throws {
    let text = try NestedTest.output(of: "RequirementTests/\(test)", environment: [Self.variable: requirement])
    XCTAssertTrue(text.contains("Executed 1 test, with 1 failure (0 unexpected)"), text)
    XCTAssertTrue(text.contains("RequirementTests.swift:"), text)
    XCTAssertTrue(text.firstMatch(of: /failed - (No|Expected) .* within 0 s/) != nil, text)
    XCTAssertFalse(text.contains("XCTUnwrap"), text)
    XCTAssertFalse(text.contains("It continued."), text)
  }
}
