import TrackingServer

/// The evaluation of a check, moment by moment.
package protocol Evaluation: Sendable {
  /// The state after the entries so far.
  var state: CheckState { get }
  /// The entries that pass the check, or that fail it.
  var matched: [JournalEntry] { get }
  /// Whether entries that have already arrived are read even after the check is decided: a count reports all of them.
  var countsOn: Bool { get }

  /// The entries that would pass it if earlier waits hadn't matched them.
  var taken: [JournalEntry] { get }

  /// The entries for which the check can't tell whether they match, where an extra match would fail it.
  var undecided: [JournalEntry] { get }

  /// Looks at the next entry.
  ///
  /// - Returns: Whether the entry concerns the check, so that the settling time starts again.
  mutating func take(_ entry: JournalEntry) -> Bool

  /// Looks at the sending of the response to a request, which `take(_:)` has looked at; only checks of an order do.
  ///
  /// - Returns: Whether the response concerns the check.
  mutating func take(responseTo request: JournalEntry) -> Bool

  /// Looks at everything that is not an entry, after the last entry.
  mutating func look(at timeline: any EntryTimeline)

  /// The first line of a failure, which says what was expected and what happened instead.
  func verdict(_ facts: VerdictFacts) -> Verdict

  /// The explanation of a failure, which follows its verdict.
  ///
  /// - Parameter entries: All entries of the kinds that the check is about.
  func explanation(of entries: [JournalEntry], on scale: Timescale) -> Explanation

  /// A warning, which doesn't fail the test, such as a list of deprecated events; `nil` for none.
  func warning(on scale: Timescale) -> String?
}

extension Evaluation {
  var countsOn: Bool { false }
  var taken: [JournalEntry] { [] }
  var undecided: [JournalEntry] { [] }
  func take(responseTo request: JournalEntry) -> Bool { false }
  func look(at timeline: any EntryTimeline) {}
  func warning(on scale: Timescale) -> String? { nil }

  package mutating func take(_ moment: TimelineMoment) -> Bool {
    moment.isResponse ? take(responseTo: moment.entry) : take(moment.entry)
  }
}

package enum CheckState: Hashable, Sendable {
  /// Not decided: further entries may decide it.
  case open
  /// Passes as long as nothing more arrives.
  case holding
  /// Passed for good.
  case met
  /// Failed for good.
  case broken

  /// Whether the check passes so far.
  package var isGood: Bool { self == .met || self == .holding }
  /// Whether further entries cannot change it.
  package var isFinal: Bool { self == .met || self == .broken }
}

/// The explanation of a failure.
package struct Explanation {
  var kind: CheckFailure.Kind
  /// Sentences that follow the verdict and say more.
  var details = ""
  /// The notes of single entries, by their numbers, in a word or two.
  var notes: [Int: String] = [:]
  /// The notes of responses that were sent later than their requests arrived, by the numbers of the requests.
  var responseNotes: [Int: String] = [:]
  /// The patterns without a match, whose nearest misses are worth showing, each with a title where there are several.
  var missing: [Missing] = []
  /// The entries that the failure is about, whose call sites it names.
  var about: [JournalEntry] = []

  /// A pattern without a match.
  struct Missing {
    /// The pattern's place in the check: "The 3rd", or nothing if there is only one.
    let title: String
    let pattern: EntryPattern
  }

  func note(of moment: TimelineMoment) -> String? {
    moment.isLaterResponse ? responseNotes[moment.entry.number] : notes[moment.entry.number]
  }

  /// Adds the note of a moment.
  mutating func note(_ moment: TimelineMoment, _ note: String) {
    if moment.isLaterResponse { responseNotes[moment.entry.number] = note } else { notes[moment.entry.number] = note }
  }
}
