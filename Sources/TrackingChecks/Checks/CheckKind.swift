import Foundation
import TrackingModel
import TrackingPatterns
import TrackingRules
import TrackingServer

/// A kind of check: its conditions, its words, and what it has found.
///
/// A check is a value: ``begun(in:)`` returns one that reads entries, on a live journal or a recorded timeline, and leaves the receiver as it is. Each
/// kind has one file, and no other code switches over the kinds.
package protocol CheckKind: Sendable, CustomStringConvertible {
  /// A noun phrase for the check.
  var words: Headline { get }
  var patterns: [EntryPattern] { get }
  /// Patterns of entries to ignore.
  var ignored: [EntryPattern] { get }
  /// Patterns that pass without a match, even if misspelt: the first of ``patterns``.
  var absent: [EntryPattern] { get }
  var kinds: EntryKinds { get }
  /// The kinds of entries of which one more may fail the check although it has all its matches.
  var excluded: EntryKinds { get }
  /// The number of the entry since which nothing else may arrive, for a check that passes for good only then: 0 if since its start, `nil` for others.
  var absenceBegins: Int? { get }
  /// The entries that can change its state.
  var interest: JournalInterest { get }
  /// A sentence that says why no entry can pass the check.
  var problem: String? { get }
  /// Whether the sending of a response is a separate moment, because a pattern may match by it.
  var readsResponses: Bool { get }
  var listsPatterns: Bool { get }
  /// The number of matches that later ones may exceed.
  var bound: EventCount? { get }
  var scope: CheckScope { get }
  /// The rule that events should follow.
  var rule: (any EventRule)? { get }

  /// The time for which the check listens, in place of a timeout; `nil` for a check that doesn't pass because nothing more arrives.
  var listening: ListeningTime? { get }

  /// Returns the times of a wait; `wait` has those of the call and the configuration.
  func times(of wait: WaitTimes) -> WaitTimes

  /// Returns the check with the plan that it needs; `nil` if there isn't one.
  func with(plan: () -> (any EventRule)?) -> (any CheckKind)?

  func mapping(_ pattern: (EntryPattern) -> EntryPattern) -> any CheckKind

  /// Returns this check, which has read nothing, ready to read entries.
  func begun(in context: CheckContext) -> any CheckKind

  /// The check that continues from the end of a failed wait until `stop()`: it must not record matches.
  var continuing: any CheckKind { get }

  // MARK: Reading

  var state: CheckState { get }
  /// The entries that pass or fail the check.
  var matched: [JournalEntry] { get }
  /// Whether already received entries are read even after the check is decided: a count reports all of them.
  var countsOn: Bool { get }

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

extension CheckKind {
  package var description: String { words.text }
  var patterns: [EntryPattern] { [] }
  var ignored: [EntryPattern] { [] }
  var absent: [EntryPattern] { [] }
  var kinds: EntryKinds { EntryKinds(patterns.map(\.kinds)) }
  var excluded: EntryKinds { kinds }
  var absenceBegins: Int? { nil }
  var interest: JournalInterest { JournalInterest(of: patterns, ignoring: ignored) }
  var problem: String? { patternProblem }
  var readsResponses: Bool { patterns.contains(where: \.readsResponse) }
  var listsPatterns: Bool { false }
  var bound: EventCount? { nil }
  var scope: CheckScope { .entries }
  var rule: (any EventRule)? { nil }
  var listening: ListeningTime? { nil }

  func times(of wait: WaitTimes) -> WaitTimes { wait }

  func with(plan: () -> (any EventRule)?) -> (any CheckKind)? { self }

  func mapping(_ pattern: (EntryPattern) -> EntryPattern) -> any CheckKind { self }

  func begun(in context: CheckContext) -> any CheckKind { self }

  var continuing: any CheckKind { self }

  var countsOn: Bool { false }
  var taken: [JournalEntry] { [] }
  var undecided: [JournalEntry] { [] }
  func look(at timeline: any EntryTimeline) {}
  func warning(on scale: Timescale) -> String? { nil }
}

extension JournalInterest {
  init(of patterns: [EntryPattern], ignoring ignored: [EntryPattern] = []) {
    let interests = patterns.map(\.interest)
    let names = interests.map(\.eventNames)
    self.init(
      eventNames: names.contains(nil) ? nil : names.flatMap { $0 ?? [] },
      requests: interests.contains { $0.requests },
      revisions: patterns.contains(where: \.readsResponse) || ignored.contains(where: \.readsResponse))
  }

  init(in kinds: EntryKinds, revisions: Bool) {
    self.init(
      eventNames: kinds.contains(.events) ? nil : [], requests: kinds.contains(.requests), revisions: revisions)
  }
}
