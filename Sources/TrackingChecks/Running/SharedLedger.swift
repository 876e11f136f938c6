import TrackingModel
import TrackingServer

/// A ledger that several threads share, with the timeline that its checks read.
package final class SharedLedger: Sendable {
  /// The ledgers for which this thread or task runs a pattern of a check that continues: a test's closure may use the verifier, and must not lead
  /// back here.
  @TaskLocal private static var reading: Set<ObjectIdentifier> = []

  let timeline: any EntryTimeline
  private let state = Locked(Ledger())
  /// Called with the numbers of newly matched entries.
  let onMatch: @Sendable ([Int]) -> Void

  /// The test's stubs that weren't used yet.
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

  /// Notes the matched entries, and the line of the wait.
  ///
  /// - Returns: Whether no wait had matched any of them.
  @discardableResult
  package func match(_ entries: [JournalEntry], at location: CodeLocation) -> Bool {
    let new = edit { $0.match(entries, at: location) }
    if !new.isEmpty { onMatch(new) }
    return new.count == entries.count
  }

  /// Records the entries of an ended check as matched, and continues its run, in one step.
  package func record(_ matched: [JournalEntry], of call: CheckCall, continuing run: CheckRun?) {
    let new = edit { ledger in
      if let run { ledger.keep(run) }
      return ledger.match(matched, at: call.location)
    }
    if !new.isEmpty { onMatch(new) }
  }

  /// The run of a check on everything that has arrived, or had by a mark, without a wait.
  package func glance(
    at call: CheckCall, asOf scale: Timescale, until end: JournalMark? = nil,
    except reported: ReportedProblems = .none
  ) -> CheckRun {
    var run = CheckRun(
      call, in: CheckContext(origin: call.origin, reported: reported, ledger: self), asOf: scale)
    if let end { run.read(PastTimeline(of: timeline, until: end)) } else { run.read(timeline) }
    return run
  }

  /// The ledger after each check that continues has read what has arrived, with no lock held: patterns are the test's own code.
  package func read() -> Ledger {
    var copy = value
    let id = ObjectIdentifier(self)
    if !Self.reading.contains(id) { Self.$reading.withValue(Self.reading.union([id])) { copy.read(timeline) } }
    return edit { [copy] ledger in
      ledger.adopt(copy)
      return ledger
    }
  }

  /// The late findings that were not reported yet.
  package func takeFindings() -> [LateFinding] {
    _ = read()
    return edit { $0.takeFindings() }
  }

  /// Forgets all matches, and keeps the findings until then for `stop()`.
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
