import TrackingModel
import TrackingServer

/// The entries matched by a test's checks, and the checks that continue after their waits.
///
/// Its results depend only on the timeline and the matches, not on who runs a check, or when.
package struct Ledger: Sendable {
  private struct Open: Sendable {
    /// Distinguishes the check from those before a reset.
    let id: Int
    var run: CheckRun
    var isReported = false
  }

  /// The entries that waits have matched or failed with, and the indices of these waits in `matchers`.
  private var matches: [Int: Int] = [:]
  private var matchers: [CodeLocation] = []
  /// Extras that a failure has reported.
  private var reported: Set<Int> = []
  private var open: [Open] = []
  private var nextID = 0
  /// Findings from before a reset, which `stop()` reports.
  private var findings: [LateFinding] = []
  package var problems = ReportedProblems()

  package init() {}

  package var matched: Set<Int> { Set(matches.keys) }

  /// Records matched entries and the line of the wait, and returns the numbers of newly matched ones.
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

  package func isFree(_ entry: JournalEntry) -> Bool { matches[entry.number] == nil }

  /// The line of the first wait that matched an entry: `CartTests.swift:31`.
  package func matcher(of entry: JournalEntry) -> String? { matches[entry.number].map { matchers[$0].shortText } }

  /// Continues a check whose wait has returned.
  package mutating func keep(_ run: CheckRun) {
    open.append(Open(id: nextID, run: run))
    nextID += 1
  }

  package mutating func read(_ timeline: any EntryTimeline) {
    for index in open.indices { open[index].run.read(timeline) }
  }

  /// Merges a copy of this ledger: of copies that read concurrently, the one that has read furthest wins.
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

  /// The extras of a run that no wait has matched and no failure has reported.
  package func extras(of run: CheckRun) -> [JournalEntry] {
    run.extras.filter { isFree($0) && !reported.contains($0.number) }
  }

  /// Returns the unreported late findings.
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

  /// Forgets all matches; keeps the findings so far for `stop()`.
  package mutating func reset() {
    var next = Ledger()
    next.findings = takeFindings()
    (next.problems, next.nextID) = (problems, nextID)
    self = next
  }
}

/// A finding about a check whose wait had returned.
package enum LateFinding: Sendable {
  case passedLate(CheckRun)
  case exceeded(CheckRun, [JournalEntry])
}
