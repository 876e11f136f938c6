import Foundation
import Testing
import TrackingVerifier

/// Gives each test its own verifier: ``TrackingVerifier/TrackingVerifier/current``.
///
/// ```swift
/// @Test(.tracking) func addingAProductIsTracked() async throws {
///   let verifier = TrackingVerifier.current
///   Cart(tracker: verifier.tracker).add("42")
///   let added = try await verifier.require(.typed(AddedToCart.self))
///   #expect(added.productID == "42")
/// }
/// ```
///
/// On a suite it applies to every test in it. Each argument of a parameterized test has its own verifier, even in parallel runs. The verifier's
/// server starts when the test first uses its endpoint, and stops when the test ends. A test that uses only the `tracker` opens no socket.
public struct TrackingTrait: TestTrait, SuiteTrait, TestScoping {
  /// `nil` for the configuration of an outer suite's trait, or the defaults.
  let configuration: TrackingVerifier.Configuration?

  /// Whether a suite applies the trait to its tests and suites: always.
  public var isRecursive: Bool { true }

  /// Runs a test with its own verifier; called by the testing library.
  ///
  /// - Throws: The test's error, except that of a `require` whose failure has been recorded.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    // The calls for a suite's trait and for its test's are nested. The outer one creates the verifier for both.
    if let scope = TrackingScope.current, scope.runningTest.test.id == test.id { return try await function() }
    let configurations = test.traits.compactMap { ($0 as? TrackingTrait)?.configuration }
    try await TrackingScope(of: test, case: testCase, configurations.last ?? configuration ?? .init()).perform(function)
  }
}

extension Trait where Self == TrackingTrait {
  /// Gives each test a verifier with the default configuration: `@Test(.tracking)` or `@Suite(.tracking)`.
  public static var tracking: TrackingTrait { TrackingTrait(configuration: nil) }

  /// Gives each test a verifier with the given configuration: `@Test(.tracking(.init(timeout: 1)))`.
  ///
  /// If a test and its suites have several, the innermost applies. Failures are recorded as issues of the test, unless the configuration has your own
  /// reporter.
  public static func tracking(_ configuration: TrackingVerifier.Configuration) -> TrackingTrait {
    TrackingTrait(configuration: configuration)
  }

  /// Unavailable: a timeout is part of a configuration.
  @available(*, unavailable, message: "a timeout is part of a configuration: write .tracking(.init(timeout: 1))")
  public static func tracking(timeout: TimeInterval) -> TrackingTrait { tracking(.init(timeout: timeout)) }
}

extension TrackingVerifier {
  /// The verifier of the running test, which must have the trait ``Testing/Trait/tracking``.
  ///
  /// ```swift
  /// let verifier = TrackingVerifier.current
  /// try await launchApp(environment: verifier.launchEnvironment)
  /// await verifier.wait(for: .named("app_opened"))
  /// ```
  ///
  /// It is a task-local value: for a detached task or your own thread, read it in the test before and pass it on.
  /// Without the trait the test fails, at its first wait if XCTest runs it, and nothing else sees what the returned verifier receives.
  public static var current: TrackingVerifier {
    if let scope = TrackingScope.current { return scope.verifier }
    let reporter = TestingReporter()
    let misuse = """
      TrackingVerifier.current was used where no test has a verifier
      In Swift Testing, give the test or its suite the trait `.tracking`; for a detached task, read `current` in the test before and pass it on. In an XCTestCase, make \
      a verifier: `lazy var verifier: TrackingVerifier = .init(with: self)`.
      """
    // In Swift Testing the issue has the line of the test. Elsewhere the line isn't known here, and each wait fails at its own.
    guard Test.current == nil else {
      reporter.report(CheckFailure(.misuse, misuse, at: .wholeTest))
      return TrackingVerifier(configuration: .init(), host: nil, reporter: reporter)
    }
    return TrackingVerifier(
      configuration: .init(), host: nil, reporter: reporter, misuse: Misuse(misuse, reporter: reporter))
  }
}
