import TrackingModel
import TrackingServer

/// A thread-safe ledger, with the timeline that its checks read.
package final class SharedLedger: Sendable {
  /// The ledgers for which this thread or task runs a pattern of a continuing check: a test's closure may use the verifier, and must not lead
  /// back here.
  @TaskLocal private static var reading: Set<ObjectIdentifier> = []

  let timeline: any EntryTimeline
  private let state = Locked(Ledger())
  let onMatch: @Sendable ([Int]) -> Void

  package let unusedStubs: @Sendable () -> [UnusedStub]

  package init(
    of timeline: any EntryTimeline, unusedStubs: @escaping @Sendable () -> [UnusedStub] = { [] },
    onMatch: @escaping @Sendable ([Int]) -> Void = { _ in }
  ) {
    self.timeline = timeline
    self.unusedStubs = unusedStubs
    self.onMatch = onMatch
  }

  package var value: Ledger { state.withLock { $0 } }

  package func edit<Result: Sendable>(_ change: (inout Ledger) -> Result) -> Result {
    state.withLock { change(&$0) }
  }

  /// Records matched entries and the line of the wait, and returns whether no wait had matched any of them.
  @discardableResult
  package func match(_ entries: [JournalEntry], at location: CodeLocation) -> Bool {
    let new = edit { $0.match(entries, at: location) }
    if !new.isEmpty { onMatch(new) }
    return new.count == entries.count
  }

  /// Records the entries of an ended check as matched and continues its run, atomically.
  package func record(_ matched: [JournalEntry], of call: CheckCall, continuing run: CheckRun?) {
    let new = edit { ledger in
      if let run { ledger.keep(run) }
      return ledger.match(matched, at: call.location)
    }
    if !new.isEmpty { onMatch(new) }
  }

  /// Runs a check on everything received so far, or before a mark, without a wait.
  package func glance(
    at call: CheckCall, asOf scale: Timescale, until end: JournalMark? = nil,
    except reported: ReportedProblems = .none, countsOtherSessions: Bool = false
  ) -> CheckRun {
    let context = CheckContext(
      origin: call.origin, reported: reported, ledger: self, countsOtherSessions: countsOtherSessions)
    var run = CheckRun(call, in: context, asOf: scale)
    if let end { run.read(PastTimeline(of: timeline, until: end)) } else { run.read(timeline) }
    return run
  }

  /// The ledger after all continuing checks have read the new entries; holds no lock, because patterns are the test's own code.
  package func read() -> Ledger {
    var copy = value
    let id = ObjectIdentifier(self)
    if !Self.reading.contains(id) { Self.$reading.withValue(Self.reading.union([id])) { copy.read(timeline) } }
    return edit { [copy] ledger in
      ledger.adopt(copy)
      return ledger
    }
  }

  package func takeFindings() -> [LateFinding] {
    _ = read()
    return edit { $0.takeFindings() }
  }

  package func reset() {
    _ = read()
    edit { $0.reset() }
  }
}

extension SharedLedger: WaitMatches {
  package func isFree(_ entry: JournalEntry) -> Bool { value.isFree(entry) }

  package func unmatched(_ entries: [JournalEntry]) -> [JournalEntry] { read().unmatched(entries) }

  package func matcher(of entry: JournalEntry) -> String? { value.matcher(of: entry) }
}
