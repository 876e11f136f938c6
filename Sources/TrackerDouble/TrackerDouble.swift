import Dispatch
import Foundation
import TrackingModel
import TrackingSockets

/// Stands in for the app's analytics provider in tests: sends each event that the app tracks to the verifier that launched the app.
///
/// ```swift
/// // The app's composition root: the double when a test launched the app, else the real tracker.
/// let tracker: any TrackerProtocol = TrackerDouble() ?? ProviderTracker()
/// ```
///
/// Events arrive in the order in which they were tracked, each once, also when the verifier starts late, drops the connection or is slow.
/// What could not be delivered is logged with the reason (`os.Logger` on Apple's platforms, standard error elsewhere), counted in
/// ``delivery`` and handed to ``Configuration/onFailure``. A double that is given up by its owner still delivers what it holds, within
/// the deadline, and then ends its thread.
public final class TrackerDouble: TrackerProtocol, Sendable {
  private let queue: DeliveryQueue
  private let route: Result<DeliveryRoute, EndpointProblem>
  private let configuration: Configuration
  private let log: DeliveryLog

  /// A double that sends events to an endpoint.
  ///
  /// Only this machine is taken: `::1`, `127.0.0.1` and `localhost`, over `http`. Any other endpoint is logged as an error, and every event then
  /// counts as failed.
  public convenience init(endpoint: TrackingEndpoint, configuration: Configuration = .init()) {
    self.init(endpoint: endpoint, configuration: configuration, log: .system)
  }

  /// A double that sends events to the endpoint which the test handed over in the app's environment; `nil` only when nothing was handed over.
  ///
  /// A malformed hand-over is not `nil`, so that it never falls through to the real tracker: it is logged as an error, and every
  /// event counts as failed.
  public convenience init?(
    environment: [String: String] = ProcessInfo.processInfo.environment, configuration: Configuration = .init()
  ) {
    self.init(environment: environment, configuration: configuration, log: .system)
  }

  /// A double that sends events to the endpoint which the test handed over in the app's launch arguments; `nil` only when nothing was handed over.
  ///
  /// A malformed hand-over is treated as one in the environment is.
  ///
  /// ```swift
  /// let tracker: any TrackerProtocol = TrackerDouble(arguments: CommandLine.arguments) ?? ProviderTracker()
  /// ```
  public convenience init?(arguments: [String], configuration: Configuration = .init()) {
    self.init(environment: TrackingEndpoint.environment(from: arguments), configuration: configuration, log: .system)
  }

  convenience init(endpoint: TrackingEndpoint, configuration: Configuration, log: DeliveryLog) {
    self.init(route: Result { () throws(EndpointProblem) in try DeliveryRoute(to: endpoint) }, configuration, log)
  }

  convenience init?(environment: [String: String], configuration: Configuration, log: DeliveryLog) {
    guard TrackingEndpoint.isHandedOver(in: environment) else { return nil }
    if let endpoint = TrackingEndpoint(environment: environment) {
      self.init(endpoint: endpoint, configuration: configuration, log: log)
    } else {
      let problem = EndpointProblem.handedOver(environment[TrackingEndpoint.urlVariable])
      self.init(route: .failure(problem), configuration, log)
    }
  }

  private init(route: Result<DeliveryRoute, EndpointProblem>, _ configuration: Configuration, _ log: DeliveryLog) {
    self.route = route
    self.configuration = configuration
    self.log = log
    switch route {
    case .success: queue = DeliveryQueue(limit: configuration.queueLimit)
    case .failure(let problem):
      queue = DeliveryQueue(limit: 0)
      log.write("no event will be delivered: \(problem)")
    }
  }

  deinit {
    queue.giveUp()
  }

  /// Takes an event to deliver; returns at once, on any thread.
  ///
  /// The event is encoded and sent by the double's own thread, which the first event starts.
  public func trackEvent(_ event: TrackingEvent) {
    if queue.append(event) {
      startThread()
    }
  }

  /// Waits until all that was tracked before this call has been acknowledged by the verifier, or can no longer be.
  ///
  /// A process that is about to end calls this first: what is still pending ends with it. Blocks the calling thread for at most `timeout`
  /// seconds; a pause between two attempts is cut short. Inside of ``Configuration/onFailure`` it
  /// returns at once, since it is that thread which delivers.
  ///
  /// - Returns: `true` when everything tracked so far has been acknowledged; `false` at the timeout, and as soon as nothing is pending any more when any
  ///   event has failed.
  @discardableResult
  public func flush(timeout: TimeInterval) -> Bool {
    queue.flush(timeout: timeout)
  }

  /// How many events were tracked, and what became of them; read at one moment, on any thread.
  public var delivery: DeliveryCounts {
    queue.counts
  }

  private func startThread() {
    // The thread holds what it needs and not the double, which its owner can give up at any time.
    let isStarted = DispatchSemaphore(value: 0)
    let thread = Thread { [queue, route, configuration, log] in
      // Foundation on Linux can name a thread only after its `start` has returned.
      isStarted.wait()
      Thread.current.name = "TrackerDouble"
      queue.enterDeliveryThread()
      switch route {
      case .success(let route):
        var delivery = EventDelivery(from: queue, over: route, configuration, log)
        delivery.run()
      case .failure(let problem):
        LossReports(of: queue, reason: "\(problem)", FailureReports(configuration.onFailure, log: nil)).run()
      }
    }
    // Events that nest deeply are freed by recursion; the 512 KiB that some systems give a thread are few for that.
    thread.stackSize = 4 << 20
    thread.qualityOfService = .userInitiated
    thread.start()
    isStarted.signal()
  }
}
