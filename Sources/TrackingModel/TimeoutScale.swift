import Foundation

/// The factor for all timeouts and settling times of a run, for slow machines: the variable `TRACKING_TIMEOUT_SCALE` (`xcodebuild`:
/// `TEST_RUNNER_TRACKING_TIMEOUT_SCALE`).
package enum TimeoutScale {
  /// 1 without the variable, and if its value isn't valid.
  package static let factor: Double = TestVariable.timeoutScale.value().flatMap(factor) ?? 1

  /// The warning about a value that isn't valid; `nil` if it is valid or absent.
  static func mistake(in environment: [String: String]) -> String? {
    guard let text = TestVariable.timeoutScale.value(in: environment), factor(text) == nil else { return nil }
    return """
      \(TestVariable.timeoutScale.name) can't be \(text.debugDescription): it is a number greater than 0 and at most 100, \
      so timeouts aren't scaled
      """
  }

  /// Returns `nil` if the text isn't a number greater than 0 and at most 100.
  package static func factor(_ text: String) -> Double? {
    Double(text).flatMap { $0 > 0 && $0 <= 100 ? $0 : nil }
  }

  package static func scaled(_ seconds: TimeInterval) -> TimeInterval { seconds * factor }
}
