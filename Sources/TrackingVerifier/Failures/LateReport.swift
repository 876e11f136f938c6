import Foundation
import TrackingPatterns

/// The text of a late finding, about a question whose wait had returned.
///
/// The text is a function of these values alone.
struct LateReport {
  enum Finding {
    /// The answer arrived after the deadline, by this time; `nil` if the answer isn't an entry.
    case answered(after: Duration?, isUnchecked: Bool)
    /// More arrived than the bound allows, by this number.
    case exceeded(by: Int)
    /// More arrived than an expectation allows, by this number; the time of XCTest's wait is unknown.
    case expectationExceeded(by: Int)
  }

  let finding: Finding
  /// The question in words.
  let question: String
  /// Seconds of the wait.
  let timeout: TimeInterval
  /// The late entries.
  let timeline: Timeline

  /// The whole text.
  var text: String {
    let shown = FailureReport.longestList
    let lines = timeline.lines(shown: shown).map { "    \($0)" }
    let rest = timeline.rows.count - lines.count
    return ([headline] + lines + (rest > 0 ? ["    ... and \(rest) more"] : [])).joined(separator: "\n")
  }

  private var headline: String {
    let question = Excerpt.of(question, width: 4 * Excerpt.columns)
    switch finding {
    case .answered(let time, let isUnchecked):
      let when = time.map { "\(TimeText.duration($0)) after the deadline" } ?? "after the deadline."
      let condition = isUnchecked ? " (its closure was not kept, so its condition was not checked)" : ""
      return """
        \(Excerpt.wrapped("Waited \(TimeText.seconds(timeout)) for \(question)", indent: 4))
        \(Excerpt.wrapped("The answer arrived \(when)\(condition)\(time == nil ? "" : ":")"))
        """
    case .exceeded(let count):
      return """
        \(Excerpt.wrapped("Waited for \(question)", indent: 4))
        \(Self.extras(count)) arrived after the wait had succeeded, and no other wait asked for \(count == 1 ? "it" : "them"):
        """
    case .expectationExceeded(let count):
      return """
        \(Excerpt.wrapped("Expected \(question)", indent: 4))
        \(Self.extras(count)) arrived, and no wait asked for \(count == 1 ? "it" : "them"):
        """
    }
  }

  private static func extras(_ count: Int) -> String { count == 1 ? "One too many" : "\(count) too many" }
}
