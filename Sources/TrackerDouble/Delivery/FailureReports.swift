import TrackingLaunch
import TrackingModel

struct FailureReports: Sendable {
  let onFailure: (@Sendable (DeliveryFailure) -> Void)?
  /// `nil` if one message for all events has been logged.
  let log: AppLog?

  func report(_ failure: DeliveryFailure) {
    log?.write("\(failure)")
    onFailure?(failure)
  }
}

/// Reports dropped events, at most once a second and not one by one.
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

  /// Reports the losses since the last report, unless it was less than a second ago.
  mutating func reportOncePerSecond() {
    let now = ContinuousClock.now
    if let last, now - last < .seconds(1) { return }
    if reportAll() { last = now }
  }

  /// Returns `false` if there are no losses to report.
  @discardableResult
  func reportAll() -> Bool {
    let losses = queue.takeLosses()
    guard losses.count > 0 else { return false }
    reports.report(DeliveryFailure(events: losses.events, count: losses.count, reason: reason))
    return true
  }

  /// Reports each loss of a queue that accepts no events, until it is closed.
  func run() {
    while queue.waitForWork() {
      releasingTemporaries { _ = reportAll() }
    }
  }
}
