import TrackingModel

/// The use of recordings in a run, so that recording needs no change of a test.
///
/// Set by the environment variable `TRACKING_RECORD` (`xcodebuild`: `TEST_RUNNER_TRACKING_RECORD`).
enum RecordingMode: String, CaseIterable, Sendable {
  /// Responds only from the recording; other requests get 404.
  case replay
  /// Records if there is no recording, else replays.
  case once
  /// Sends every request to the backend, and replaces the recording.
  case rewrite

  /// Throws the invalid value, or the mode that isn't allowed where `CI` is set.
  init(environment: [String: String]) throws {
    guard let name = TestVariable.record.value(in: environment) else {
      self = .replay
      return
    }
    guard let mode = RecordingMode(rawValue: name) else {
      let modes = Self.allCases.map(\.rawValue)
      throw RecordingError(
        "\(TestVariable.record.name) is \"\(name)\", which isn't a mode: use \(modes.inWords(last: "or"))."
      )
    }
    if mode != .replay, !["", "0", "false", "no", "off"].contains(environment["CI"]?.lowercased() ?? "") {
      throw RecordingError(
        "\(TestVariable.record.name) is \"\(name)\", and CI is set: on CI recordings are only replayed. Record on your machine, look through the files and commit them."
      )
    }
    self = mode
  }
}
