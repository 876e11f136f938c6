import Foundation
import TrackingModel
import TrackingChecks
import TrackingServer

// This module doesn't import the one that makes mutants, so that targets without them don't compile it.

extension TrackingVerifier {
  /// The report of the last `stop()` on the changes that the test would notice; `nil` for a failed test, or if mutants aren't requested.
  package var mutants: TrackingValue? { state.withLock(\.record.mutants) }

  /// Reports which changes the test would notice; `nil` for a failed test, or if mutants aren't requested.
  func mutationReport(since unchecked: JournalMark, hasFailed: Bool) -> TrackingValue? {
    guard
      let report = log?.report(
        on: testName ?? "", since: beginning, unchecked: unchecked, hasFailed: hasFailed)
    else { return nil }
    state.withLock { $0.record.mutants = report }
    if let notes = server.notes, notes.isObserved { notes.add(report) }
    return report
  }

  /// Notes a `require` of the last check at a line.
  package func noteRequirement(at location: CodeLocation) {
    log?.require(at: location)
  }

  /// Logs a passed check of another module, so that it is repeated on mutants; `holds` tells whether other entries pass it.
  package func note(
    _ words: String, at location: CodeLocation, since mark: Mark?, of kinds: EntryKinds,
    _ holds: @escaping @Sendable ([JournalEntry]) -> Bool
  ) {
    guard let log, let origin = origin(mark) else { return }
    let call = CheckCall(.sequence(words, of: kinds, holds), at: location, since: origin)
    log.add(CheckRun(call, in: CheckContext(), from: .now), passed: true)
  }
}

extension TrackingVerifier {
  /// Waits until no event has arrived for the settling time, for a check of another module.
  ///
  /// - Returns: Whether the wait could start. If not, the reason, such as a blocked task, has been reported.
  package func listen(at location: CodeLocation) -> Bool {
    couldListen(run(.none(of: .any), since: mark(), nil, at: location, isSilent: true, isInternal: true))
  }

  /// Waits until no event has arrived for the settling time, without blocking a thread.
  ///
  /// - Returns: Whether the wait could start. If not, the reason, such as a cancelled task, has been reported.
  package func listen(at location: CodeLocation) async -> Bool {
    couldListen(await run(.none(of: .any), since: mark(), nil, at: location, isSilent: true, isInternal: true))
  }

  private func couldListen(_ finished: CheckResult) -> Bool {
    guard let failure = finished.outcome.failure, failure.kind != .unexpectedExtra else { return true }
    fail(failure)
    return false
  }
}
