import Testing
import TestSupport
import TrackingSockets

@testable import TrackingTesting

/// Tests that a nested run repeats, cancels, and runs with arguments.
@Suite(.enabled(if: NestedRun.isUnderWay), .tracking(.init(timeout: 0)))
struct RepeatedFixtures {
  private static let executions = Locked(0)

  /// Fails in its first execution, at the `requireNext`, and passes in its second.
  @Test func failsOnce() async throws {
    let execution = Self.executions.withLock { executions in
      executions += 1
      return executions
    }
    let verifier = TrackingVerifier.current
    #expect(verifier.events == [], "an earlier execution's events")
    verifier.tracker.trackEvent(.init(name: "execution_\(execution)"))
    _ = try await verifier.require(.next(.named("execution_2")))
    #expect(await verifier.outcome(of: .nothingElse()).passed)
  }

  @Test(arguments: ["a", "b", "c"]) func eachArgument(name: String) async throws {
    let verifier = TrackingVerifier.current
    verifier.tracker.trackEvent(.init(name: name))
    verifier.tracker.trackEvent(.init(name: name))
    for _ in 1...2 {
      let event = try await verifier.require(.next(.named(name)))
      #expect(event.name == name)
    }
    #expect(verifier.events.count == 2)
  }

  /// Cancelled while it waits for an event that never arrives.
  @Test func aCancelledTest() async throws {
    let verifier = TrackingVerifier.current
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { _ = try await verifier.require(.named("never"), timeout: 600) }
      group.addTask { try Test.cancel("enough") }
      try await group.waitForAll()
    }
  }
}
