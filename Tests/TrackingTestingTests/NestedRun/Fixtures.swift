import Testing
import TestSupport
import XCTest

@testable import TrackingTesting

// Tests that fail on purpose, in a process of their own: see `NestedRun`.

/// Lines of the fixtures that are to fail.
enum FixtureLine {
  static let aFailedWait = #line + 18
  static let aFailedRequirement = #line + 21
  static let oneFailingArgument = #line + 26
  static let aDetachedTask = #line + 31
  static let aNearMiss = #line + 36
  static let aNearMissInADetachedTask = #line + 42
  static let anUnexpectedEvent = #line + 55
  static let aTestThatHasEnded = #line + 67
  static let anEndpointThatIsTaken = #line + 70
  static let noTrait = #line + 79
  static let aVerifierOfXCTest = #line + 88
  static let aWaitOfSwiftTesting = #line + 101
  static let aTimedOutExpectation = #line + 106
}

@Suite(.enabled(if: NestedRun.isUnderWay), .tracking(.init(timeout: 0)))
struct Fixtures {
  @Test func aFailedWait() async {
    await TrackingVerifier.current.wait(for: .tapped)
  }

  @Test func aFailedRequirement() async throws {
    try await TrackingVerifier.current.require(.equal(to: .tapped))
    Issue.record("a requirement in vain ends the test")
  }

  @Test(arguments: 1...3) func oneFailingArgument(number: Int) async throws {
    if number != 2 { TrackingVerifier.current.tracker.trackEvent(.tapped) }
    try await TrackingVerifier.current.require(.equal(to: .tapped))
  }

  @Test func aDetachedTask() async {
    let verifier = TrackingVerifier.current
    await Task.detached {
      _ = await verifier.wait(for: .tapped)
    }.value
  }

  @Test func aNearMiss() async throws {
    TrackingVerifier.current.tracker.track(AddedToCart(productID: "42", quantity: 1))
    try await TrackingVerifier.current.require(.equal(to: AddedToCart(productID: "42", quantity: 2)))
  }

  @Test func aNearMissInADetachedTask() async {
    let verifier = TrackingVerifier.current
    verifier.tracker.trackEvent(.tapped)
    await Task.detached {
      _ = await verifier.wait(for: .named("button_taped"))
    }.value
  }

  @Test func aPassingTest() async {
    TrackingVerifier.current.tracker.trackEvent(.tapped)
    await TrackingVerifier.current.wait(for: .tapped)
  }

  @Test(.tracking(.init(keepsJournal: .always))) func aPassingTestWithAnAttachment() async {
    TrackingVerifier.current.tracker.trackEvent(.tapped)
    await TrackingVerifier.current.wait(for: .tapped)
  }

  @Test(.tracking(.init(timeout: 0, checksAtStop: [.nothingElse()]))) func anUnexpectedEvent() {
    TrackingVerifier.current.tracker.trackEvent(.tapped)
  }

  @Test func aVerifierInADetachedTask() async {
    await Task.detached { TrackingVerifier.current.tracker.trackEvent(.tapped) }.value
  }

  @Test func aTestThatHasEnded() async throws {
    let test = try #require(Test.current)
    let scope = TrackingScope(of: test, .init(timeout: 0))
    try await scope.perform {}
    await Task.detached {
      _ = await scope.verifier.wait(for: .tapped)
    }.value
  }

  @Test func anEndpointThatIsTaken() async throws {
    let first = TrackingVerifier.current
    let port = try #require(first.endpoint.url.port.flatMap(UInt16.init(exactly:)))
    let second = TrackingScope(of: try #require(Test.current), .init(server: .init(port: port)))
    try await second.perform { _ = second.verifier.endpoint }
  }
}

@Suite(.enabled(if: NestedRun.isUnderWay))
struct FixturesWithoutTheTrait {
  @Test func noTrait() async throws {
    let verifier = TrackingVerifier.current
    verifier.tracker.trackEvent(.tapped)
    try await verifier.require(.equal(to: .tapped))
  }
}

@Suite(.enabled(if: NestedRun.isUnderWay))
struct FixturesOfTheWrongFramework {
  @Test func aVerifierOfXCTest() async {
    await TrackingVerifier(with: .idle(), configuration: .init(timeout: 0)).wait(for: .tapped)
  }
}

final class XCTestFixtures: XCTestCase {
  func testAVerifierOfSwiftTesting() throws {
    try XCTSkipUnless(NestedRun.isUnderWay)
    _ = TrackingVerifier.current
  }

  func testAWaitOfSwiftTesting() throws {
    try XCTSkipUnless(NestedRun.isUnderWay)
    let verifier = TrackingVerifier.current
    verifier.tracker.trackEvent(.tapped)
    verifier.wait(for: .tapped)
  }

  func testATimedOutExpectation() throws {
    try XCTSkipUnless(NestedRun.isUnderWay)
    let verifier = TrackingVerifier(with: self)
    let purchased = verifier.expectation(for: .named("purchase"), count: 1)
    verifier.tracker.trackEvent(.tapped)
    wait(for: [purchased], timeout: 0)
  }
}
