/// Where a double says what could not be delivered: the system's log, or a test's own.
struct DeliveryLog: Sendable {
  private let line: @Sendable (String) -> Void

  init(_ line: @escaping @Sendable (String) -> Void) {
    self.line = line
  }

  func write(_ message: String) {
    line("TrackerDouble: \(message)")
  }
}
