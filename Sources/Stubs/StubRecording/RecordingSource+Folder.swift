import Foundation
import TrackingServer

extension RecordingSource {
  /// Returns the recording of a backend in `Recordings/<name>`, next to the caller's source file.
  ///
  /// ```swift
  /// let verifier = TrackingVerifier(with: self, configuration: .init(recording: .folder("checkout", upstream: staging)))
  /// ```
  ///
  /// A recording belongs to the test that records it; other tests may replay it. Without a name, it has the test's: `.folder(upstream: staging)` is
  /// `Recordings/CheckoutTests.testBuying`.
  ///
  /// The environment variable `TRACKING_RECORD` (`xcodebuild`: `TEST_RUNNER_TRACKING_RECORD`) selects the mode: `replay` (the default, which sends
  /// no requests to the backend), `once` or `rewrite`. It isn't a parameter, so that recording needs no change of a test.
  ///
  /// - Parameters:
  ///   - name: The name of the folder; `nil` for the name of the test.
  ///   - upstream: The backend: scheme, host and port.
  ///   - redaction: The values to replace before anything is written.
  ///   - paths: Templates of paths whose requests have the same responses, such as `/books/:id`. Without a template, each path has its own
  ///     responses.
  ///   - matching: The names of header fields to compare: `["Authorization"]` distinguishes users.
  ///   - ignoring: The names of query items, form fields and JSON members of requests that differ in each run, such as a request's id: their values
  ///     are recorded as `{any}`.
  ///   - folder: A folder, or a bundle that has `Recordings` among its resources; `nil` for the folder of the caller's source file.
  ///   - file: The caller's source file.
  public static func folder(
    _ name: String? = nil, upstream: URL, redaction: SecretRedaction = .standard, paths: [String] = [],
    matching: [String] = [],
    ignoring: [String] = [], in folder: StubFolder? = nil, file: StaticString = #filePath
  ) -> RecordingSource {
    .folder(
      name, upstreams: ["/*": upstream], redaction: redaction, paths: paths, matching: matching, ignoring: ignoring,
      in: folder, file: file)
  }

  /// Returns the recording of several backends, each with the path or the host of its requests.
  ///
  /// ```swift
  /// .folder("checkout", upstreams: ["/api/*": api, "/images/*": cdn])
  /// .folder("checkout", upstreams: ["api.localhost": api, "cdn.localhost": cdn])
  /// ```
  ///
  /// Other requests aren't forwarded. The other parameters are those for a single backend.
  public static func folder(
    _ name: String? = nil, upstreams: [String: URL], redaction: SecretRedaction = .standard, paths: [String] = [],
    matching: [String] = [], ignoring: [String] = [], in folder: StubFolder? = nil, file: StaticString = #filePath
  ) -> RecordingSource {
    let setup = RecordingSetup(upstreams, redaction, paths, matching, ignoring)
    return RecordingSource { environment, test in
      guard let name = name ?? test?.asFileName else {
        throw RecordingError("the recording needs a name, because no test is running: .folder(\"checkout\", …)")
      }
      let url = RecordedScenario(name, in: folder, file: file).folder
      return try Recorder(setup, folder: url, test: test, environment: environment)
    }
  }

  /// Returns the recording in a folder, by its URL.
  ///
  /// Without upstreams it uses those of the recording, which must exist.
  public static func folder(
    at url: URL, upstreams: [String: URL] = [:], redaction: SecretRedaction = .standard, paths: [String] = [],
    matching: [String] = [], ignoring: [String] = []
  ) -> RecordingSource {
    let setup = RecordingSetup(upstreams, redaction, paths, matching, ignoring)
    return RecordingSource { environment, test in
      try Recorder(setup, folder: url, test: test, environment: environment)
    }
  }
}

extension String {
  fileprivate var asFileName: String { replacing(/[^\p{L}\p{N}._-]+/, with: "-") }
}

extension TrackingServer {
  /// Serves a recorded backend without a test, in the mode of `TRACKING_RECORD` (`xcodebuild`: `TEST_RUNNER_TRACKING_RECORD`) in the environment.
  ///
  /// - Returns: The recording, whose ``RunningRecording/finish()`` writes it.
  /// - Throws: An error with the reason if the recording can't be used.
  public func use(
    _ source: RecordingSource, environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws -> RunningRecording {
    let opened = try source.open(environment, nil)
    backend.withLock { $0 = opened }
    return RunningRecording(backend: opened)
  }
}
