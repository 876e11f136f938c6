import Foundation
import TrackingModel
import TrackingPatterns
import TrackingRules
import TrackingServer

/// One kind of check: its conditions, its words and its evaluation.
///
/// A check is a value. It can be made of a journal while entries arrive, and of any recorded timeline afterwards, any number of times. Each kind is
/// one file of this folder, with the functions that make it, and nothing else switches over the kinds.
package protocol CheckForm: Sendable, CustomStringConvertible {
  /// The patterns that it looks for.
  var patterns: [EntryPattern] { get }
  /// The patterns of entries that it leaves out.
  var ignored: [EntryPattern] { get }
  /// The patterns that need no match, so that a misspelt one passes.
  var absent: [EntryPattern] { get }
  /// The kinds of entries that it looks at.
  var kinds: EntryKinds { get }
  /// The entries that can change its state.
  var interest: JournalInterest { get }
  /// The reason for which no entry can pass it, in a sentence.
  var problem: String? { get }
  /// Whether its result depends on the order of entries, so that a failure lists its patterns and `responded` marks the moment of the response.
  var isOrdered: Bool { get }
  /// Whether a failure lists its patterns.
  var listsPatterns: Bool { get }
  /// The number of matches that later ones may exceed.
  var bound: EventCount? { get }
  /// The facts that its result depends on.
  var scope: CheckScope { get }
  /// The rule that events should follow; `nil` if it checks something else.
  var rule: (any EventRule)? { get }

  /// The times of a wait for it; `wait` has those of the call and of the configuration.
  func times(of wait: WaitTimes) -> WaitTimes

  /// The same check with the plan that it needs; `nil` if it needs a plan and there is none.
  func with(plan: () -> (any EventRule)?) -> (any CheckForm)?

  func mapping(_ pattern: (EntryPattern) -> EntryPattern) -> any CheckForm

  /// A new evaluation, before the first entry.
  func evaluation(in setting: CheckContext) -> any Evaluation

  /// The evaluation of a wait that has failed, as it continues until `stop()`: it must not match entries.
  func continuing(_ evaluation: any Evaluation) -> any Evaluation
}

extension CheckForm {
  var patterns: [EntryPattern] { [] }
  var ignored: [EntryPattern] { [] }
  var absent: [EntryPattern] { [] }
  var kinds: EntryKinds { EntryKinds(patterns.map(\.kinds)) }
  var interest: JournalInterest { JournalInterest(of: patterns, ignoring: ignored) }
  var problem: String? { patternProblem }
  var isOrdered: Bool { false }
  var listsPatterns: Bool { isOrdered }
  var bound: EventCount? { nil }
  var scope: CheckScope { .entries }
  var rule: (any EventRule)? { nil }

  func times(of wait: WaitTimes) -> WaitTimes { wait }

  func with(plan: () -> (any EventRule)?) -> (any CheckForm)? { self }

  func mapping(_ pattern: (EntryPattern) -> EntryPattern) -> any CheckForm { self }

  func continuing(_ evaluation: any Evaluation) -> any Evaluation { evaluation }

  /// The problem of the first pattern that has one.
  var patternProblem: String? {
    let broken = (patterns + ignored).first { $0.problem != nil }
    return broken.map {
      "The pattern cannot match any \($0.kinds == .requests ? "request" : "event"): \($0.problem ?? "")."
    }
  }

  /// The problem of a list of patterns.
  var orderProblem: String? {
    patterns.isEmpty ? "An empty order checks nothing: name at least one event or request." : patternProblem
  }

  /// The problem of the kinds that a test names.
  var kindsProblem: String? {
    kinds.isEmpty ? "A check of no kind of entries checks nothing: name events, requests or both." : nil
  }

  /// The problem of a number of seconds.
  func secondsProblem(_ seconds: TimeInterval?) -> String? {
    guard let seconds, seconds.isNaN || seconds < 0 else { return nil }
    return "A number of seconds cannot be \(TimeText.seconds(seconds)): \(self)."
  }

  /// `, ignoring an event named "heartbeat"`.
  var exception: String {
    ignored.isEmpty ? "" : ", ignoring \(ignored.map { "\($0)" }.joined(separator: " or "))"
  }
}

/// The times of a wait, in seconds.
package struct WaitTimes {
  var timeout: TimeInterval
  /// Whether the call gives the timeout, and not the configuration.
  var isTimeoutOfCall = false
  /// The silence after which a check that nothing has failed passes.
  var settling: TimeInterval
  /// Whether silence from before the wait counts.
  var countsEarlierSilence = false
}

/// The facts that the result of a check depends on.
package enum CheckScope {
  /// Lost and rejected events.
  case delivery
  /// Deliveries of events that had arrived before.
  case redeliveries
  /// The use of stubs.
  case stubs
  /// Each entry alone.
  case eachEntry
  /// Entries that are equal to another one.
  case equalEntries
  /// The entries of its kinds.
  case entries
  /// The entries, and the matches of earlier waits.
  case entriesAndMatches

  /// Whether entries are among the facts.
  package var includesEntries: Bool { ![.delivery, .redeliveries, .stubs].contains(self) }
}

extension JournalInterest {
  /// The entries that patterns can match.
  init(of patterns: [EntryPattern], ignoring ignored: [EntryPattern] = []) {
    let interests = patterns.map(\.interest)
    let names = interests.map(\.eventNames)
    self.init(
      eventNames: names.contains(nil) ? nil : names.flatMap { $0 ?? [] },
      requests: interests.contains { $0.requests },
      revisions: (patterns + ignored).contains { $0.interest.revisions })
  }

  init(in kinds: EntryKinds, revisions: Bool) {
    self.init(
      eventNames: kinds.contains(.events) ? nil : [], requests: kinds.contains(.requests), revisions: revisions)
  }
}
