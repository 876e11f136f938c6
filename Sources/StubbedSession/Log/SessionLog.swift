/// Where a session says what is wrong with its stubs: the system's log, or a test's own.
struct SessionLog: Sendable {
  private let line: @Sendable (String) -> Void

  init(_ line: @escaping @Sendable (String) -> Void) {
    self.line = line
  }

  func write(_ message: String) {
    line("StubbedSession: \(message)")
  }
}
