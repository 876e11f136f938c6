import Testing
import TrackingVerifier

extension TrackingVerifier {
  /// The verifier of the running test, which has the trait ``Testing/Trait/tracking``.
  ///
  /// ```swift
  /// let verifier = TrackingVerifier.current
  /// try await launchApp(environment: verifier.launchEnvironment)
  /// await verifier.wait(for: .named("app_opened"))
  /// ```
  ///
  /// It is a task-local value: for a detached task or your own thread, read it in the test before and pass it on.
  /// Where no test has one the test fails, at the line of its first wait if XCTest runs it, and no other code sees what the returned verifier receives.
  public static var current: TrackingVerifier {
    if let scope = TrackingScope.current { return scope.verifier }
    let reporter = TestingReporter()
    let misuse = """
      TrackingVerifier.current was used where no test has a verifier. In Swift Testing, give the test or its suite the \
      trait `.tracking`; for a detached task, read `current` in the test before and pass it on. In an XCTestCase, make \
      a verifier: `lazy var verifier = TrackingVerifier(with: self)`.
      """
    // In Swift Testing the issue has the line of the test. Elsewhere no line is known here, and each wait fails at its own.
    guard Test.current == nil else {
      reporter.report(VerificationFailure(kind: .outsideOfTest, message: misuse, location: .wholeTest))
      return TrackingVerifier(configuration: .init(), host: nil, reporter: reporter)
    }
    return TrackingVerifier(
      configuration: .init(), host: nil, reporter: reporter, misuse: Misuse(misuse, reporter: reporter))
  }
}
