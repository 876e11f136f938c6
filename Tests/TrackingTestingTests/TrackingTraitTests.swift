import TrackingModel
import Testing
import TestSupport
import TrackerDouble
import TrackingSockets
import TrackingTesting

@testable import TrackingVerifier

@Suite(.tracking)
struct TrackingTraitTests {
  private static let seen = Locked<Set<ObjectIdentifier>>([])
  /// Kept, so that no two are at one address in turn.
  private static let kept = Locked<[TrackingVerifier]>([])

  private func expectToBeNew(_ verifier: TrackingVerifier) {
    Self.kept.withLock { $0.append(verifier) }
    #expect(Self.seen.withLock { $0.insert(ObjectIdentifier(verifier)).inserted })
  }

  @Test("a test has one verifier, also in its child tasks")
  func oneVerifierPerTest() async {
    let verifier = TrackingVerifier.current
    expectToBeNew(verifier)
    async let inChild = TrackingVerifier.current
    let inTask = Task { TrackingVerifier.current }
    #expect(await inChild === verifier)
    #expect(await inTask.value === verifier)
  }

  @Test("each argument has its own verifier", arguments: 0..<50)
  func oneVerifierPerArgument(number: Int) async throws {
    let verifier = TrackingVerifier.current
    expectToBeNew(verifier)
    verifier.tracker.track(AddedToCart(productID: "\(number)", quantity: 1))
    _ = try await verifier.require(.typed(AddedToCart.self))
    #expect(verifier.events == [TrackingEvent(AddedToCart(productID: "\(number)", quantity: 1))])
  }

  @Test(
    "a trait on the suite and one on the test make one verifier, with the inner configuration",
    .tracking(.init(timeout: 7)))
  func theInnerConfigurationCounts() {
    #expect(TrackingVerifier.current.configuration.timeout == 7)
  }

  @Test("a trait without a configuration leaves that of another", .tracking(.init(timeout: 8)), .tracking)
  func aPlainTraitLeavesTheConfiguration() {
    #expect(TrackingVerifier.current.configuration.timeout == 8)
  }

  @Suite(.tracking(.init(timeout: 9)))
  struct InAnInnerSuite {
    @Test("the innermost suite's configuration applies")
    func theInnermostConfigurationCounts() {
      #expect(TrackingVerifier.current.configuration.timeout == 9)
    }
  }

  @Test("a test that tracks in its own process starts no server")
  func noServerWithoutUse() async throws {
    let verifier = TrackingVerifier.current
    verifier.tracker.trackEvent(.tapped)
    try await verifier.require(.equal(to: .tapped))
    #expect(verifier.server.lastEndpoint == nil)
  }

  @Test("the first use of an endpoint starts the server, and every use names the same")
  func theFirstUseStartsTheServer() async throws {
    let verifier = TrackingVerifier.current
    let double = try #require(TrackerDouble(environment: verifier.launchEnvironment))
    double.track(AddedToCart(productID: "42", quantity: 2))
    let added = try await verifier.require(.typed(AddedToCart.self) { $0.quantity == 2 }, timeout: 60)
    #expect(added.productID == "42")
    #expect(verifier.launchArguments == verifier.endpoint.launchArguments)
  }
}
