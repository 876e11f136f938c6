import TrackingServer

/// A check of another module that looks at all events and requests together, such as a recorded flow.
struct SequenceCheck: CheckKind {
  let kinds: EntryKinds
  let description: String
  let holds: @Sendable ([JournalEntry]) -> Bool

  var interest: JournalInterest { JournalInterest(in: kinds, revisions: false) }

  func evaluation(in context: CheckContext) -> any Evaluation { SequenceEvaluation(of: description, holds: holds) }
}

extension TrackingCheck<CheckOutcome> {
  package static func sequence(
    _ words: String, of kinds: EntryKinds, _ holds: @escaping @Sendable ([JournalEntry]) -> Bool
  ) -> TrackingCheck<CheckOutcome> {
    TrackingCheck<CheckOutcome>(SequenceCheck(kinds: kinds, description: words, holds: holds))
  }

  /// Whether another module makes this check, and looks at every entry.
  package var isSequence: Bool { kind is SequenceCheck }
}

private struct SequenceEvaluation: Evaluation {
  private let words: String
  private let holds: @Sendable ([JournalEntry]) -> Bool
  private var entries: [JournalEntry] = []
  private(set) var state = CheckState.open
  var matched: [JournalEntry] { [] }

  init(of words: String, holds: @escaping @Sendable ([JournalEntry]) -> Bool) {
    (self.words, self.holds) = (words, holds)
  }

  mutating func take(_ moment: TimelineMoment) -> Bool {
    entries.append(moment.entry)
    return true
  }

  mutating func look(at timeline: any EntryTimeline) { state = holds(entries) ? .holding : .open }

  func headline(_ facts: VerdictFacts) -> Headline { "The received entries differ from \(cutting: words)" }

  func explanation(of entries: [JournalEntry], on scale: Timescale) -> Explanation { Explanation(kind: .changedFlow) }
}
