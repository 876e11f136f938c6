import Testing
import TrackingVerifier

/// Gives each test a verifier of its own: ``TrackingVerifier/TrackingVerifier/current``.
///
/// ```swift
/// @Test(.tracking) func addingAProductIsTracked() async throws {
///   let verifier = TrackingVerifier.current
///   Cart(tracker: verifier.tracker).add("42")
///   let added = try await verifier.require(AddedToCart.self)
///   #expect(added.productID == "42")
/// }
/// ```
///
/// On a suite it holds for every test in it. Each argument of a parameterised test has a verifier of its own too, also
/// in parallel runs. The verifier's server starts when the test first asks for its endpoint, and ends with the test; a
/// test that only uses the `tracker` opens no socket.
public struct TrackingTrait: TestTrait, SuiteTrait, TestScoping {
  /// `nil` leaves it to a trait further out, or to the defaults.
  let configuration: TrackingVerifier.Configuration?

  /// Whether a suite hands the trait on to what is in it: always.
  public var isRecursive: Bool { true }

  /// Runs a test with a verifier of its own; called by the testing library.
  ///
  /// - Throws: What the test throws, but not what a `require` has thrown after it has recorded its failure.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    // A suite's trait and its test's come here one inside of the other: the outer one makes the verifier, for both.
    if let scope = TrackingScope.current, scope.runningTest.test.id == test.id { return try await function() }
    let configurations = test.traits.compactMap { ($0 as? TrackingTrait)?.configuration }
    try await TrackingScope(of: test, configurations.last ?? configuration ?? .init()).perform(function)
  }
}

extension Trait where Self == TrackingTrait {
  /// A verifier for each test: `@Test(.tracking)` or `@Suite(.tracking)`.
  public static var tracking: TrackingTrait { TrackingTrait(configuration: nil) }

  /// A verifier for each test, set up in one way: `@Test(.tracking(.init(timeout: 1)))`.
  ///
  /// Of several on a test and its suites the innermost counts. Failures are recorded as issues of the test, unless the
  /// configuration has a reporter of your own.
  public static func tracking(_ configuration: TrackingVerifier.Configuration) -> TrackingTrait {
    TrackingTrait(configuration: configuration)
  }
}
