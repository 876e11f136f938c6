import TrackingPatterns
import TrackingServer

struct PrecedenceCheck: CheckKind {
  let pattern: EntryPattern
  let end: EntryPattern
  private var origin = JournalMark.beginning
  private var offender: TimelineMoment?
  /// The first match of the other pattern, if nothing matched before it.
  private var met: TimelineMoment?
  /// The reason why the check can't tell whether the offender matches; `nil` if it matches.
  private var reason: String?

  init(pattern: EntryPattern, end: EntryPattern) {
    (self.pattern, self.end) = (pattern, end)
  }

  var patterns: [EntryPattern] { [pattern, end] }
  var absent: [EntryPattern] { [pattern] }
  var excluded: EntryKinds { pattern.kinds }
  var absenceBegins: Int? { 0 }
  var words: Headline { "no \(pattern.noun) before \(end.reference)" }

  func mapping(_ pattern: (EntryPattern) -> EntryPattern) -> any CheckKind {
    PrecedenceCheck(pattern: pattern(self.pattern), end: pattern(end))
  }

  func begun(in context: CheckContext) -> any CheckKind {
    var check = self
    check.origin = context.origin
    return check
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

// MARK: - Reading

extension PrecedenceCheck {
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

  func explain(_ finding: Finding) -> Explanation {
    let words: Headline = "Expected no \(pattern.noun) before \(end.reference)"
    guard let offender else {
      return Explanation(
        kind: .tooFew, headline: "\(words), which didn't arrive\(finding.time)",
        brief: "No \(end.noun) arrived\(finding.time)", missing: [Explanation.Missing(title: "", pattern: end)])
    }
    let end = TimelineMoment.all(of: finding.entries, since: origin).first {
      offender < $0 && $0.instant <= finding.scale.deadline && self.end.matches($0)
    }
    let first: Headline = "\(finding.subject(offender.entry, of: pattern)) \(offender.verb)"
    var explanation = Explanation(
      kind: .unexpectedExtra, headline: "\(words), but \(first) first", about: [offender.entry])
    if let end {
      let time = TimeText.duration(end.instant - offender.instant)
      explanation.headline = "\(words) (\(end.name)), but \(first) \(time) earlier"
      explanation.brief = "Expected no \(pattern.noun) before \(end.name), but \(first) \(time) earlier"
    }
    var details: [String] = []
    if let undecided = reason.map({ UndecidedEntry(entry: offender.entry, reason: $0) }) {
      explanation.headline = "\(words), but \(undecided.clause)"
      explanation.brief = nil
      details.append(undecided.sentence)
    }
    if let end, let crossing = ResultText.crossing(offender, end) { details.append("\(crossing).") }
    explanation.details = details.joined(separator: "\n")
    explanation.note(offender, reason == nil ? "too early" : "undecided")
    return explanation
  }
}
