/// The log of a part of the app: the system's, or closures of a test.
package struct AppLog: Sendable {
  private let name: String
  private let line: @Sendable (String) -> Void
  private let noteLine: @Sendable (String) -> Void

  /// Creates a log whose notes, which report no problem, go to `note` if given, otherwise to `line`; each message begins with `name`.
  package init(
    of name: String, _ line: @escaping @Sendable (String) -> Void, note: (@Sendable (String) -> Void)? = nil
  ) {
    self.name = name
    self.line = line
    noteLine = note ?? line
  }

  package func write(_ message: String) {
    line("\(name): \(message)")
  }

  /// Logs something that isn't a problem, or not yet.
  package func note(_ message: String) {
    noteLine("\(name): \(message)")
  }
}
