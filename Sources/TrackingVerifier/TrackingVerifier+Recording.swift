import Foundation
import StubModel
import TrackingServer

// This module doesn't import StubRecording, so that targets that don't record don't compile it.

extension TrackingVerifier {
  /// Sets the recorded backend of the server at the first start, and returns why that failed.
  func recordingProblem(at location: CodeLocation) -> CheckFailure? {
    guard let source = configuration.recording else { return nil }
    do {
      let backend =
        try state.withLock(\.stubs.backend) ?? source.open(ProcessInfo.processInfo.environment, recordingName)
      state.withLock { $0.stubs.backend = backend }
      server.backend.withLock { $0 = backend }
      return nil
    } catch {
      return CheckFailure(
        .unusableRecording, "The recording can't be used: \(StubError.text(of: error))", at: location)
    }
  }

  /// The name of the test with its argument; each has a separate recording.
  private var recordingName: String? {
    guard let testName, case .text(let argument)? = testParts?.argument else { return testName }
    return "\(testName)-\(argument)"
  }

  /// Writes the recording, and removes the backend from a server that continues without this verifier.
  func finishRecording(hasFailed: Bool) -> [CheckFailure] {
    guard let backend = state.withLock(\.stubs.backend) else { return [] }
    if !ownsServer { server.backend.withLock { $0 = $0 === backend ? nil : $0 } }
    do {
      try backend.finish(hasFailed: hasFailed || self.hasFailed || state.withLock(\.record.hasFailures))
      return []
    } catch {
      return [
        CheckFailure(
          .unusableRecording, "The recording failed: \(StubError.text(of: error))", at: startLocation)
      ]
    }
  }
}
