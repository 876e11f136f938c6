import Testing
import TrackingVerifier

/// The time of one test, or of one argument of a parameterised test, in which it has its verifier.
final class TrackingScope: Sendable {
  /// The scope in which the current task runs.
  @TaskLocal static var current: TrackingScope?

  let runningTest: RunningTest
  let verifier: TrackingVerifier
  private let seat: ServerSeat

  init(of test: Test, _ configuration: TrackingVerifier.Configuration, seats: ServerSeats = .shared) {
    runningTest = RunningTest(test)
    seat = ServerSeat(among: seats, for: runningTest)
    var configuration = configuration
    if configuration.reporter is XCTestReporter {
      // The default, which a test of Swift Testing would not notice.
      configuration.reporter = TestingReporter(home: runningTest)
    }
    verifier = TrackingVerifier(configuration: configuration, host: seat)
  }

  /// Runs the test, and ends its verifier and server after it.
  func perform(_ function: @Sendable () async throws -> Void) async throws {
    await seat.take()
    try await Self.$current.withValue(self) {
      defer { end() }
      do {
        try await function()
      } catch let failure as RequirementFailure where failure.isRecorded {
        // The test ends here; its failure stands at the line of the `require`.
      }
    }
  }

  private func end() {
    verifier.stop()
    seat.leave()
    let kept = runningTest.end()
    let reporter = verifier.configuration.reporter
    for attachment in kept.attachments { _ = reporter.keep(attachment, for: nil) }
    for failure in kept.failures { reporter.report(failure) }
  }
}
