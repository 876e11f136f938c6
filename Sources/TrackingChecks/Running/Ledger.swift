import TrackingModel
import TrackingServer

/// The entries that the checks of a test have matched, and the checks that continue after their waits.
///
/// Its results follow from the timeline and from the matches alone, so they don't depend on who runs a check, or when.
package struct Ledger: Sendable {
  /// A check that continues.
  private struct Open: Sendable {
    /// Distinguishes it from those from before a reset.
    let id: Int
    var run: CheckRun
    /// Whether the late match has been reported.
    var isReported = false
  }

  /// The entries that waits have matched or failed with, with the places of these waits in `matchers`.
  private var matches: [Int: Int] = [:]
  private var matchers: [CodeLocation] = []
  /// Extras that a failure has reported.
  private var reported: Set<Int> = []
  private var open: [Open] = []
  private var nextID = 0
  /// Findings from before a reset, which `stop()` reports.
  private var findings: [LateFinding] = []
  /// The problems that failures have reported.
  package var problems = ReportedProblems()

  package init() {}

  /// The numbers of the entries that waits have matched.
  package var matched: Set<Int> { Set(matches.keys) }

  /// Notes the matched entries, and the line of the wait.
  ///
  /// - Returns: The numbers of those that no wait had matched.
  @discardableResult
  package mutating func match(_ entries: [JournalEntry], at location: CodeLocation) -> [Int] {
    var new: [Int] = []
    for entry in entries where matches[entry.number] == nil {
      new.append(entry.number)
      matches[entry.number] = matchers.count
    }
    if !new.isEmpty { matchers.append(location) }
    return new
  }

  /// Whether no wait has matched an entry.
  package func isFree(_ entry: JournalEntry) -> Bool { matches[entry.number] == nil }

  /// The line of the wait that has matched an entry first: `CartTests.swift:31`.
  package func matcher(of entry: JournalEntry) -> String? { matches[entry.number].map { matchers[$0].shortText } }

  /// Continues a check whose wait has returned.
  package mutating func keep(_ run: CheckRun) {
    open.append(Open(id: nextID, run: run))
    nextID += 1
  }

  /// Lets each check that continues read what has arrived.
  package mutating func read(_ timeline: any EntryTimeline) {
    for index in open.indices { open[index].run.read(timeline) }
  }

  /// Takes over what a copy of this ledger has read; of copies that were read at once, the one that has read furthest is believed.
  package mutating func adopt(_ copy: Ledger) {
    for (index, other) in copy.open.enumerated()
    where open.indices.contains(index) && open[index].id == other.id && open[index].run.isBehind(other.run) {
      open[index].run = other.run
    }
  }

  /// The entries that count as extras: not matched by a wait, not allowed by a count, and not a late match.
  package func unmatched(_ entries: [JournalEntry]) -> [JournalEntry] {
    let allowed = open.reduce(into: reported) { $0.formUnion($1.run.allowed) }
    return entries.filter { isFree($0) && !allowed.contains($0.number) }
  }

  /// The matches that a bound has no room for, that no wait has matched, and that no failure has reported.
  package func extras(of run: CheckRun) -> [JournalEntry] {
    run.extras.filter { isFree($0) && !reported.contains($0.number) }
  }

  /// The late findings that were not reported yet.
  package mutating func takeFindings() -> [LateFinding] {
    var findings = findings
    self.findings = []
    for index in open.indices {
      let run = open[index].run
      let extras = extras(of: run)
      if !run.call.isSilent, !extras.isEmpty {
        reported.formUnion(extras.map(\.number))
        findings.append(.exceeded(run, extras))
      }
      if run.passedLate, !open[index].isReported { findings.append(.passedLate(run)) }
      if run.passedLate { open[index].isReported = true }
    }
    return findings
  }

  /// Forgets all matches, and keeps the findings until then for `stop()`.
  package mutating func reset() {
    var next = Ledger()
    next.findings = takeFindings()
    (next.problems, next.nextID) = (problems, nextID)
    self = next
  }
}

/// A finding about a check after its wait had returned.
package enum LateFinding: Sendable {
  /// It passed after the deadline.
  case passedLate(CheckRun)
  /// More entries arrived than the bound allows.
  case exceeded(CheckRun, [JournalEntry])
}
