import Dispatch
import Foundation
import TrackingLaunch
@_exported import TrackingModel
@_exported import struct TrackingLaunch.LaunchFolder

/// Replaces the app's analytics provider in tests: sends each event that the app tracks to the verifier that launched the app.
///
/// ```swift
/// // The app's composition root: the double if a test launched the app, else the real tracker.
/// let tracker: any TrackerProtocol = TrackerDouble() ?? ProviderTracker()
/// ```
///
/// In an extension, and in an app that the system relaunches, that line chooses the real tracker: use ``init(appGroup:configuration:)`` there.
///
/// Each event arrives once and in tracking order, even if the verifier starts late, drops the connection or is slow. The log (`os.Logger` on
/// Apple's platforms, standard error elsewhere) says where events are sent, warns at once if they can't be, and later says why events weren't
/// delivered. Undelivered events are also counted in ``delivery`` and passed to ``Configuration/onFailure``. A released double still delivers its
/// events, within the deadline, then ends its thread.
public final class TrackerDouble: TrackerProtocol, Sendable {
  private let queue: DeliveryQueue
  private let route: Result<DeliveryRoute, EndpointProblem>
  private let configuration: Configuration
  private let log: AppLog
  private static let log = AppLog.system(of: "TrackerDouble")
  /// Whether the thread starts with the double, to send a hello to the verifier that launched the app.
  private let saysHello: Bool

  /// Creates a double that sends events to an endpoint.
  ///
  /// The endpoint must be on this machine: `::1`, `127.0.0.1` or `localhost`, over `http`. Any other endpoint is logged as an error, and every
  /// event fails.
  public convenience init(endpoint: TrackingEndpoint, configuration: Configuration = .init()) {
    self.init(endpoint: endpoint, configuration: configuration, log: Self.log)
  }

  /// Creates a double for the endpoint that the test passed in the app's environment or launch arguments; `nil` only if neither has one.
  ///
  /// A malformed endpoint still makes a double, so that the app never falls back to the real tracker: it is logged as an error, and every event
  /// fails. So does an argument that has one of the names as a word, outside a URL or a path, in an unsupported form.
  ///
  /// Only the process that the test launches inherits the environment. In the app's extensions, widgets, push services and App Clips, and in an app
  /// that the system relaunches, this initializer returns `nil`, and the provider receives the test's events: use ``init(appGroup:configuration:)``
  /// there.
  public convenience init?(configuration: Configuration = .init()) {
    self.init(launchFolder: nil, configuration: configuration)
  }

  /// Creates a double for all processes of an app: the one that the test launched, and the others of its app group.
  ///
  /// Equivalent to ``init(launchFolder:configuration:)`` with `LaunchFolder.appGroup(_:refusesWithoutVerifier:lifetime:)`.
  ///
  /// ```swift
  /// let tracker: any TrackerProtocol = TrackerDouble(appGroup: "group.com.example.shop") ?? ProviderTracker()
  /// ```
  public convenience init?(appGroup: String, configuration: Configuration = .init()) {
    self.init(launchFolder: .appGroup(appGroup), configuration: configuration)
  }

  /// Creates a double for the endpoint that the test passed to this process, or to another that shares its launch through a folder; `nil` if there
  /// is neither.
  ///
  /// A process with an endpoint saves it in the folder. A process without one looks there for a launch that hasn't expired, and asks the launch's
  /// verifier whether the test still runs, waiting at most half a second. Release builds never use the folder. `LaunchFolder` describes when a
  /// launch counts.
  ///
  /// - Parameters:
  ///   - launchFolder: The folder that the app's processes share; `nil` for none.
  ///   - configuration: The limits of the double.
  public convenience init?(launchFolder: LaunchFolder?, configuration: Configuration = .init()) {
    self.init(
      ProcessLaunch.find(
        environment: ProcessInfo.processInfo.environment, arguments: CommandLine.arguments, sharing: launchFolder),
      configuration: configuration, log: Self.log)
  }

  /// Creates a double for the endpoint in an environment; `nil` only if there is none.
  ///
  /// A malformed endpoint isn't `nil`: it is logged as an error, and every event fails.
  public convenience init?(environment: [String: String], configuration: Configuration = .init()) {
    self.init(environment: environment, configuration: configuration, log: Self.log)
  }

  /// Creates a double for the endpoint in launch arguments; `nil` only if there is none.
  ///
  /// A malformed endpoint isn't `nil`: it is logged as an error, and every event fails.
  public convenience init?(arguments: [String], configuration: Configuration = .init()) {
    self.init(environment: [:], arguments: arguments, configuration: configuration, log: Self.log)
  }

  convenience init(endpoint: TrackingEndpoint, configuration: Configuration, log: AppLog) {
    self.init(route: Result { () throws(EndpointProblem) in try DeliveryRoute(to: endpoint) }, configuration, log)
  }

