import TrackingServer

/// A recording in use by a server; ``finish()`` writes it.
public struct RunningRecording: Sendable {
  let backend: any Backend

  /// Returns a line for a console or a log, such as a request's target, with known secrets replaced by placeholders.
  public func redacted(_ line: String) -> String {
    (backend as? Recorder)?.redacted(line) ?? line
  }

  /// Writes the responses recorded so far; in a replay, does nothing.
  ///
  /// - Throws: An error with the reason if nothing was written.
  public func finish() throws {
    try backend.finish(hasFailed: false)
  }
}
