/// The source of a recording, for a verifier or server: `recording: .folder("checkout", upstream: url)`.
///
/// Sources are created with the product StubRecording.
public struct RecordingSource: Sendable {
  /// Opens the backend for a test, by its name and the environment.
  package typealias Opening = @Sendable (_ environment: [String: String], _ test: String?) throws -> any Backend

  package let open: Opening

  package init(_ open: @escaping Opening) {
    self.open = open
  }
}
