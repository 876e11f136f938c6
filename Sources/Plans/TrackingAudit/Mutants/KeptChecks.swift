import TrackingModel
import TrackingChecks
import TrackingServer
import TrackingVerifier

/// The checks of a test, which `stop()` repeats on mutants of its timeline.
final class KeptChecks: CheckLog {
  private struct State {
    var checks: [KeptCheck] = []
    /// The entries removed by resets.
    var removed: [JournalEntry] = []
  }

  private let state = Locked(State())
  private let journal: TrackingJournal
  private let runsClosures: Bool

  init(of journal: TrackingJournal, runsClosures: Bool) {
    self.journal = journal
    self.runsClosures = runsClosures
  }

  func add(_ run: CheckRun, passed: Bool) {
    let call = run.call
    guard !call.isInternal else { return }
    add(
      KeptCheck(
        call: call, wait: run.scale.began...ContinuousClock.now, end: journal.nextNumber,
        isGood: passed, matched: run.matched.map(\.number),
        // The test may or may not check an outcome.
        returned: call.isSilent ? .returned : .discarded))
  }

  func add(expecting call: CheckCall) -> Int {
    add(KeptCheck(call: call, wait: nil, end: journal.nextNumber))
  }

  func end(expectation place: Int, before number: Int) {
    state.withLock { state in
      if state.checks.indices.contains(place) { state.checks[place].waitEnd = number }
    }
  }

  func add(atStop call: CheckCall) {
    let now = ContinuousClock.now
    add(KeptCheck(call: call, wait: now...now, isAtStop: true, end: journal.nextNumber, isGood: true))
  }

  /// Returns the check's index.
  @discardableResult
  private func add(_ check: KeptCheck) -> Int {
    state.withLock { state in
      state.checks.append(check)
      return state.checks.count - 1
    }
  }

  /// Notes that the test has required the result of its last check, at a line.
  func require(at location: CodeLocation) {
    state.withLock { state in
      guard
        let index = state.checks.lastIndex(where: {
          ($0.call.location.shortText, $0.call.location.column) == (location.shortText, location.column)
        })
      else { return }
      state.checks[index].returned = .returned
    }
  }

  /// Keeps the entries that a reset removes from the journal.
  func reset(since beginning: JournalMark) {
    let entries = Array(journal.entries(since: beginning))
    let next = journal.nextNumber
    state.withLock { state in
      state.removed += entries
      for index in state.checks.indices { state.checks[index].reset = min(state.checks[index].reset, next) }
    }
  }

  func report(
    on testName: String, since beginning: JournalMark, unchecked: JournalMark, hasFailed: Bool
  ) -> TrackingValue? {
    guard let test = take(name: testName, since: beginning, unchecked: unchecked), !hasFailed else { return nil }
    return MutationAnalysis.report(on: test).value
  }

  /// Returns the test so far and forgets its checks; `nil` if nothing has arrived or been checked since the earlier stop.
  ///
  /// - Parameter unchecked: The place of an earlier stop. Entries before it belong to the test only if it has waited since then.
  func take(name: String, since beginning: JournalMark, unchecked: JournalMark? = nil) -> KeptTest? {
    let taken = state.withLock { state in
      defer { state = State() }
      return state
    }
    let hasWaits = taken.checks.contains { !$0.isAtStop }
    let entries = Array(journal.entries(since: hasWaits ? beginning : unchecked ?? beginning))
    guard hasWaits || !(entries.isEmpty && taken.removed.isEmpty) else { return nil }
    return KeptTest(
      name: name, entries: taken.removed + entries, checks: taken.checks, runsClosures: runsClosures)
  }
}

/// The class that a verifier finds by name when mutants are requested; see `MutationSupport`.
package final class MutationLinkage: MutationSupport {
  package static func makeLog(of journal: TrackingJournal) -> any CheckLog {
    KeptChecks(of: journal, runsClosures: true)
  }
}
