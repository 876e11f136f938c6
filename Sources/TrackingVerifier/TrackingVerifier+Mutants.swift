import Foundation
import TrackingModel
import TrackingChecks
import TrackingServer

// This module doesn't import the one that makes mutants, so that targets without them don't compile it.

extension TrackingVerifier {
  /// The changes that the test would notice as JSON, as the last `stop()` has found them; `nil` if it has failed, or if mutants aren't requested.
  package var mutants: TrackingValue? { state.withLock(\.record.mutants) }

  /// Finds out which changes the test would notice; `nil` if it has failed, or if mutants aren't requested.
  ///
  /// - Parameter unchecked: The place up to which an earlier stop has looked.
  func mutationReport(since unchecked: JournalMark, hasFailed: Bool) -> TrackingValue? {
    guard
      let report = log?.report(
        on: testName ?? "", since: beginning, unchecked: unchecked, hasFailed: hasFailed)
    else { return nil }
    state.withLock { $0.record.mutants = report }
    if let notes = server.notes, notes.isObserved { notes.add(report) }
    return report
  }

  /// Notes that the test has required the result of its last check at a line.
  package func noteRequirement(at location: CodeLocation) {
    log?.require(at: location)
  }

  /// Notes a check of another module that the test has passed, so that it is repeated on mutants.
  ///
  /// - Parameter holds: Whether other entries would pass it, too.
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
  /// - Returns: Whether the wait could begin. If not, the reason has been reported, such as that it would block a task.
  package func listen(at location: CodeLocation) -> Bool {
    couldListen(run(.none(of: .any), since: mark(), nil, at: location, isSilent: true, isInternal: true))
  }

  /// Waits until no event has arrived for the settling time, without blocking a thread.
  ///
  /// - Returns: Whether the wait could begin. If not, the reason has been reported, such as that the test is cancelled.
  package func listen(at location: CodeLocation) async -> Bool {
    couldListen(await run(.none(of: .any), since: mark(), nil, at: location, isSilent: true, isInternal: true))
  }

  private func couldListen(_ finished: FinishedCheck) -> Bool {
    guard let failure = finished.outcome.failure, failure.kind != .unexpectedExtra else { return true }
    fail(failure)
    return false
  }
}
