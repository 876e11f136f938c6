/// The source of a verifier's or server's recording: `recording: .folder("checkout", upstream: url)`.
///
/// The module StubRecording makes sources.
public struct RecordingSource: Sendable {
  /// Makes the backend from the environment, for the test with a name.
  package typealias Opening = @Sendable (_ environment: [String: String], _ test: String?) throws -> any Backend

  package let open: Opening

  package init(_ open: @escaping Opening) {
    self.open = open
  }
}
