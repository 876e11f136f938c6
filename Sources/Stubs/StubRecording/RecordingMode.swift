/// The use of recordings in a run, so that recording needs no change of a test.
///
/// From the environment variable `TRACKING_RECORD` (`xcodebuild`: `TEST_RUNNER_TRACKING_RECORD`).
enum RecordingMode: String, CaseIterable, Sendable {
  /// Answers from the recording alone; what isn't recorded is answered with 404.
  case replay
  /// Records if there is no recording yet, else replays.
  case once
  /// Replays recorded answers, and forwards other requests and records their answers.
  case append
  /// Asks the backend for everything, and replaces the recording.
  case rewrite

  static let variable = "TRACKING_RECORD"
  /// The variable that is `2` for a second take.
  static let takeVariable = "TRACKING_TAKE"

  /// Whether a run that records is the second take of a recording.
  static func isSecondTake(_ environment: [String: String]) throws -> Bool {
    switch environment[takeVariable] {
    case nil, "", "1": return false
    case "2": return true
    case let value?:
      throw RecordingError(
        "\(takeVariable) is \"\(value)\": use 2 for the second take of a recording, or leave it out.")
    }
  }

  /// - Throws: The value that isn't a mode, or the mode that isn't allowed where `CI` is set.
  init(environment: [String: String]) throws {
    guard let name = environment[Self.variable], !name.isEmpty else {
      self = .replay
      return
    }
    guard let mode = RecordingMode(rawValue: name) else {
      let modes = Self.allCases.map(\.rawValue)
      throw RecordingError(
        "\(Self.variable) is \"\(name)\", which isn't a mode: use \(modes.dropLast().joined(separator: ", ")) or \(modes.last ?? "")."
      )
    }
    if mode != .replay, let ci = environment["CI"], !ci.isEmpty {
      throw RecordingError(
        "\(Self.variable) is \"\(name)\", and CI is set: on CI recordings are only replayed. Record on your machine, look through the files and commit them."
      )
    }
    self = mode
  }
}
