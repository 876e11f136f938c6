import TrackingServer

/// The evaluation of a check that can't tell after a refused submission of another session, which may have held any event.
///
/// Decides only where the check passes because nothing more arrived; a certain failure stays what it is.
struct OtherSessionEvaluation: Evaluation {
  private var evaluation: any Evaluation
  private let words: String
  /// Whether one more entry might have failed the check although it has passed for good.
  private let isMetByAbsence: Bool
  private let reported: ReportedProblems
  /// The numbers of the submissions.
  private var others: [Int] = []

  init(of kind: any CheckKind, _ evaluation: any Evaluation, except reported: ReportedProblems) {
    (self.evaluation, words, isMetByAbsence, self.reported) = (evaluation, "\(kind)", kind.isMetByAbsence, reported)
  }

  var state: CheckState { isUncertain ? .broken : evaluation.state }
  var matched: [JournalEntry] { evaluation.matched }
  var taken: [JournalEntry] { evaluation.taken }
  var undecided: [JournalEntry] { evaluation.undecided }
  var takesRejections: Bool { true }
  /// A failure counts all submissions.
  var countsOn: Bool { isUncertain || evaluation.countsOn }

  private var isUncertain: Bool {
    guard !others.isEmpty else { return false }
    return evaluation.state == .holding || evaluation.state == .met && isMetByAbsence
  }

  mutating func take(_ moment: TimelineMoment) -> Bool {
    guard let rejection = moment.entry.rejection else { return !isOver && evaluation.take(moment) }
    guard rejection.isOfAnotherSession, !reported.contains(rejection) else { return false }
    others.append(rejection.number)
    return true
  }

  private var isOver: Bool { evaluation.state.isFinal && !evaluation.countsOn }

  mutating func look(at timeline: any EntryTimeline) { evaluation.look(at: timeline) }

  func headline(_ facts: VerdictFacts) -> Headline {
    guard isUncertain else { return evaluation.headline(facts) }
    return headline.isShortened ? "Can't tell: \(reason)" : headline
  }

  private var headline: Headline { "Expected \(cutting: words), but can't tell: \(reason)" }

  private var reason: String { "\(others.count.counted("submission")) came with another session's token" }

  func explanation(of entries: [JournalEntry], on scale: Timescale) -> Explanation {
    guard isUncertain else { return evaluation.explanation(of: entries, on: scale) }
    return Explanation(
      kind: .rejected, details: headline.isShortened ? "Not checked: \(words)." : "",
      notes: Dictionary(others.map { ($0, "of another session") }, uniquingKeysWith: { first, _ in first }))
  }

  func warning(on scale: Timescale) -> String? { evaluation.warning(on: scale) }
}

extension CheckKind {
  /// Returns the evaluation for a run, which alone knows whether submissions of other sessions count.
  func decision(in context: CheckContext) -> any Evaluation {
    guard context.countsOtherSessions, excluded.contains(.events) else { return evaluation(in: context) }
    return OtherSessionEvaluation(of: self, evaluation(in: context), except: context.reported)
  }
}
