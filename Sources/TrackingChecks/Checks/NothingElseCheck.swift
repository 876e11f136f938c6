import Foundation
import TrackingPatterns
import TrackingServer

struct NothingElseCheck: CheckKind {
  /// `nil` for the settling time after the last event.
  let seconds: TimeInterval?
  let kinds: EntryKinds
  private var ignoring: IgnoredEntries
  private var context = CheckContext()
  private var candidates: [JournalEntry] = []
  private var extras: [JournalEntry] = []

  init(seconds: TimeInterval?, kinds: EntryKinds, ignored: [EntryPattern]) {
    (self.seconds, self.kinds, ignoring) = (seconds, kinds, IgnoredEntries(ignored))
  }

  var ignored: [EntryPattern] { ignoring.patterns }

  var interest: JournalInterest { JournalInterest(in: kinds, revisions: JournalInterest(of: ignored).revisions) }
  var problem: String? { kindsProblem ?? listeningProblem(seconds) ?? patternProblem ?? ignoredProblem }
  var words: Headline {
    "no \(kinds.plural) other than those that waits have matched\(within(seconds))\(exception)"
  }
  var listening: ListeningTime? { ListeningTime(.nothingElse, within: seconds) }
  var scope: CheckScope { .entriesAndMatches }

  func times(of wait: WaitTimes) -> WaitTimes { listening?.times ?? wait }

  func mapping(_ pattern: (EntryPattern) -> EntryPattern) -> any CheckKind {
    NothingElseCheck(seconds: seconds, kinds: kinds, ignored: ignored.map(pattern))
  }

  func begun(in context: CheckContext) -> any CheckKind {
    var check = self
    check.context = context
    return check
  }
}

extension TrackingCheck<CheckOutcome> {
  /// Passes if no events, or requests, arrive except those that waits have matched and those to ignore.
  ///
  /// ```swift
  /// verifier.wait(for: .nothingElse(ignoring: [.named("heartbeat")]))
  /// verifier.wait(for: .nothingElse(within: 2, among: [.events, .requests]))
  /// ```
  ///
  /// A count also allows later matches up to its upper bound. Wait for the last event of the journey first. With `within:`, the wait listens for this
  /// number of seconds from its start, otherwise for the settling time after the last event; there is no timeout.
  public static func nothingElse(
    within seconds: TimeInterval? = nil, among kinds: EntryKinds = .events, ignoring patterns: [EntryPattern] = []
  ) -> TrackingCheck<CheckOutcome> {
    TrackingCheck<CheckOutcome>(NothingElseCheck(seconds: seconds, kinds: kinds, ignored: patterns))
  }
}

// MARK: - Reading

extension NothingElseCheck {
  var state: CheckState { extras.isEmpty ? .holding : extras.allSatisfy(ignoring.isPending) ? .open : .broken }
  var matched: [JournalEntry] { extras }

  mutating func take(_ moment: TimelineMoment) -> Bool {
    let entry = moment.entry
    guard !ignoring.contains(entry) else { return false }
    candidates.append(entry)
    return true
  }

  /// Looks at all candidates each time: matches of other waits may change.
  mutating func look(at timeline: any EntryTimeline) {
    extras = context.unmatched(candidates)
  }

  func explain(_ finding: Finding) -> Explanation {
    var explanation = Explanation(kind: .unexpectedExtra, headline: headline, about: extras)
    explanation.details = ignoring.doubts(about: extras).first ?? ""
    // A wait for the expected event may have matched the extra one before it.
    let names = Set(extras.map(Self.name))
    for entry in candidates where names.contains(Self.name(of: entry)) {
      explanation.notes[entry.number] = context.matcher(of: entry).map { "matched at \($0)" }
    }
    for extra in extras { explanation.notes[extra.number] = "not expected" }
    return explanation
  }

  private var headline: Headline {
    guard let first = extras.first else { return "The test expected nothing else, and nothing else arrived" }
    let noun = EntryKinds(extras.map { $0.request == nil ? .events : .requests }).singular
    let subject: Headline = "#\(first.number), \(first.words)"
    return extras.count == 1
      ? "The test expected nothing else, but 1 more \(noun) arrived: \(subject)"
      : "The test expected nothing else, but \(extras.count) more \(plural(noun)) arrived; the first is \(subject)"
  }

  private func plural(_ noun: String) -> String { noun == "event or request" ? "events and requests" : "\(noun)s" }

  /// The name or path shared by entries that a wait may match in place of each other.
  private static func name(of entry: JournalEntry) -> String {
    entry.request.map { "\($0.method) \($0.request.path)" } ?? entry.event?.event.name ?? ""
  }
}
