import TrackingSockets

/// Reports the events that did not fit the queue: in a flood together and at most once a second, not one by one.
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

  /// Reports what was lost since the last report, unless that was within this second.
  mutating func reportOncePerSecond() {
    let now = ContinuousClock.now
    if let last, now - last < .seconds(1) { return }
    if reportAll() { last = now }
  }

  /// Reports what was lost since the last report; `false` when nothing was.
  @discardableResult
  func reportAll() -> Bool {
    let losses = queue.takeLosses()
    guard losses.count > 0 else { return false }
    reports.report(DeliveryFailure(events: losses.events, count: losses.count, reason: reason))
    return true
  }

  /// Reports each loss of a queue to which nothing fits, until it is given up.
  func run() {
    while queue.waitForWork() {
      releasingTemporaries { _ = reportAll() }
    }
  }
}
