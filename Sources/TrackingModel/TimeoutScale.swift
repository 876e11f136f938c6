import Foundation

/// The factor by which all timeouts and settling times of a run are multiplied, for slow machines.
///
/// The variable `TRACKING_TIMEOUT_SCALE` sets it (`xcodebuild`: `TEST_RUNNER_TRACKING_TIMEOUT_SCALE`).
package enum TimeoutScale {
  private static let variable = "TRACKING_TIMEOUT_SCALE"

  /// The factor of this process; 1 without the variable.
  ///
  /// One line on standard error says that its value isn't a factor.
  package static let factor: Double = {
    guard let text = ProcessInfo.processInfo.environment[variable], !text.isEmpty else { return 1 }
    if let factor = factor(text) { return factor }
    StandardError.write(
      "\(variable) is \"\(text)\", not a number greater than 0 and at most 100, so timeouts aren't scaled.\n")
    return 1
  }()

  /// Returns the factor that a text names; `nil` if it isn't a number greater than 0 and at most 100.
  package static func factor(_ text: String) -> Double? {
    Double(text).flatMap { $0 > 0 && $0 <= 100 ? $0 : nil }
  }

  /// The time that this process waits in place of a number of seconds.
  package static func scaled(_ seconds: TimeInterval) -> TimeInterval { seconds * factor }
}
