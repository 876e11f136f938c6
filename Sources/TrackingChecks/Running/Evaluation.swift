import TrackingServer

/// The evaluation of a question, moment by moment.
package protocol Evaluation: Sendable {
  /// The state after the entries so far.
  var state: CheckState { get }
  /// The entries that answer the question, or that break it.
  var matched: [JournalEntry] { get }
  /// Whether entries that have already arrived are read even after the question is decided: a count reports all of them.
  var countsOn: Bool { get }

  /// The entries that would answer it if earlier waits hadn't matched them.
  var taken: [JournalEntry] { get }

  /// The entries for which the check can't tell whether they match, where an extra match would fail it.
  var doubtful: [JournalEntry] { get }

  /// Looks at the next entry.
  ///
  /// - Returns: Whether the entry concerns the question, so that the settling time starts again.
  mutating func take(_ entry: JournalEntry) -> Bool

  /// Looks at the sending of the response to a request, which `take(_:)` has looked at; only questions about an order do.
  ///
  /// - Returns: Whether the response concerns the question.
  mutating func take(answerTo request: JournalEntry) -> Bool

  /// Looks at everything that is not an entry, after the last entry.
  mutating func look(at timeline: any EntryTimeline)

  /// The explanation of a failure.
  ///
  /// - Parameter entries: All entries of the kinds that the question is about.
  func explanation(of entries: [JournalEntry], on scale: Timescale) -> Explanation

  /// A warning, which doesn't fail the test, such as a list of deprecated events; `nil` for none.
  func remark(on scale: Timescale) -> String?
}

extension Evaluation {
  var countsOn: Bool { false }
  var taken: [JournalEntry] { [] }
  var doubtful: [JournalEntry] { [] }
  func take(answerTo request: JournalEntry) -> Bool { false }
  func look(at timeline: any EntryTimeline) {}
  func remark(on scale: Timescale) -> String? { nil }

  package mutating func take(_ moment: TimelineMoment) -> Bool {
    moment.isAnswer ? take(answerTo: moment.entry) : take(moment.entry)
  }
}

package enum CheckState: Hashable, Sendable {
  /// Not answered: further entries may answer it.
  case open
  /// Answered as long as nothing more arrives.
  case holding
  /// Answered for good.
  case met
  /// Failed for good.
  case broken

  /// Whether the question is answered with yes so far.
  package var isGood: Bool { self == .met || self == .holding }
  /// Whether further entries cannot change it.
  package var isFinal: Bool { self == .met || self == .broken }
}

/// An entry for which a pattern can't tell whether it matches.
struct UndecidedEntry: Sendable {
  let entry: JournalEntry
  let reason: String

  /// The finding as a sentence.
  ///
  /// - Parameter place: The entry: "#4", or "#4, 320 ms after the wait began".
  func sentence(_ place: String) -> String {
    "Whether \(place)\(place.contains(",") ? "," : "") matches can't be said: \(reason)."
  }
}

/// The explanation of a failure.
package struct Explanation {
  var kind: CheckFailure.Kind
  /// The finding, in sentences.
  var result: String
  /// The notes of single entries, by their numbers, in a word or two.
  var notes: [Int: String] = [:]
  /// The notes of responses that were sent later than their requests arrived, by the numbers of the requests.
  var answerNotes: [Int: String] = [:]
  /// The patterns without a match, whose nearest misses are worth showing, each with a title where there are several.
  var missing: [Missing] = []
  /// The entries that the failure is about, whose call sites it names.
  var about: [JournalEntry] = []

  /// A pattern without a match.
  struct Missing {
    /// The pattern's place in the question: "The 3rd", or nothing if there is only one.
    let title: String
    let pattern: EntryPattern
  }

  func note(of moment: TimelineMoment) -> String? {
    moment.isLaterResponse ? answerNotes[moment.entry.number] : notes[moment.entry.number]
  }

  /// Adds the note of a moment.
  mutating func note(_ moment: TimelineMoment, _ note: String) {
    if moment.isLaterResponse { answerNotes[moment.entry.number] = note } else { notes[moment.entry.number] = note }
  }
}
