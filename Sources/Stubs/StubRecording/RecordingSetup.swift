import StubModel
import StubReplay

/// The parameters of a recording.
struct RecordingSetup: Sendable {
  var upstreams: [String: String]
  var redaction: SecretRedaction
  var paths: [String]
  var headers: [String]
}

extension BackendRecording {
  /// Adds the parameters of a test.
  mutating func add(_ setup: RecordingSetup) {
    upstreams.merge(setup.upstreams) { $1 }
    let known = Set(headers.map { $0.lowercased() })
    headers += setup.headers.filter { !known.contains($0.lowercased()) }
    paths += setup.paths.filter { !paths.contains($0) }
  }
}
