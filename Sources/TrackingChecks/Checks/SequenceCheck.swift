import TrackingPatterns
import TrackingServer

/// A check of another module that looks at all events and requests together, such as a recorded flow.
struct SequenceCheck: CheckKind {
  let kinds: EntryKinds
  let words: Headline
  let holds: @Sendable ([JournalEntry]) -> Bool
  private var entries: [JournalEntry] = []
  private(set) var state = CheckState.open

  init(kinds: EntryKinds, words: Headline, holds: @escaping @Sendable ([JournalEntry]) -> Bool) {
    (self.kinds, self.words, self.holds) = (kinds, words, holds)
  }

  var interest: JournalInterest { JournalInterest(in: kinds, revisions: false) }
}

extension TrackingCheck<CheckOutcome> {
  package static func sequence(
    _ words: String, of kinds: EntryKinds, _ holds: @escaping @Sendable ([JournalEntry]) -> Bool
  ) -> TrackingCheck<CheckOutcome> {
    TrackingCheck<CheckOutcome>(SequenceCheck(kinds: kinds, words: "\(name: words)", holds: holds))
  }

  /// Whether another module makes this check, and looks at every entry.
  package var isSequence: Bool { kind is SequenceCheck }
}

// MARK: - Reading

extension SequenceCheck {
  var matched: [JournalEntry] { [] }

  mutating func take(_ moment: TimelineMoment) -> Bool {
    entries.append(moment.entry)
    return true
  }

  mutating func look(at timeline: any EntryTimeline) { state = holds(entries) ? .holding : .open }

  func explain(_ finding: Finding) -> Explanation {
    Explanation(kind: .changedFlow, headline: "The received entries differ from \(words)")
  }
}
