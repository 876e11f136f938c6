import TrackingPatterns
import TrackingServer

struct RedeliveryCheck: CheckKind {
  let pattern: EventPattern
  private var origin = JournalMark.beginning
  private(set) var matched: [JournalEntry] = []
  private var isMet = false

  init(pattern: EventPattern) {
    self.pattern = pattern
  }

  var patterns: [EntryPattern] { [EntryPattern(pattern)] }
  /// A redelivery isn't an entry; the journal announces it as a revision, like a response.
  var interest: JournalInterest { JournalInterest(revisions: true) }
  var words: Headline { "\(pattern.words), delivered again by an SDK" }
  var scope: CheckScope { .redeliveries }

  func begun(in context: CheckContext) -> any CheckKind {
    var check = self
    check.origin = context.origin
    return check
  }
}

extension TrackingCheck<CheckOutcome> {
  /// Passes if an SDK delivers a recorded event again.
  package static func redelivery(of pattern: EventPattern) -> TrackingCheck<CheckOutcome> {
    TrackingCheck<CheckOutcome>(RedeliveryCheck(pattern: pattern))
  }
}

// MARK: - Reading

extension RedeliveryCheck {
  var state: CheckState { isMet ? .met : .open }

  func take(_ moment: TimelineMoment) -> Bool { false }

  mutating func look(at timeline: any EntryTimeline) {
    let found = timeline.redeliveries(since: origin).filter {
      !$0.isConflicting && pattern.mismatch(of: $0.event) == nil
    }
    isMet = !found.isEmpty
    matched =
      found.first.map { first in timeline.received(since: .beginning).filter { $0.number == first.entry } } ?? []
  }

  func explain(_ finding: Finding) -> Explanation {
    Explanation(kind: .tooFew, headline: "No SDK delivered \(pattern.words) a second time\(finding.time)")
  }
}
