import TrackingServer

struct PrecedenceCheck: CheckKind {
  let pattern: EntryPattern
  let end: EntryPattern

  var patterns: [EntryPattern] { [pattern, end] }
  var absent: [EntryPattern] { [pattern] }
  var excluded: EntryKinds { pattern.kinds }
  var isMetByAbsence: Bool { true }
  var description: String { "no \(pattern.noun) before \(end.reference)" }

  func mapping(_ pattern: (EntryPattern) -> EntryPattern) -> any CheckKind {
    PrecedenceCheck(pattern: pattern(self.pattern), end: pattern(end))
  }

  func evaluation(in context: CheckContext) -> any Evaluation {
    PrecedenceEvaluation(of: pattern, before: end, since: context.origin)
  }
}

extension TrackingCheck<CheckOutcome> {
  /// Passes if no match arrives before the first match of another pattern: `.none(of: .any, before: .named("consent_given"))`.
  ///
  /// Fails if a match arrives first, or if the other pattern has no match before the timeout. An entry that matches both patterns passes; a request
  /// arrives before its own response. A pattern for a response matches at the moment the response is sent, as in ``inOrder(_:)``.
  public static func none(of pattern: EntryPattern, before end: EntryPattern) -> TrackingCheck<CheckOutcome> {
    TrackingCheck<CheckOutcome>(PrecedenceCheck(pattern: pattern, end: end))
  }
}

private struct PrecedenceEvaluation: Evaluation {
  private let pattern: EntryPattern
  private let end: EntryPattern
  private let origin: JournalMark
  private var offender: TimelineMoment?
  /// The first match of the other pattern, if nothing matched before it.
  private var met: TimelineMoment?
  /// The reason why the check can't tell whether the offender matches; `nil` if it matches.
  private var reason: String?

  init(of pattern: EntryPattern, before end: EntryPattern, since origin: JournalMark) {
    (self.pattern, self.end, self.origin) = (pattern, end, origin)
  }

  var state: CheckState { offender != nil ? .broken : met != nil ? .met : .open }
  var matched: [JournalEntry] { [offender ?? met].compactMap { $0?.entry } }

  mutating func take(_ moment: TimelineMoment) -> Bool {
    guard state == .open else { return false }
    if end.matches(moment) {
      met = moment
    } else {
      switch pattern.match(moment) {
      case .no: break
      case .undecided(let reason): (offender, self.reason) = (moment, reason)
      case .yes: offender = moment
      }
    }
    return state != .open
  }

  func headline(_ facts: VerdictFacts) -> Headline {
    let words: Headline = "Expected no \(cutting: pattern.noun) before \(cutting: end.reference)"
    guard let offender else { return "\(words), which didn't arrive\(facts.time)\(facts.instead)" }
    if let reason { return "\(words), but \(UndecidedEntry(entry: offender.entry, reason: reason).clause)" }
    let subject = facts.subject(offender.entry, of: pattern)
    let verb = offender.verb
    guard let end = end(after: offender, in: facts.entries, facts.scale.deadline) else {
      return "\(words), but \(subject) \(verb) first"
    }
    let time = TimeText.duration(end.instant - offender.instant)
    return "\(words) (#\(end.entry.number)), but \(subject) \(verb) \(time) earlier"
  }

  private func end(
    after offender: TimelineMoment, in entries: [JournalEntry], _ deadline: ContinuousClock.Instant
  ) -> TimelineMoment? {
    TimelineMoment.all(of: entries, since: origin).first {
      offender < $0 && $0.instant <= deadline && end.matches($0)
    }
  }

  func explanation(of entries: [JournalEntry], on scale: Timescale) -> Explanation {
    guard let offender else {
      return Explanation(kind: .tooFew, missing: [Explanation.Missing(title: "", pattern: end)])
    }
    var explanation = Explanation(kind: .unexpectedExtra)
    if let reason { explanation.details = UndecidedEntry(entry: offender.entry, reason: reason).sentence }
    explanation.note(offender, reason == nil ? "too early" : "undecided")
    explanation.about = [offender.entry]
    if let end = end(after: offender, in: entries, scale.deadline), let crossing = ResultText.crossing(offender, end) {
      explanation.details += "\(explanation.details.isEmpty ? "" : "\n")\(crossing)."
    }
    return explanation
  }
}
