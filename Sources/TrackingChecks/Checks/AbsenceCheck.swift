import Foundation
import TrackingModel
import TrackingPatterns
import TrackingServer

/// A check that fails if the pattern matches within a number of seconds.
struct AbsenceCheck: CheckKind {
  let pattern: EntryPattern
  /// `nil` for the settling time.
  let seconds: TimeInterval?
  private(set) var offender: JournalEntry?
  private(set) var undecidedEntry: UndecidedEntry?

  var patterns: [EntryPattern] { [pattern] }
  var absent: [EntryPattern] { [pattern] }
  var problem: String? { listeningProblem(seconds) ?? patternProblem }
  var words: Headline { "no \(pattern.noun)\(within(seconds))" }
  var listening: ListeningTime? { ListeningTime(.absence, within: seconds) }

  func times(of wait: WaitTimes) -> WaitTimes {
    let time = seconds ?? wait.settling
    return WaitTimes(timeout: time, settling: time)
  }

  func mapping(_ pattern: (EntryPattern) -> EntryPattern) -> any CheckKind {
    AbsenceCheck(pattern: pattern(self.pattern), seconds: seconds)
  }
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

// MARK: - Reading

extension AbsenceCheck {
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

  func explain(_ finding: Finding) -> Explanation {
    let expected: Headline = "Expected \(words)"
    var explanation = Explanation(kind: .unexpectedExtra, headline: "\(expected), and none arrived\(finding.time)")
    if let offender {
      explanation.headline = "\(expected), but \(finding.arrival(of: offender, by: pattern))"
      let verb = pattern.moment(of: offender).verb
      explanation.brief = "Expected no \(pattern.noun), but \(finding.subject(offender, of: pattern)) \(verb)"
    } else if let undecidedEntry {
      explanation.headline = "\(expected), but \(undecidedEntry.clause)"
      explanation.details = undecidedEntry.sentence
    }
    for entry in matched { explanation.note(pattern.moment(of: entry), offender == nil ? "undecided" : "unexpected") }
    explanation.about = matched
    return explanation
  }
}
