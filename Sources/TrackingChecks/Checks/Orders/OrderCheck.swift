import TrackingPatterns
import TrackingServer

/// Matches each pattern with the first moment after the previous match: if any moments pass the check, these do.
struct OrderCheck: CheckKind {
  let patterns: [EntryPattern]
  private(set) var origin = JournalMark.beginning
  private(set) var found: [TimelineMoment] = []

  var listsPatterns: Bool { true }
  var problem: String? { orderProblem }
  var words: Headline { "\(EntryKinds.counted(patterns.map(\.kinds))) in order" }

  func mapping(_ pattern: (EntryPattern) -> EntryPattern) -> any CheckKind {
    OrderCheck(patterns: patterns.map(pattern))
  }

  func begun(in context: CheckContext) -> any CheckKind { OrderCheck(patterns: patterns, origin: context.origin) }
}

extension TrackingCheck<CheckOutcome> {
  /// Passes if the patterns match one after the other, whatever arrives in between: `.inOrder([.named("cart_shown"), .named("purchase")])`.
  ///
  /// The order is that of arrival. A request arrives when its head and body have been received. A pattern for a response, such as
  /// `RequestPattern.responded(_:)`, matches at the moment the response is sent. An empty list fails at once.
  public static func inOrder(_ patterns: [EntryPattern]) -> TrackingCheck<CheckOutcome> {
    TrackingCheck<CheckOutcome>(OrderCheck(patterns: patterns))
  }
}

// MARK: - Reading

extension OrderCheck {
  var state: CheckState { found.count == patterns.count ? .met : .open }
  var matched: [JournalEntry] { found.map(\.entry) }

  mutating func take(_ moment: TimelineMoment) -> Bool {
    guard found.count < patterns.count, patterns[found.count].matches(moment) else { return false }
    found.append(moment)
    return true
  }

  func explain(_ finding: Finding) -> Explanation {
    explain(finding, as: "in order")
  }

  /// Explains the failure of an order of this kind: "in a row".
  func explain(_ finding: Finding, as order: String) -> Explanation {
    let count = patterns.count
    let words = "\(EntryKinds.counted(patterns.map(\.kinds))) \(order)"
    var explanation = Explanation(kind: .wrongOrder, headline: "Expected \(words), and they arrived")
    for (index, moment) in found.enumerated() { explanation.note(moment, "\(index + 1) of \(count)") }
    guard found.count < count else { return explanation }
    let missing: Headline = "Expected \(words), but \(ResultText.subject(found.count, of: patterns[found.count]))"
    guard let last = found.last, let early = early(in: finding.entries, finding.scale.deadline) else {
      explanation.kind = .tooFew
      explanation.headline = "\(missing) didn't arrive\(finding.time)"
      explanation.brief = "\(ResultText.lack(of: found.count, among: patterns, order))\(finding.time)"
      explanation.missing = [
        Explanation.Missing(title: "The \(CountText.ordinal(found.count + 1))", pattern: patterns[found.count])
      ]
      return explanation
    }
    let place = CountText.ordinal(found.count)
    explanation.headline =
      last.isLaterResponse
      ? "\(missing) \(early.verb) (#\(early.entry.number)) before \(last.name)"
      : "\(missing) \(early.verb) before the \(place) (#\(early.entry.number) before #\(last.entry.number))"
    explanation.note(early, "too early")
    explanation.about = [early.entry]
    if let crossing = ResultText.crossing(early, last) {
      explanation.details = "\(crossing), or check with `inAnyOrder`."
    }
    return explanation
  }

  /// Returns the last match of the next pattern that came before the last match found.
  private func early(in entries: [JournalEntry], _ deadline: ContinuousClock.Instant) -> TimelineMoment? {
    found.last.flatMap { lastMoment(of: patterns[found.count], in: entries, before: $0, deadline) }
  }

  private func lastMoment(
    of pattern: EntryPattern, in entries: [JournalEntry], before last: TimelineMoment,
    _ deadline: ContinuousClock.Instant
  ) -> TimelineMoment? {
    TimelineMoment.all(of: entries, since: origin).last { moment in
      moment.instant <= deadline && moment < last && pattern.matches(moment)
        && !found.contains { $0.isResponse == moment.isResponse && $0.entry.number == moment.entry.number }
    }
  }
}
