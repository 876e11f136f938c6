import Foundation

/// Why the app could not be driven.
enum StorefrontAppError: Error, CustomStringConvertible {
  case notStarted(URL, any Error)
  case notLaunched
  case noScreen(after: String, status: Int32?, output: String, log: String)
  case stillRunning(after: TimeInterval)

  var description: String {
    switch self {
    case .notStarted(let executable, let error):
      "the app could not be started: \(error.localizedDescription) (\(executable.path))"
    case .notLaunched:
      "the app is not launched: call launch() first"
    case .noScreen(let action, let status, let output, let log):
      """
      no screen came after "\(action)": the app \(status.map { "has ended with status \($0)" } ?? "still runs")
      -- what it printed --
      \(output)
      -- its log --
      \(log)
      """
    case .stillRunning(let seconds):
      "the app still runs after \(seconds) s"
    }
  }
}
