import TrackingHandOver
import TrackingModel

/// Reports events that could not be delivered to the log and to the configured callback.
struct FailureReports: Sendable {
  let onFailure: (@Sendable (DeliveryFailure) -> Void)?
  /// `nil` if the reason has been logged once for all events.
  let log: AppLog?

  func report(_ failure: DeliveryFailure) {
    log?.write("\(failure)")
    onFailure?(failure)
  }
}

/// The events that did not fit the queue: the first of them, and their number.
struct Losses: Sendable {
  /// The number of events that are kept for reports, so that memory stays bounded.
  static let kept = 100

  private(set) var events: [TrackingEvent] = []
  private(set) var count = 0

  mutating func add(_ event: TrackingEvent) {
    count += 1
    if events.count < Self.kept { events.append(event) }
  }
}

/// Reports the events that did not fit the queue, at most once a second and not one by one.
struct LossReports {
  private let queue: DeliveryQueue
  private let reason: String
  private let reports: FailureReports
  private var last: ContinuousClock.Instant?

  init(of queue: DeliveryQueue, reason: String, _ reports: FailureReports) {
    self.queue = queue
    self.reason = reason
    self.reports = reports
  }

  /// Reports the losses since the last report, unless that was less than a second ago.
  mutating func reportOncePerSecond() {
    let now = ContinuousClock.now
    if let last, now - last < .seconds(1) { return }
    if reportAll() { last = now }
  }

  /// Reports the losses since the last report; returns `false` if there are none.
  @discardableResult
  func reportAll() -> Bool {
    let losses = queue.takeLosses()
    guard losses.count > 0 else { return false }
    reports.report(DeliveryFailure(events: losses.events, count: losses.count, reason: reason))
    return true
  }

  /// Reports each loss of a queue that takes no events, until the queue is closed.
  func run() {
    while queue.waitForWork() {
      releasingTemporaries { _ = reportAll() }
    }
  }
}
