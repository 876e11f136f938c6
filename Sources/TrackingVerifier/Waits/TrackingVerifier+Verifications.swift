import Foundation
import TrackingModel
import TrackingPatterns

// The blocking forms, for synchronous tests.

extension TrackingVerifier {
  /// Asks a question and fails the test, at the line of the call, when the answer is no.
  ///
  /// ```swift
  /// verifier.wait(for: .inOrder([.named("cart_shown"), .named("checkout_started"), .named("purchase")]))
  /// ```
  ///
  /// Counts what came after `mark`; without one, what came since the last reset. Waits at most `timeout` seconds;
  /// without one, the configuration's.
  @available(*, noasync, message: "blocks its thread; write `await`")
  @discardableResult
  public func wait(
    for verification: Verification, since mark: Mark? = nil, timeout: TimeInterval? = nil,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> Verification.Outcome {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    return ask(question(verification, since: mark, timeout, location)).outcome
  }

  /// Waits for a number of events of a pattern.
  ///
  /// One too many fails at once. A number that is right is believed after the settling time, and an extra that comes later is reported at `stop()`.
  ///
  /// ```swift
  /// let taps = verifier.wait(for: .named("button_tapped"), count: .exactly(2))
  /// ```
  ///
  /// Counts what came after `mark`; without one, what came since the last reset. Waits at most `timeout` seconds;
  /// without one, the configuration's.
  ///
  /// - Returns: The events that came, in the order of arrival; where the number is not right, after the test has been failed.
  @available(*, noasync, message: "blocks its thread; write `await`")
  @discardableResult
  public func wait(
    for pattern: EventPattern, count: EventCount, since mark: Mark? = nil, timeout: TimeInterval? = nil,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> [TrackingEvent] {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    return ask(question(.count(count, of: pattern), since: mark, timeout, location)).outcome.events
  }

  /// Makes sure that no event of a pattern comes; the first that does fails the test at once.
  ///
  /// ```swift
  /// verifier.verifyNone(of: .named("purchase"), within: 1, since: mark)
  /// ```
  ///
  /// Listens for `seconds`; without them, for the configuration's settling time. Counts what came after `mark`; without
  /// one, what came since the last reset.
  @available(*, noasync, message: "blocks its thread; write `await`")
  @discardableResult
  public func verifyNone(
    of pattern: EventPattern, within seconds: TimeInterval? = nil, since mark: Mark? = nil,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> Verification.Outcome {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    return ask(question(.none(of: pattern, within: seconds), since: mark, nil, location)).outcome
  }

  /// Asks a question and reports nothing, neither now nor at the stop: for helpers that report in their own words.
  ///
  /// ```swift
  /// let outcome = verifier.outcome(of: .noDuplicates(within: 0.5))
  /// if let failure = outcome.failure { XCTFail("on screen 3: " + failure.message) }
  /// ```
  ///
  /// Counts what came after `mark`; without one, what came since the last reset. Waits at most `timeout` seconds;
  /// without one, the configuration's.
  @available(*, noasync, message: "blocks its thread; write `await`")
  public func outcome(
    of verification: Verification, since mark: Mark? = nil, timeout: TimeInterval? = nil,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> Verification.Outcome {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    return answer(question(verification, since: mark, timeout, location, isSilent: true)).outcome
  }
}
