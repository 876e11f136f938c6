/// Tells the log and the configured callback of events that could not be delivered.
struct FailureReports: Sendable {
  private let onFailure: (@Sendable (DeliveryFailure) -> Void)?
  private let log: DeliveryLog?

  /// - Parameter log: `nil` where the reason has been logged once for all.
  init(_ onFailure: (@Sendable (DeliveryFailure) -> Void)?, log: DeliveryLog?) {
    self.onFailure = onFailure
    self.log = log
  }

  func report(_ failure: DeliveryFailure) {
    log?.write("\(failure)")
    onFailure?(failure)
  }
}
