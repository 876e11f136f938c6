import Testing
import TrackingVerifier

/// Holds the verifier of one test, or of one argument of a parameterized test, while it runs.
final class TrackingScope: Sendable {
  @TaskLocal static var current: TrackingScope?

  let runningTest: RunningTest
  let verifier: TrackingVerifier
  private let seat: ServerSeat

  init(
    of test: Test, case testCase: Test.Case? = nil, _ configuration: TrackingVerifier.Configuration,
    seats: ServerSeats = .shared
  ) {
    runningTest = RunningTest(test, testCase)
    seat = ServerSeat(among: seats, for: runningTest)
    verifier = TrackingVerifier(
      configuration: configuration, host: seat,
      reporter: configuration.reporter ?? TestingReporter(home: runningTest))
  }

  /// Runs the test, then stops its verifier and server.
  func perform(_ function: @Sendable () async throws -> Void) async throws {
    await seat.take()
    try await Self.$current.withValue(self) {
      defer { end() }
      do {
        try await function()
      } catch let failure as RequirementFailure where runningTest.hasReported(at: failure.location) {
        // The test ends here; its failure was recorded at the line of the `require`.
      } catch {
        // `Test.cancel` throws its own error and isn't a failure; a time limit cancels the test, too.
        if !Task.isCancelled || error is CancellationError { seat.fail() }
        throw error
      }
    }
  }

  private func end() {
    verifier.stopForGood()
    seat.leave()
    let kept = runningTest.end()
    let reporter = verifier.reporter
    _ = reporter.keepAttachments(kept.attachments)
    for failure in kept.failures { reporter.report(failure) }
  }
}