  convenience init?(_ launch: ProcessLaunch, configuration: Configuration, log: AppLog) {
    if let note = launch.note { log.note(note) }
    if let refusal = launch.refusal {
      self.init(route: .failure(.refused(refusal)), configuration, log)
    } else {
      self.init(
        environment: launch.environment, arguments: launch.arguments, configuration: configuration, log: log)
    }
  }

  convenience init?(
    environment: [String: String], arguments: [String] = [], configuration: Configuration, log: AppLog
  ) {
    var passed = TrackingEndpoint.passed(in: environment)
    if case .nothing = passed { passed = TrackingEndpoint.passed(in: arguments) }
    switch passed {
    case .nothing: return nil
    case .endpoint(let endpoint):
      self.init(
        route: Result { () throws(EndpointProblem) in try DeliveryRoute(to: endpoint, isPassed: true) },
        configuration, log)
    case .malformed(let url): self.init(route: .failure(.passed(url)), configuration, log)
    case .misspelt(let argument): self.init(route: .failure(.misspelt(argument: argument)), configuration, log)
    }
  }

  private init(route: Result<DeliveryRoute, EndpointProblem>, _ configuration: Configuration, _ log: AppLog) {
    self.route = route
    self.configuration = configuration
    self.log = log
    switch route {
    case .success(let route):
      queue = DeliveryQueue(limit: configuration.queueLimit)
      saysHello = route.hello != nil
      log.note("sends events to \(route)")
    case .failure(let problem):
      queue = DeliveryQueue(limit: 0)
      saysHello = false
      log.write("no event will be delivered: \(problem)")
    }
    if saysHello { startThread() }
  }

  deinit {
    queue.close()
  }

  /// Queues an event and returns at once, on any thread; the double's own thread encodes and sends it.
  public func trackEvent(_ event: TrackingEvent) {
    if queue.append(event), !saysHello {
      startThread()
    }
  }

  /// Waits until the verifier has acknowledged all events tracked before this call, or they have failed.
  ///
  /// Call it before the process exits, which discards pending events. Blocks the calling thread for at most `timeout` seconds, and shortens the
  /// pause between two attempts. Called in ``Configuration/onFailure``, it returns at once, because that runs on the delivery thread.
  ///
  /// - Returns: `true` if all events tracked so far were acknowledged; `false` at the timeout, or if any event has failed.
  @discardableResult
  public func flush(timeout: TimeInterval) -> Bool {
    queue.flush(timeout: timeout)
  }

  /// The numbers of tracked, delivered, pending and failed events at one moment; safe to read on any thread.
  public var delivery: DeliveryCounts {
    queue.counts
  }

  private func startThread() {
    // The thread doesn't retain the double, which its owner may release at any time.
    let isStarted = DispatchSemaphore(value: 0)
    let thread = Thread { [queue, route, configuration, log] in
      // On Linux a thread can be named only after `start` has returned.
      isStarted.wait()
      Thread.current.name = "TrackerDouble"
      queue.enterDeliveryThread()
      switch route {
      case .success(let route):
        var delivery = EventDelivery(from: queue, over: route, configuration, log)
        delivery.run()
      case .failure(let problem):
        LossReports(of: queue, reason: "\(problem)", FailureReports(onFailure: configuration.onFailure, log: nil)).run()
      }
    }
    // Deeply nested events are freed recursively, for which the default stack (512 KiB on some systems) is small.
    thread.stackSize = 4 << 20
    // The main thread's priority, because it may wait in `flush`.
    thread.qualityOfService = .userInteractive
    thread.start()
    isStarted.signal()
  }
}

extension TrackerDouble {
  /// The limits of a double, and a callback for undelivered events.
  public struct Configuration: Sendable {
    /// The largest number of events waiting for delivery; further ones fail at once.
    public var queueLimit: Int
    /// The largest number of events in one POST, which has more than one only if several are waiting.
    public var batchLimit: Int
    /// The seconds after tracking for which the delivery of an event is retried.
    ///
    /// An event that waits longer behind other events is still sent.
    public var deadline: TimeInterval
    /// The longest time of one attempt in seconds, from connecting to the end of the response.
    public var attemptTimeout: TimeInterval
    /// Called with undelivered events, on the double's own thread, one call at a time and with no lock held.
    ///
    /// The callback may call the double; delivery continues when it returns. The double retains it while delivering, so capture the double weakly.
    public var onFailure: (@Sendable (DeliveryFailure) -> Void)?

    /// Creates a configuration; the defaults suit almost every test.
    public init(
      queueLimit: Int = 10_000,
      batchLimit: Int = 100,
      deadline: TimeInterval = 30,
      attemptTimeout: TimeInterval = 10,
      onFailure: (@Sendable (DeliveryFailure) -> Void)? = nil
    ) {
      self.queueLimit = queueLimit
      self.batchLimit = batchLimit
      self.deadline = deadline
      self.attemptTimeout = attemptTimeout
      self.onFailure = onFailure
    }
  }
}
