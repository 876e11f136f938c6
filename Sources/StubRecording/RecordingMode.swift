/// What a recording is used for in this run: `TRACKING_RECORD`, so that no test is edited to record.
enum RecordingMode: String, CaseIterable, Sendable {
  /// Answers from the recording alone; what isn't recorded is answered with 404.
  case replay
  /// Records if there is no recording yet, else replays.
  case once
  /// Answers what is recorded, and asks the backend for the rest, which is added.
  case append
  /// Asks the backend for everything, and replaces the recording.
  case rewrite

  static let variable = "TRACKING_RECORD"

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
