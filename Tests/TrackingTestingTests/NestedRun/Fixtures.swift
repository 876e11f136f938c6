import Testing
import XCTest

@testable import TrackingTesting

// Tests that fail on purpose, in a process of their own: see `NestedRun`.

/// Lines of the fixtures that are to fail.
enum FixtureLine {
  static let aWaitInVain = #line + 12
  static let aRequirementInVain = #line + 15
  static let oneArgumentInVain = #line + 20
  static let aDetachedTask = #line + 26
  static let aTestThatHasEnded = #line + 39
}

@Suite(.enabled(if: NestedRun.isUnderWay), .tracking(.init(timeout: 0)))
struct Fixtures {
  @Test func aWaitInVain() async {
    await TrackingVerifier.current.wait(for: .tapped)
  }

  @Test func aRequirementInVain() async throws {
    try await TrackingVerifier.current.require(.tapped)
    Issue.record("a requirement in vain ends the test")
  }

  @Test(arguments: 1...3) func oneArgumentInVain(number: Int) async throws {
    if number != 2 { TrackingVerifier.current.tracker.trackEvent(.tapped) }
    try await TrackingVerifier.current.require(.tapped)
  }

  @Test func aDetachedTask() async {
    let verifier = TrackingVerifier.current
    await Task.detached {
      _ = await verifier.wait(for: .tapped)
    }.value
  }

  @Test func aVerifierInADetachedTask() async {
    await Task.detached { TrackingVerifier.current.tracker.trackEvent(.tapped) }.value
  }

  @Test func aTestThatHasEnded() async throws {
    let test = try XCTUnwrap(Test.current)
    let scope = TrackingScope(of: test, .init(timeout: 0))
    try await scope.perform {}
    await Task.detached {
      _ = await scope.verifier.wait(for: .tapped)
    }.value
  }

  @Test func anEndpointThatIsTaken() async throws {
    let first = TrackingVerifier.current
    let port = try XCTUnwrap(first.endpoint.url.port.flatMap(UInt16.init(exactly:)))
    let second = TrackingScope(of: try XCTUnwrap(Test.current), .init(server: .init(port: port)))
    try await second.perform { _ = second.verifier.endpoint }
  }
}

@Suite(.enabled(if: NestedRun.isUnderWay))
struct FixturesWithoutTheTrait {
  @Test func noTrait() async throws {
    let verifier = TrackingVerifier.current
    verifier.tracker.trackEvent(.tapped)
    try await verifier.require(.tapped)
  }
}

@Suite(.enabled(if: NestedRun.isUnderWay))
struct FixturesOfTheWrongFramework {
  @Test func aVerifierOfXCTest() async {
    await TrackingVerifier(with: .made(), configuration: .init(timeout: 0)).wait(for: .tapped)
  }
}

final class XCTestFixtures: XCTestCase {
  func testAVerifierOfSwiftTesting() throws {
    try XCTSkipUnless(NestedRun.isUnderWay)
    _ = TrackingVerifier.current
  }
}
