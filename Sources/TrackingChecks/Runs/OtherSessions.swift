import TrackingPatterns
import TrackingServer

/// The refused submissions of other sessions, which may have held any event, for a check that one more event may fail.
///
/// They decide only where the check passes because nothing more arrived; a certain failure stays what it is.
struct OtherSessions: Sendable {
  private let reported: ReportedProblems
  /// The numbers of the submissions.
  private var numbers: [Int] = []

  /// Creates an empty record; `nil` if these submissions don't matter.
  init?(to check: any CheckKind, in context: CheckContext) {
    guard context.countsOtherSessions, check.excluded.contains(.events) else { return nil }
    reported = context.reported
  }

  /// Returns whether the submission concerns the check.
  mutating func take(_ rejection: RejectedSubmission) -> Bool {
    guard rejection.isOfAnotherSession, !reported.contains(rejection) else { return false }
    numbers.append(rejection.number)
    return true
  }

  /// Whether a check that passes might have failed with the events of these submissions.
  func makeUncertain(_ check: any CheckKind) -> Bool { !numbers(concerning: check).isEmpty }

  private func numbers(concerning check: any CheckKind) -> [Int] {
    switch check.state {
    case .holding: numbers
    case .met: check.absenceBegins.map { beginning in numbers.filter { $0 > beginning } } ?? []
    case .open, .broken: []
    }
  }

  func explanation(of words: Headline, for check: any CheckKind) -> Explanation {
    let numbers = numbers(concerning: check)
    let reason = "\(numbers.count.counted("submission")) came with another session's token"
    let headline: Headline = "Expected \(words), but can't tell: \(reason)"
    return Explanation(
      kind: .rejected, headline: headline.line.hasSuffix(reason) ? headline : "Can't tell: \(reason)",
      details: headline.isShortened ? "Not checked: \(words.text)." : "",
      notes: Dictionary(numbers.map { ($0, "of another session") }, uniquingKeysWith: { first, _ in first }))
  }
}
