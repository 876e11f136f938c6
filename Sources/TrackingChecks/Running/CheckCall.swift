import Foundation
import TrackingPatterns
import TrackingRules
import TrackingServer

/// A check with its line in the test, its origin and its times.
package struct CheckCall: Sendable {
  package var check: TrackingCheck<CheckOutcome>
  package let location: CodeLocation
  /// Entries from before it are not looked at.
  package private(set) var origin: JournalMark
  /// Seconds to wait.
  package let timeout: TimeInterval
  /// Seconds without a further match after which an upper bound is believed.
  package let settling: TimeInterval
  /// Whether silence from before the wait counts.
  let countsEarlierSilence: Bool
  /// Whether the caller reports the result, so that the verifier reports nothing, now or later.
  package var isSilent = false
  /// Whether this package makes it for its own purposes, so that mutants don't repeat it.
  package var isInternal = false

  /// A check that is made at a line.
  ///
  /// - Parameters:
  ///   - timeout: Seconds to wait; a check may name another number.
  ///   - isTimeoutOfCall: Whether the call gives them, and not the configuration.
  ///   - settling: Seconds of silence after which an upper bound is believed; a check may name another number.
  package init(
    _ check: TrackingCheck<CheckOutcome>, at location: CodeLocation,
    since origin: JournalMark,
    timeout: TimeInterval = 0, isTimeoutOfCall: Bool = false, settling: TimeInterval = 0
  ) {
    self.check = check
    self.location = location
    self.origin = origin
    let times = check.form.times(
      of: WaitTimes(timeout: timeout, isTimeoutOfCall: isTimeoutOfCall, settling: settling))
    (self.timeout, self.settling) = (times.timeout, times.settling)
    countsEarlierSilence = times.countsEarlierSilence
  }

  /// The same check about what follows a reset; `nil` if it was made after it.
  package func again(since beginning: JournalMark) -> CheckCall? {
    guard beginning.entry > origin.entry || beginning.firstRequest > origin.firstRequest else { return nil }
    var call = self
    call.origin = beginning
    return call
  }

  /// A noun phrase for the check, such as `an event named "purchase"`.
  package var words: String { "\(check)" }

  /// The only pattern of a count.
  package var pattern: EntryPattern { check.form.patterns[0] }
}

extension TrackingCheck<CheckOutcome> {
  /// The same check with the plan that it needs; `nil` if it needs a plan and there is none.
  package func with(plan: @autoclosure () -> (any EventRule)?) -> TrackingCheck<CheckOutcome>? {
    form.with(plan: plan).map { TrackingCheck<CheckOutcome>($0) }
  }

  /// The failure of an invalid check; `nil` for a valid one.
  package func invalidity(at location: CodeLocation) -> CheckFailure? {
    form.problem.map { CheckFailure(.misuse, $0, at: location) }
  }
}

extension CheckFailure {
  /// The failure of a wait that was open when its test ended.
  package static func unfinished(_ call: CheckCall, in test: String?) -> CheckFailure {
    let name = test.map { " \($0)" } ?? ""
    let verdict: Verdict = "The test\(cutting: name) ended while it waited for \(cutting: call.words)"
    return CheckFailure(
      .unfinished, "\(verdict.line)\nAwait the task that waits before the test returns.", at: call.location)
  }
}

extension CodeLocation {
  /// `CartTests.swift:31`.
  package var shortText: String { "\("\(fileID)".split(separator: "/").last ?? ""):\(line)" }
}
