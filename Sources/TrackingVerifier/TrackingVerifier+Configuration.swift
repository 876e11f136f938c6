import Foundation
import StubModel
import TrackingRules
import TrackingServer

extension TrackingVerifier {
  /// The occasions at which the whole journal is attached to the test's result.
  public enum JournalOccasion: Hashable, Sendable {
    /// With each failure that is reported.
    case onFailure
    /// With each failure, and at each stop.
    case always
    /// Never.
    case never
  }

  /// The configuration of a verifier.
  ///
  /// ```swift
  /// var configuration = TrackingVerifier.Configuration(timeout: 10)
  /// configuration.checksAtStop = [.delivery, .nothingElse(ignoring: [.named("heartbeat")])]
  /// let verifier = TrackingVerifier(with: self, configuration: configuration)
  /// ```
  public struct Configuration: Sendable {
    /// The configuration of its server.
    public var server: TrackingServer.Configuration
    /// The timeout of waits that name none, in seconds.
    ///
    /// The variable `TRACKING_TIMEOUT_SCALE` multiplies all timeouts and settling times: <doc:EnvironmentVariables>.
    public var timeout: TimeInterval
    /// Seconds without a further match after which a wait with an upper bound, such as `count: 2`, succeeds.
    ///
    /// By default 0.25 s for a verifier whose server has been started. A verifier that was never started hears only its own process, where an event is
    /// recorded in the call that tracks it: 0.05 s.
    public var settling: TimeInterval?
    /// The checks that each `stop()` runs without waiting; a failure is reported at the line of `start()`, or where the verifier was made.
    ///
    /// An empty list switches the checks off. Extras and matches that arrived after their wait had returned are always reported, as is a full
    /// journal.
    ///
    /// By default `.delivery` and `.plan`; the latter checks nothing without a plan.
    public var checksAtStop: [TrackingCheck<CheckOutcome>]
    /// The tracking plan to check events against; `nil` for the one that the variable `TRACKING_PLAN` names, if any
    /// (`xcodebuild`: `TEST_RUNNER_TRACKING_PLAN`).
    ///
    /// The module TrackingPlan makes sources: `.bundle(.module, "tracking-plan.json")`. A plan that can't be read fails the test at the line of
    /// `start()`.
    public var plan: PlanSource?
    /// The recorded backend that responds to requests to which no stub responds; `nil` for none.
    ///
    /// The module StubRecording makes sources: `.folder("checkout", upstream: url)`. A recording that can't be used fails the test at the line of
    /// `start()`.
    public var recording: RecordingSource?
    /// The occasions at which the whole journal is attached to the test's result.
    public var keepsJournal: JournalOccasion
    /// The folder of stubs' files that name no folder; `nil` for the resources of the test's bundle.
    public var stubFolder: StubFolder?
    /// Names under which the app expects the server's port or URL: `["SERVER_PORT": .port, "-reportingURL": .url]`.
    ///
    /// One that begins with a `-` is a launch argument, with the value behind it; all others are variables of the launch environment.
    public var endpointVariables: [String: EndpointVariable]
    /// The time at which the inspector's page is served; needs the product TrackingInspector in the test target.
    public var inspector: InspectorOccasion
    /// Whether the test's checks are repeated on mutants of its timeline, which TrackingAudit decides; `nil` leaves it to the environment.
    package var mutationDecision: (any MutationDecision)?
    /// The receiver of failures; `nil` for the running test of the framework that the verifier was made for.
    public var reporter: (any FailureReporter)?

    /// A configuration; each value has a default that suits tests.
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
