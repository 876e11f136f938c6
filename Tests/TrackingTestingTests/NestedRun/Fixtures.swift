import Foundation
import Testing
import TestSupport
import XCTest

@testable import TrackingTesting

// Tests that fail on purpose, in a separate process: see `NestedRun`.

/// The line of a fixture that is to fail, which ends with a comment of its name.
enum FixtureLine: String {
  case aFailedWait, aFailedRequirement, oneFailingArgument, aDetachedTask, aNearMiss, aNearMissInADetachedTask
  case anUnexpectedEvent, aTestThatHasEnded, anEndpointThatIsTaken, noTrait, aVerifierOfXCTest, aWaitOfSwiftTesting
  case aTimedOutExpectation

  var number: Int {
    let text = (try? String(contentsOfFile: #filePath, encoding: .utf8)) ?? ""
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return (lines.firstIndex { $0.hasSuffix("  // \(rawValue)") } ?? -1) + 1
  }
}

@Suite(.enabled(if: NestedRun.isUnderWay), .tracking(.init(timeout: 0)))
struct Fixtures {
  @Test func aFailedWait() async {
    await TrackingVerifier.current.wait(for: .tapped)  // aFailedWait
  }

  @Test func aFailedRequirement() async throws {
    try await TrackingVerifier.current.require(.equal(to: .tapped))  // aFailedRequirement
    Issue.record("a requirement that fails ends the test")
  }

  @Test(arguments: 1...3) func oneFailingArgument(number: Int) async throws {
    if number != 2 { TrackingVerifier.current.tracker.trackEvent(.tapped) }
    try await TrackingVerifier.current.require(.equal(to: .tapped))  // oneFailingArgument
  }

  @Test func aDetachedTask() async {
    let verifier = TrackingVerifier.current
    await Task.detached {
      _ = await verifier.wait(for: .tapped)  // aDetachedTask
    }.value
  }

  @Test func aNearMiss() async throws {
    TrackingVerifier.current.tracker.track(AddedToCart(productID: "42", quantity: 1))
    try await TrackingVerifier.current.require(.equal(to: AddedToCart(productID: "42", quantity: 2)))  // aNearMiss
  }

  @Test func aNearMissInADetachedTask() async {
    let verifier = TrackingVerifier.current
    verifier.tracker.trackEvent(.tapped)
    await Task.detached {
      _ = await verifier.wait(for: .named("button_taped"))  // aNearMissInADetachedTask
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

  @Test(.tracking(.init(timeout: 0, checksAtStop: [.nothingElse()]))) func anUnexpectedEvent() {  // anUnexpectedEvent
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
      _ = await scope.verifier.wait(for: .tapped)  // aTestThatHasEnded
    }.value
  }

  @Test func anEndpointThatIsTaken() async throws {  // anEndpointThatIsTaken
    let first = TrackingVerifier.current
    let port = try #require(first.endpoint.url.port.flatMap(UInt16.init(exactly:)))
    let second = TrackingScope(of: try #require(Test.current), .init(server: .init(port: port)))
    try await second.perform { _ = second.verifier.endpoint }
  }
}

@Suite(.enabled(if: NestedRun.isUnderWay))
struct FixturesWithoutTheTrait {
  @Test func noTrait() async throws {  // noTrait
    let verifier = TrackingVerifier.current
    verifier.tracker.trackEvent(.tapped)
    try await verifier.require(.equal(to: .tapped))
  }
}

@Suite(.enabled(if: NestedRun.isUnderWay))
struct FixturesOfTheWrongFramework {
  @Test func aVerifierOfXCTest() async {
    await TrackingVerifier(with: .idle(), configuration: .init(timeout: 0)).wait(for: .tapped)  // aVerifierOfXCTest
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
    verifier.wait(for: .tapped)  // aWaitOfSwiftTesting
  }

  func testATimedOutExpectation() throws {
    try XCTSkipUnless(NestedRun.isUnderWay)
    let verifier = TrackingVerifier(with: self)
    let purchased = verifier.expectation(for: .named("purchase"), count: 1)  // aTimedOutExpectation
    verifier.tracker.trackEvent(.tapped)
    wait(for: [purchased], timeout: 0)
  }
}
