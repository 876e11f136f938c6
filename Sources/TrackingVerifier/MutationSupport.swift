import Foundation
import TrackingModel
import TrackingChecks
import TrackingServer

/// The part of the module TrackingAudit that a verifier needs to make mutants.
///
/// The verifier doesn't import that module. It looks for the class `TrackingAudit.MutationLinkage`, which is there when the module is linked.
package protocol MutationSupport: AnyObject, Sendable {
  /// A new log of a test's checks, which the environment requests.
  static func makeLog(of journal: TrackingJournal) -> any CheckLog
}

/// A decision on mutants, in a configuration that doesn't leave it to the environment.
package protocol MutationDecision: Sendable {
  /// A log of a test's checks; `nil` if no mutants are wanted.
  func makeLog(of journal: TrackingJournal) -> (any CheckLog)?
}

/// The checks of a test, to be repeated on mutants of its timeline; there is one only if mutants are requested.
package protocol CheckLog: Sendable {
  /// Adds a wait that has ended.
  func add(_ run: CheckRun, passed: Bool)

  /// Adds an expectation of XCTest.
  ///
  /// - Returns: Its place, for ``end(expectation:before:)``.
  func add(expecting call: CheckCall) -> Int

  /// Ends an expectation before the entry with a number: the test had gone on by then.
  func end(expectation place: Int, before number: Int)

  /// Adds a check of `stop()` that the test has passed.
  func add(atStop call: CheckCall)

  /// Notes that the test has required the result of its last check at a line.
  func require(at location: CodeLocation)

  /// Keeps the entries that a reset removes from the journal.
  func reset(since beginning: JournalMark)

  /// Repeats the checks so far on mutants, and forgets them.
  ///
  /// - Parameters:
  ///   - unchecked: The place up to which an earlier stop has looked.
  ///   - hasFailed: Whether the test has failed.
  /// - Returns: The report as JSON; `nil` for a failed test, or if nothing has arrived or been checked since that stop.
  func report(
    on testName: String, since beginning: JournalMark, unchecked: JournalMark, hasFailed: Bool
  ) -> TrackingValue?
}

/// The module TrackingAudit.
enum LinkedChecks {
  private static let link = LinkedClass<any MutationSupport.Type>("TrackingAudit.MutationLinkage")

  /// A log if the environment requests mutants; `nil` after a message if the module is not linked.
  static func makeLog(of journal: TrackingJournal) -> (any CheckLog)? {
    guard TestVariable.mutations.isOn else { return nil }
    return link.required(for: "Mutants are requested (\(TestVariable.mutations.name))")?.makeLog(of: journal)
  }
}
