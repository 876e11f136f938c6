import TrackingServer

/// No match of a pattern before the first match of another one.
struct PrecedenceCheck: CheckForm {
  let pattern: EntryPattern
  let end: EntryPattern

  var patterns: [EntryPattern] { [pattern, end] }
  var absent: [EntryPattern] { [pattern] }
  var isOrdered: Bool { true }
  var listsPatterns: Bool { false }
  var description: String { "\(pattern), not once before \(end)" }

  func mapping(_ pattern: (EntryPattern) -> EntryPattern) -> any CheckForm {
    PrecedenceCheck(pattern: pattern(self.pattern), end: pattern(end))
  }

  func evaluation(in setting: CheckContext) -> any Evaluation {
    PrecedenceEvaluation(of: pattern, before: end, since: setting.origin)
  }
}

extension TrackingCheck<CheckOutcome> {
  /// No match before the first match of another pattern: `.none(of: .any, before: .named("consent_given"))`.
  ///
  /// Passes when the other one arrives, and fails if a match arrives before it, or if it doesn't arrive in time. An entry that matches both is not
  /// before itself; a request arrives before its own response. A pattern for a response has the place of the moment at which the response was sent,
  /// as in ``inOrder(_:)``.
  public static func none(of pattern: EntryPattern, before end: EntryPattern) -> TrackingCheck<CheckOutcome> {
    TrackingCheck<CheckOutcome>(PrecedenceCheck(pattern: pattern, end: end))
  }
}

/// Looks for a match until the first match of another pattern.
private struct PrecedenceEvaluation: Evaluation {
  private let pattern: EntryPattern
  private let end: EntryPattern
  /// The place before which moments don't count.
  private let origin: JournalMark
  private var offender: TimelineMoment?
  private var answer: TimelineMoment?
  /// The reason why the check can't tell whether the offender matches; `nil` if it matches.
  private var doubt: String?

  init(of pattern: EntryPattern, before end: EntryPattern, since origin: JournalMark) {
    (self.pattern, self.end, self.origin) = (pattern, end, origin)
  }

  var state: CheckState { offender != nil ? .broken : answer != nil ? .met : .open }
  var matched: [JournalEntry] { [offender ?? answer].compactMap { $0?.entry } }

  mutating func take(_ entry: JournalEntry) -> Bool { look(at: TimelineMoment(entry)) }

  mutating func take(answerTo request: JournalEntry) -> Bool {
    look(at: TimelineMoment(entry: request, isAnswer: true))
  }

  private mutating func look(at moment: TimelineMoment) -> Bool {
    guard state == .open else { return false }
    if end.matches(moment) {
      answer = moment
    } else {
      switch pattern.match(moment) {
      case .no: break
      case .undecided(let reason): (offender, doubt) = (moment, reason)
      case .yes: offender = moment
      }
    }
    return state != .open
  }

  func explanation(of entries: [JournalEntry], on scale: Timescale) -> Explanation {
    guard let offender else {
      return Explanation(
        kind: .tooFew,
        result: entries.isEmpty
          ? ResultText.nothing(of: EntryKinds([pattern.kinds, end.kinds]))
          : "None was too early, but \(ResultText.words(of: end)) \(scale.neverArrived).",
        missing: [Explanation.Missing(title: "", pattern: end)])
    }
    let place = scale.place(of: offender)
    let finding = doubt.map { UndecidedEntry(entry: offender.entry, reason: $0).sentence(place) }
    var explanation = Explanation(kind: .unexpectedExtra, result: finding ?? "It arrived: \(place).")
    explanation.note(offender, doubt == nil ? "too early" : "undecided")
    explanation.about = [offender.entry]
    let end = TimelineMoment.all(of: entries, since: origin).first {
      offender < $0 && $0.instant <= scale.deadline && self.end.matches($0)
    }
    if let end {
      let time = TimeText.duration(end.instant - offender.instant)
      explanation.result += " The one to come first, #\(end.entry.number), arrived \(time) later."
      explanation.result += ResultText.crossing(offender, end).map { "\n\($0)." } ?? ""
    }
    return explanation
  }
}
