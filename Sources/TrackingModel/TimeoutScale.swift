import Foundation

/// The factor by which all timeouts and settling times of a run are multiplied, for slow machines.
///
/// The variable `TRACKING_TIMEOUT_SCALE` sets it (`xcodebuild`: `TEST_RUNNER_TRACKING_TIMEOUT_SCALE`).
package enum TimeoutScale {
  /// The factor of this process; 1 without the variable, and for a value that isn't a factor.
  package static let factor: Double = TestVariable.timeoutScale.value().flatMap(factor) ?? 1

  /// The sentence about a value that isn't a factor; `nil` for a factor and without the variable.
  static func mistake(in environment: [String: String]) -> String? {
    guard let text = TestVariable.timeoutScale.value(in: environment), factor(text) == nil else { return nil }
    return """
      \(TestVariable.timeoutScale.name) can't be \(text.debugDescription): it is a number greater than 0 and at most 100, \
      so timeouts aren't scaled
      """
  }

  /// Returns the factor that a text names; `nil` if it isn't a number greater than 0 and at most 100.
  package static func factor(_ text: String) -> Double? {
    Double(text).flatMap { $0 > 0 && $0 <= 100 ? $0 : nil }
  }

  /// The time that this process waits in place of a number of seconds.
  package static func scaled(_ seconds: TimeInterval) -> TimeInterval { seconds * factor }
}
