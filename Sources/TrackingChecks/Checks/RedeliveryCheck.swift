import TrackingPatterns
import TrackingServer

struct RedeliveryCheck: CheckKind {
  let pattern: EventPattern

  var patterns: [EntryPattern] { [EntryPattern(pattern)] }
  /// A redelivery isn't an entry; the journal announces it as a revision, like a response.
  var interest: JournalInterest { JournalInterest(revisions: true) }
  var description: String { "\(pattern), delivered again by an SDK" }
  var scope: CheckScope { .redeliveries }

  func evaluation(in context: CheckContext) -> any Evaluation {
    RedeliveryEvaluation(since: context.origin, of: pattern)
  }
}

extension TrackingCheck<CheckOutcome> {
  /// Passes if an SDK delivers a recorded event again.
  package static func redelivery(of pattern: EventPattern) -> TrackingCheck<CheckOutcome> {
    TrackingCheck<CheckOutcome>(RedeliveryCheck(pattern: pattern))
  }
}

private struct RedeliveryEvaluation: Evaluation {
  private let mark: JournalMark
  private let pattern: EventPattern
  private(set) var matched: [JournalEntry] = []
  private var isMet = false

  init(since mark: JournalMark, of pattern: EventPattern) {
    self.mark = mark
    self.pattern = pattern
  }

  var state: CheckState { isMet ? .met : .open }

  func take(_ moment: TimelineMoment) -> Bool { false }

  mutating func look(at timeline: any EntryTimeline) {
    let found = timeline.redeliveries(since: mark).filter { !$0.isConflicting && pattern.mismatch(of: $0.event) == nil }
    isMet = !found.isEmpty
    matched =
      found.first.map { first in timeline.received(since: .beginning).filter { $0.number == first.entry } } ?? []
  }

  func headline(_ facts: VerdictFacts) -> Headline {
    "No SDK delivered \(cutting: "\(pattern)") a second time\(facts.time)"
  }

  func explanation(of entries: [JournalEntry], on scale: Timescale) -> Explanation { Explanation(kind: .tooFew) }
}
