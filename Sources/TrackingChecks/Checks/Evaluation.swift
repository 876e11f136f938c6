import TrackingPatterns
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

  /// Explains a failure, or the state of a check that may still pass.
  func explain(_ finding: Finding) -> Explanation

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
