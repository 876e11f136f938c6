import Foundation
import StubModel
import TrackingRules
import TrackingServer

extension TrackingVerifier {
  /// The occasions on which the whole journal is attached to the test's result.
  public struct JournalOccasion: Hashable, Sendable {
    private enum Name {
      case onFailure, always, never
    }

    private let name: Name

    /// With each reported failure.
    public static let onFailure = Self(name: .onFailure)
    /// With each failure, and by each `stop()`.
    public static let always = Self(name: .always)
    /// Never.
    public static let never = Self(name: .never)
  }

  /// A verifier's configuration.
  ///
  /// ```swift
  /// var configuration = TrackingVerifier.Configuration(timeout: 10)
  /// configuration.checksAtStop = [.delivery, .nothingElse(ignoring: [.named("heartbeat")])]
  /// let verifier = TrackingVerifier(with: self, configuration: configuration)
  /// ```
  public struct Configuration: Sendable {
    /// The server's configuration.
    public var server: TrackingServer.Configuration
    /// The timeout in seconds of waits that set none.
    ///
    /// The variable `TRACKING_TIMEOUT_SCALE` multiplies all timeouts and settling times: <doc:EnvironmentVariables>.
    public var timeout: TimeInterval
    /// Seconds without a further match after which a wait with an upper bound, such as `count: 2`, passes.
    ///
    /// By default 0.25 s; 0.05 s if the server was never started, because the test's own `tracker` records each event synchronously.
    public var settling: TimeInterval?
    /// The checks that each `stop()` runs without waiting.
    ///
    /// A failure is reported at the line of `start()`, or where the verifier was created. An empty list disables the checks. Extras and matches that
    /// arrived after their wait, and a full journal, are always reported.
    ///
    /// By default `.delivery` and `.plan`; without a plan, the latter does nothing.
    public var checksAtStop: [TrackingCheck<CheckOutcome>]
    /// The tracking plan to check events against; `nil` for the plan in the variable `TRACKING_PLAN`, if set
    /// (`xcodebuild`: `TEST_RUNNER_TRACKING_PLAN`).
    ///
    /// TrackingPlan provides sources: `.bundle(.module, "tracking-plan.json")`. A plan that can't be read fails the test at the line of `start()`.
    public var plan: PlanSource?
    /// The recorded backend that responds to requests without a stub.
    ///
    /// StubRecording provides sources: `.folder("checkout", upstream: url)`. An unusable recording fails the test at the line of `start()`.
    public var recording: RecordingSource?
    /// The occasions on which the whole journal is attached to the test's result.
    public var keepsJournal: JournalOccasion
    /// The folder of stubs' files without a folder; `nil` for the resources of the test's bundle.
    public var stubFolder: StubFolder?
    /// The names under which the app expects the server's port or URL: `["SERVER_PORT": .port, "-reportingURL": .url]`.
    ///
    /// A name that begins with `-` is a launch argument followed by its value; others are variables of the launch environment.
    public var endpointVariables: [String: EndpointVariable]
    /// The occasion on which the inspector's page is served; requires the product TrackingInspector in the test target.
    public var inspector: InspectorOccasion
    /// Seconds in which events may arrive that a program sent before its end.
    package var arrivalTime: TimeInterval = 0.25
    /// Whether TrackingAudit repeats the test's checks on mutants of its timeline; `nil` leaves it to the environment.
    package var mutationDecision: (any MutationDecision)?
    /// The receiver of failures; `nil` for the running test of the verifier's framework.
    public var reporter: (any FailureReporter)?

    /// Creates a configuration; the default values suit most tests.
    public init(
      server: TrackingServer.Configuration = .init(),
      timeout: TimeInterval = 5,
      settling: TimeInterval? = nil,
      checksAtStop: [TrackingCheck<CheckOutcome>] = [.delivery, .plan],
      plan: PlanSource? = nil,
      recording: RecordingSource? = nil,
      keepsJournal: JournalOccasion = .onFailure,
      stubFolder: StubFolder? = nil,
      endpointVariables: [String: EndpointVariable] = [:],
      inspector: InspectorOccasion = .onRequest,
      reporter: (any FailureReporter)? = nil
    ) {
      self.server = server
      self.timeout = timeout
      self.settling = settling
      self.checksAtStop = checksAtStop
      self.plan = plan
      self.recording = recording
      self.keepsJournal = keepsJournal
      self.stubFolder = stubFolder
      self.endpointVariables = endpointVariables
      self.inspector = inspector
      self.reporter = reporter
    }
  }
}
