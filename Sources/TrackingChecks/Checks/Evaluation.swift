import TrackingServer

/// The evaluation of a check, moment by moment.
package protocol Evaluation: Sendable {
  var state: CheckState { get }
  /// The entries that pass or fail the check.
  var matched: [JournalEntry] { get }
  /// Whether already received entries are read even after the check is decided: a count reports all of them.
  var countsOn: Bool { get }

  /// Whether it takes rejected submissions, too.
  var takesRejections: Bool { get }

  /// The entries that would pass the check if earlier waits hadn't matched them.
  var taken: [JournalEntry] { get }

  /// The entries for which the check can't tell whether they match, if an extra match would fail it.
  var undecided: [JournalEntry] { get }

  /// Takes the next arrival or, if the check reads responses, response; returns whether it concerns the check, which restarts the settling time.
  mutating func take(_ moment: TimelineMoment) -> Bool

  /// Looks at the timeline's facts that aren't entries, after the last entry.
  mutating func look(at timeline: any EntryTimeline)

  /// The first line of a failure: what was expected and what happened instead.
  func headline(_ facts: VerdictFacts) -> Headline

  /// Explains a failure after its headline; `entries` has all entries of the check's kinds.
  func explanation(of entries: [JournalEntry], on scale: Timescale) -> Explanation

  /// A warning, which doesn't fail the test, such as a list of deprecated events.
  func warning(on scale: Timescale) -> String?
}

extension Evaluation {
  var countsOn: Bool { false }
  var takesRejections: Bool { false }
  var taken: [JournalEntry] { [] }
  var undecided: [JournalEntry] { [] }
  func look(at timeline: any EntryTimeline) {}
  func warning(on scale: Timescale) -> String? { nil }
}

package enum CheckState: Hashable, Sendable {
  /// May be decided by further entries.
  case open
  /// Passes unless something else arrives.
  case holding
  /// Passed for good.
  case met
  /// Failed for good.
  case broken

  package var isGood: Bool { self == .met || self == .holding }
  /// Whether further entries can't change the state.
  package var isFinal: Bool { self == .met || self == .broken }
}

package struct Explanation {
  var kind: CheckFailure.Kind
  /// Sentences after the headline.
  var details = ""
  /// Short notes on single entries, by entry number.
  var notes: [Int: String] = [:]
  /// Notes on delayed responses, by the number of the request.
  var responseNotes: [Int: String] = [:]
  /// Patterns without a match, for which nearest misses are shown.
  var missing: [Missing] = []
  /// The entries whose call sites the failure names.
  var about: [JournalEntry] = []

  struct Missing {
    /// The pattern's position: "The 3rd"; empty if there is only one.
    let title: String
    let pattern: EntryPattern
  }

  func note(of moment: TimelineMoment) -> String? {
    moment.isLaterResponse ? responseNotes[moment.entry.number] : notes[moment.entry.number]
  }

  mutating func note(_ moment: TimelineMoment, _ note: String) {
    if moment.isLaterResponse { responseNotes[moment.entry.number] = note } else { notes[moment.entry.number] = note }
  }
}
