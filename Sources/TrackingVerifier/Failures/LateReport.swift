import Foundation
import TrackingPatterns

/// What to say at the stop about a question whose wait had returned before.
///
/// The text is a function of these values alone.
struct LateReport {
  enum Finding {
    /// The answer came after all, so long after the deadline.
    case answered(after: Duration, isUnchecked: Bool)
    /// There were so many more than the bound allows.
    case exceeded(by: Int)
    /// There were so many more than an expectation allows, of which nobody knows when and whether it was waited for.
    case expectationExceeded(by: Int)
  }

  let finding: Finding
  /// What was asked.
  let question: String
  /// Seconds for which was waited.
  let timeout: TimeInterval
  /// The events that came late.
  let timeline: Timeline

  /// The whole text.
  var text: String {
    let shown = FailureReport.longestList
    let question = Excerpt.of(question, width: 4 * Excerpt.columns)
    let headline =
      switch finding {
      case .answered(let time, let isUnchecked):
        """
        \(Excerpt.wrapped("Waited \(TimeText.seconds(timeout)) for \(question)", indent: 4))
        It came \(TimeText.duration(time)) after the deadline\(isUnchecked ? ", if the condition holds for it" : ""):
        """
      case .exceeded(let count):
        """
        \(Excerpt.wrapped("Waited for \(question)", indent: 4))
        After the wait had found it so came \(count == 1 ? "one" : "\(count)") too many, for which no other wait asked:
        """
      case .expectationExceeded(let count):
        """
        \(Excerpt.wrapped("An expectation was for \(question)", indent: 4))
        \(count == 1 ? "One" : "\(count)") too many came, for which no wait asked:
        """
      }
    return ([headline] + timeline.lines(shown: shown).map { "    \($0)" }).joined(separator: "\n")
  }
}
