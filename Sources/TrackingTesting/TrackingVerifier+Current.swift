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
  /// It goes by the task that asks: in a detached task, or on a thread of your own, take the verifier along from the
  /// test. Where no test has one an issue is recorded, and what is returned works but is seen by nobody else.
  public static var current: TrackingVerifier {
    if let scope = TrackingScope.current { return scope.verifier }
    let reporter = TestingReporter()
    reporter.report(
      VerificationFailure(
        kind: .outsideOfTest,
        message: """
          TrackingVerifier.current was asked for where no test has a verifier: give the test or its suite the trait \
          `.tracking`; in a detached task, use the verifier that the test took before. What this one receives is seen \
          by nobody else.
          """, location: .wholeTest))
    return TrackingVerifier(configuration: .init(reporter: reporter), host: nil)
  }
}
