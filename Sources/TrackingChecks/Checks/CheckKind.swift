import Foundation
import TrackingModel
import TrackingPatterns
import TrackingRules
import TrackingServer

/// A kind of check: its conditions, its words and its evaluation.
///
/// A check is a value. It can be evaluated any number of times, on a live journal or a recorded timeline. Each kind has one file, and no other code
/// switches over the kinds.
package protocol CheckKind: Sendable, CustomStringConvertible {
  var patterns: [EntryPattern] { get }
  /// Patterns of entries to ignore.
  var ignored: [EntryPattern] { get }
  /// Patterns that pass without a match, even if misspelt: the first of ``patterns``.
  var absent: [EntryPattern] { get }
  var kinds: EntryKinds { get }
  /// The kinds of entries of which one more may fail the check although it has all its matches.
  var excluded: EntryKinds { get }
  /// Whether the check can pass for good only because nothing arrived in between or before.
  var isMetByAbsence: Bool { get }
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

  func evaluation(in context: CheckContext) -> any Evaluation

  /// Returns the evaluation that continues from the end of a failed wait until `stop()`: it must not match entries.
  func continuing(_ evaluation: any Evaluation) -> any Evaluation
}

extension CheckKind {
  var patterns: [EntryPattern] { [] }
  var ignored: [EntryPattern] { [] }
  var absent: [EntryPattern] { [] }
  var kinds: EntryKinds { EntryKinds(patterns.map(\.kinds)) }
  var excluded: EntryKinds { kinds }
  var isMetByAbsence: Bool { false }
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

  func continuing(_ evaluation: any Evaluation) -> any Evaluation { evaluation }

  var patternProblem: String? {
    let broken = (patterns + ignored).first { $0.problem != nil }
    return broken.flatMap { pattern in
      pattern.problem.map { problem in
        let noun = pattern.kinds == .requests ? "request" : "event"
        return "The pattern cannot match any \(noun): \(problem.reason).\(problem.advice.map { "\n\($0)" } ?? "")"
      }
    }
  }

  var orderProblem: String? {
    patterns.isEmpty ? "An empty order checks nothing: name at least one event or request." : patternProblem
  }

  var kindsProblem: String? {
    kinds.isEmpty ? "A check of no kind of entries checks nothing: name events, requests or both." : nil
  }

  /// The problem of a check that ignores all entries of its kinds.
  var ignoredProblem: String? {
    kinds.isSubset(of: EntryKinds(ignored.map(\.wholeKinds)))
      ? "A check that ignores all \(kinds.plural) checks nothing: name only those to ignore in `ignoring:`." : nil
  }

  func secondsProblem(_ seconds: TimeInterval?) -> String? {
    guard let seconds, seconds.isNaN || seconds < 0 else { return nil }
    return "A number of seconds cannot be \(TimeText.seconds(seconds)): \(self)."
  }

  /// The time that a check listens, as a problem if it is invalid.
  func listeningProblem(_ seconds: TimeInterval?) -> String? {
    seconds ?? 0 > ListeningTime.longest
      ? "A check that listens without an end never passes: name the seconds with `within:`." : secondsProblem(seconds)
  }

  /// " within 1 s"; empty for the settling time.
  func within(_ seconds: TimeInterval?) -> String { seconds.map { " within \(TimeText.seconds($0))" } ?? "" }

  var exception: String {
    ignored.isEmpty ? "" : ", ignoring \(ignored.map { "\($0)" }.joined(separator: " or "))"
  }
}

/// The times of a wait, in seconds.
package struct WaitTimes {
  var timeout: TimeInterval
  /// Whether the call, not the configuration, sets the timeout.
  var isTimeoutOfCall = false
  /// The silence after which a check passes unless it has failed.
  var settling: TimeInterval
  /// Whether silence from before the wait counts towards `settling`.
  var countsEarlierSilence = false
}

/// The facts that determine the result of a check.
package enum CheckScope {
  /// Lost and rejected events.
  case delivery
  /// Redeliveries of earlier events.
  case redeliveries
  case stubs
  /// Each entry on its own.
  case eachEntry
  /// Entries that are equal.
  case equalEntries
  case entries
  /// Entries, and the matches of earlier waits.
  case entriesAndMatches

  package var includesEntries: Bool { ![.delivery, .redeliveries, .stubs].contains(self) }
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
