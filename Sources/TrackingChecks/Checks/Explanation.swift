import TrackingPatterns
import TrackingServer

/// The explanation of a failure by its check.
package struct Explanation {
  var kind: CheckFailure.Kind
  /// The first line, up to the reason for a missing match: what was expected and what happened instead.
  var headline: Headline
  /// The check's own reason, as the end of the headline, in place of a near miss: "; #3 counts once, as the 1st".
  var reason: Headline?
  /// A shorter form of the headline, for one that is too long even without params.
  var brief: Headline?
  /// Returns a shorter headline, on the missing event reduced to the params that differ.
  var reduced: ((_ event: Headline) -> Headline)?
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
