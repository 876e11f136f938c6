import Foundation
import TrackingModel
import TrackingChecks
import TrackingServer

/// The interface to TrackingAudit for mutants.
///
/// This module doesn't import TrackingAudit. It looks up the class `TrackingAudit.MutationLinkage`, which exists if the module is linked.
package protocol MutationSupport: AnyObject, Sendable {
  static func makeLog(of journal: TrackingJournal) -> any CheckLog
}

/// Decides about mutants in place of the environment.
package protocol MutationDecision: Sendable {
  func makeLog(of journal: TrackingJournal) -> (any CheckLog)?
}

/// A log of a test's checks, which are repeated on mutants of its timeline; exists only if mutants are requested.
package protocol CheckLog: Sendable {
  func add(_ run: CheckRun, passed: Bool)

  /// Adds an expectation of XCTest, and returns its index for ``end(expectation:before:)``.
  func add(expecting call: CheckCall) -> Int

  /// Ends an expectation before the entry with this number: by then the test had moved on.
  func end(expectation place: Int, before number: Int)

  /// Adds a check of `stop()` that passed.
  func add(atStop call: CheckCall)

  /// Notes a `require` of the last check at a line.
  func require(at location: CodeLocation)

  func reset(since beginning: JournalMark)

  /// Repeats the checks so far on mutants, and forgets them.
  ///
  /// - Parameter unchecked: Where the previous `stop()` ended.
  /// - Returns: The report as JSON; `nil` for a failed test, or if nothing has arrived or been checked since that `stop()`.
  func report(
    on testName: String, since beginning: JournalMark, unchecked: JournalMark, hasFailed: Bool
  ) -> TrackingValue?
}

enum LinkedChecks {
  private static let link = LinkedClass<any MutationSupport.Type>("TrackingAudit.MutationLinkage")

  /// Returns a log if the environment requests mutants; prints a message and returns `nil` if the module isn't linked.
  static func makeLog(of journal: TrackingJournal) -> (any CheckLog)? {
    guard TestVariable.mutations.isOn else { return nil }
    return link.required(for: "Mutants are requested (\(TestVariable.mutations.name))")?.makeLog(of: journal)
  }
}
