import Foundation
import TrackingPatterns
import TrackingRules
import TrackingServer

/// A check with its line in the test, its start and its times.
package struct CheckCall: Sendable {
  package var check: TrackingCheck<CheckOutcome>
  package let location: CodeLocation
  /// Earlier entries are ignored.
  package private(set) var origin: JournalMark
  package let timeout: TimeInterval
  /// The silence, in seconds, after which an upper bound counts as met.
  package let settling: TimeInterval
  /// Whether silence from before the wait counts towards `settling`.
  let countsEarlierSilence: Bool
  /// Whether the caller reports the result, so that the verifier never does.
  package var isSilent = false
  /// Whether this package runs the check itself, so that mutants don't repeat it.
  package var isInternal = false

  /// - Parameters:
  ///   - timeout: In seconds; a check may replace it.
  ///   - isTimeoutOfCall: Whether the call, not the configuration, sets the timeout.
  ///   - settling: The silence, in seconds, after which an upper bound counts as met; a check may replace it.
  package init(
    _ check: TrackingCheck<CheckOutcome>, at location: CodeLocation,
    since origin: JournalMark,
    timeout: TimeInterval = 0, isTimeoutOfCall: Bool = false, settling: TimeInterval = 0
  ) {
    self.check = check
    self.location = location
    self.origin = origin
    let times = check.kind.times(
      of: WaitTimes(timeout: timeout, isTimeoutOfCall: isTimeoutOfCall, settling: settling))
    (self.timeout, self.settling) = (times.timeout, times.settling)
    countsEarlierSilence = times.countsEarlierSilence
  }

  /// Returns the check on the entries after a reset; `nil` if it was made after the reset.
  package func again(since beginning: JournalMark) -> CheckCall? {
    guard beginning.entry > origin.entry || beginning.firstRequest > origin.firstRequest else { return nil }
    var call = self
    call.origin = beginning
    return call
  }

  /// A noun phrase for the check, such as `an event named "purchase"`.
  package var words: String { "\(check)" }

  package var pattern: EntryPattern { check.kind.patterns[0] }
}

extension TrackingCheck<CheckOutcome> {
  /// Returns the check with the plan that it needs; `nil` if there isn't one.
  package func with(plan: @autoclosure () -> (any EventRule)?) -> TrackingCheck<CheckOutcome>? {
    kind.with(plan: plan).map { TrackingCheck<CheckOutcome>($0) }
  }

  package func invalidity(at location: CodeLocation) -> CheckFailure? {
    kind.problem.map { CheckFailure(.misuse, $0, at: location) }
  }
}

extension CheckFailure {
  /// Creates the failure of a wait that was open when its test ended.
  package static func unfinished(_ call: CheckCall, in test: String?) -> CheckFailure {
    let name = test.map { " \($0)" } ?? ""
    let headline: Headline = "The test\(cutting: name) ended while it waited for \(cutting: call.words)"
    return CheckFailure(
      .unfinished, "\(headline.line)\nAwait that task before the test returns.", at: call.location)
  }
}

extension CodeLocation {
  /// `CartTests.swift:31`.
  package var shortText: String { "\("\(fileID)".split(separator: "/").last ?? ""):\(line)" }
}
