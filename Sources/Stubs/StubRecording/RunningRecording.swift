import TrackingServer

/// A recording behind a server.
public struct RunningRecording: Sendable {
  let backend: any Backend

  /// A line for a console or a log, such as a request's target, without the secrets that are known so far.
  public func redacted(_ line: String) -> String {
    (backend as? Recorder)?.redacted(line) ?? line
  }

  /// Writes what was recorded so far; does nothing in a replay.
  ///
  /// - Throws: `RecordingError` if nothing was written, with the reason.
  public func finish() throws {
    try backend.finish(hasFailed: false)
  }
}
