import Foundation
import TrackingPatterns
import TrackingRules
import TrackingServer

/// A question with its line in the test, its origin and its times.
package struct CheckCall: Sendable {
  package var check: TrackingCheck<CheckOutcome>
  /// A noun phrase for the question, such as `an event named "purchase"`.
  package let words: String
  package let location: CodeLocation
  /// Entries from before it are not looked at.
  package private(set) var origin: JournalMark
  /// Seconds to wait.
  package let timeout: TimeInterval
  /// Seconds without a further match after which an upper bound is believed.
  package let settling: TimeInterval
  /// Whether silence from before the wait counts.
  let countsEarlierSilence: Bool
  /// Whether the caller reports the answer, so that the verifier reports nothing, now or later.
  package var isSilent = false
  /// Whether this package makes it for its own purposes, so that mutants don't repeat it.
  package var isInternal = false

  /// A question that is asked at a line.
  ///
  /// - Parameters:
  ///   - timeout: Seconds to wait; a question may name another number.
  ///   - isTimeoutOfCall: Whether the call gives them, and not the configuration.
  ///   - settling: Seconds of silence after which an upper bound is believed; a question may name another number.
  package init(
    _ check: TrackingCheck<CheckOutcome>, _ words: String? = nil, at location: CodeLocation,
    since origin: JournalMark,
    timeout: TimeInterval = 0, isTimeoutOfCall: Bool = false, settling: TimeInterval = 0
  ) {
    self.check = check
    self.words = words ?? "\(check)"
    self.location = location
    self.origin = origin
    let times = check.form.times(
      of: WaitTimes(timeout: timeout, isTimeoutOfCall: isTimeoutOfCall, settling: settling))
    (self.timeout, self.settling) = (times.timeout, times.settling)
    countsEarlierSilence = times.countsEarlierSilence
  }

  /// The same question about what follows a reset; `nil` if it was asked after it.
  package func again(since beginning: JournalMark) -> CheckCall? {
    guard beginning.entry > origin.entry || beginning.firstRequest > origin.firstRequest else { return nil }
    var call = self
    call.origin = beginning
    return call
  }

  /// The only pattern of a count.
  package var pattern: EntryPattern { check.form.patterns[0] }
}

extension TrackingCheck<CheckOutcome> {
  /// The same question with the plan that it asks about; `nil` if it asks about a plan and there is none.
  package func with(plan: @autoclosure () -> (any EventRule)?) -> TrackingCheck<CheckOutcome>? {
    form.with(plan: plan).map { TrackingCheck<CheckOutcome>($0) }
  }

  /// The failure of an invalid question; `nil` for a valid one.
  package func invalidity(at location: CodeLocation) -> CheckFailure? {
    form.problem.map { CheckFailure(kind: .misuse, message: Excerpt.wrapped($0), location: location) }
  }
}

extension CheckFailure {
  /// The failure of a wait that was open when its test ended.
  package static func unfinished(_ call: CheckCall, in test: String?) -> CheckFailure {
    CheckFailure(
      kind: .unfinished,
      message: Excerpt.wrapped(
        "The test\(test.map { " \($0)" } ?? "") ended while it still waited for \(call.words): await the task that waits before the test returns."
      ), location: call.location)
  }
}

extension CodeLocation {
  /// `CartTests.swift:31`.
  package var shortText: String { "\("\(fileID)".split(separator: "/").last ?? ""):\(line)" }
}
