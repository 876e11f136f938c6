import Testing
import TestSupport
import TrackerDouble
import TrackingTesting

@Suite(.tracking(.init(timeout: 300)))
struct ParallelWaitTests {
  /// The events are tracked by tasks of the same pool: if a wait held one of its threads, soon none would be left to
  /// track them.
  @Test("five hundred tests wait at once", arguments: 0..<500)
  func fiveHundredTestsWaitAtOnce(number: Int) async throws {
    let verifier = TrackingVerifier.current
    let tracker = verifier.tracker
    let wanted = AddedToCart(productID: "\(number)", quantity: 1)
    let tracking = Task {
      await Task.yield()
      tracker.track(wanted)
    }
    try await verifier.require(.equal(to: wanted))
    await tracking.value
    #expect(verifier.events == [TrackingEvent(wanted)])
  }

  /// More than the descriptors of a process would allow, were all live at once.
  @Test("two hundred tests with servers take turns", arguments: 0..<200)
  func testsWithServersTakeTurns(number: Int) async throws {
    let verifier = TrackingVerifier.current
    let double = try #require(TrackerDouble(environment: verifier.launchEnvironment))
    double.track(AddedToCart(productID: "\(number)", quantity: 1))
    try await verifier.require(.equal(to: AddedToCart(productID: "\(number)", quantity: 1)))
    #expect(verifier.events.count == 1)
  }
}
