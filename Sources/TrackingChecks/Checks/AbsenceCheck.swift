import Foundation
import TrackingModel
import TrackingServer

/// A check that fails if the pattern matches within a number of seconds.
struct AbsenceCheck: CheckKind {
  let pattern: EntryPattern
  /// `nil` for the settling time.
  let seconds: TimeInterval?

  var patterns: [EntryPattern] { [pattern] }
  var absent: [EntryPattern] { [pattern] }
  var problem: String? { listeningProblem(seconds) ?? patternProblem }
  var description: String { "no \(pattern.noun)\(within(seconds))" }
  var listening: ListeningTime? { ListeningTime(.absence, within: seconds) }

  func times(of wait: WaitTimes) -> WaitTimes {
    let time = seconds ?? wait.settling
    return WaitTimes(timeout: time, settling: time)
  }

  func mapping(_ pattern: (EntryPattern) -> EntryPattern) -> any CheckKind {
    AbsenceCheck(pattern: pattern(self.pattern), seconds: seconds)
  }

  func evaluation(in context: CheckContext) -> any Evaluation { AbsenceEvaluation(of: pattern, in: description) }
}

extension TrackingCheck<CheckOutcome> {
  /// Passes if nothing matches within a number of seconds of the start of the wait: `.none(of: .request(.any, "/ads/*"), within: 1)`.
  ///
  /// `within:` must be finite; there is no timeout. Its default is the configuration's settling time: 0.25 s, or 0.05 s for a verifier that was
  /// never started. An earlier match fails the check; pass a mark if that match was expected. Wait for the last event of the journey first: the check
  /// passes if the app hasn't sent anything yet.
  public static func none(of pattern: EntryPattern, within seconds: TimeInterval? = nil) -> TrackingCheck<CheckOutcome>
  {
    TrackingCheck<CheckOutcome>(AbsenceCheck(pattern: pattern, seconds: seconds))
  }
}

private struct AbsenceEvaluation: Evaluation {
  private let pattern: EntryPattern
  private var offender: JournalEntry?
  private var undecidedEntry: UndecidedEntry?
  private let words: String

  init(of pattern: EntryPattern, in words: String) {
    (self.pattern, self.words) = (pattern, words)
  }

  var state: CheckState { offender == nil && undecidedEntry == nil ? .holding : .broken }
  var matched: [JournalEntry] { (offender ?? undecidedEntry?.entry).map { [$0] } ?? [] }

  mutating func take(_ moment: TimelineMoment) -> Bool {
    switch pattern.match(moment) {
    case .no: return false
    case .undecided(let reason): undecidedEntry = undecidedEntry ?? UndecidedEntry(entry: moment.entry, reason: reason)
    case .yes: offender = offender ?? moment.entry
    }
    return true
  }

  func headline(_ facts: VerdictFacts) -> Headline {
    let expected: Headline = "Expected \(cutting: words)"
    guard let entry = offender ?? undecidedEntry?.entry else { return "\(expected), and none arrived\(facts.time)" }
    if offender == nil, let undecidedEntry { return "\(expected), but \(undecidedEntry.clause)" }
    return "\(expected), but \(facts.arrival(of: entry, by: pattern))"
  }

  func explanation(of entries: [JournalEntry], on scale: Timescale) -> Explanation {
    guard let entry = offender ?? undecidedEntry?.entry else { return Explanation(kind: .unexpectedExtra) }
    var explanation = Explanation(
      kind: .unexpectedExtra, details: offender == nil ? undecidedEntry?.sentence ?? "" : "", about: [entry])
    explanation.note(pattern.moment(of: entry), offender == nil ? "undecided" : "unexpected")
    return explanation
  }
}
