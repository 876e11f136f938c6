import Foundation
import TrackingModel
import TrackingPatterns

// The forms for asynchronous tests, which suspend.

extension TrackingVerifier {
  /// Asks a question and fails the test, at the line of the call, when the answer is no.
  ///
  /// Counts what came after `mark`; without one, what came since the last reset. Waits at most `timeout` seconds;
  /// without one, the configuration's.
  @discardableResult
  public func wait(
    for verification: Verification, since mark: Mark? = nil, timeout: TimeInterval? = nil,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async -> Verification.Outcome {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    return await ask(question(verification, since: mark, timeout, location)).outcome
  }

  /// Waits for a number of events of a pattern.
  ///
  /// One too many fails at once. A number that is right is believed after the settling time, and an extra that comes later is reported at `stop()`.
  ///
  /// Counts what came after `mark`; without one, what came since the last reset. Waits at most `timeout` seconds;
  /// without one, the configuration's.
  ///
  /// - Returns: The events that came, in the order of arrival; where the number is not right, after the test has been failed.
  @discardableResult
  public func wait(
    for pattern: EventPattern, count: EventCount, since mark: Mark? = nil, timeout: TimeInterval? = nil,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async -> [TrackingEvent] {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    return await ask(question(.count(count, of: pattern), since: mark, timeout, location)).outcome.events
  }

  /// Makes sure that no event of a pattern comes; the first that does fails the test at once.
  ///
  /// Listens for `seconds`; without them, for the configuration's settling time. Counts what came after `mark`; without
  /// one, what came since the last reset.
  @discardableResult
  public func verifyNone(
    of pattern: EventPattern, within seconds: TimeInterval? = nil, since mark: Mark? = nil,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async -> Verification.Outcome {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    return await ask(question(.none(of: pattern, within: seconds), since: mark, nil, location)).outcome
  }

  /// Asks a question and reports nothing, neither now nor at the stop: for helpers that report in their own words.
  ///
  /// Counts what came after `mark`; without one, what came since the last reset. Waits at most `timeout` seconds;
  /// without one, the configuration's.
  public func outcome(
    of verification: Verification, since mark: Mark? = nil, timeout: TimeInterval? = nil,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async -> Verification.Outcome {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    return await answer(question(verification, since: mark, timeout, location, isSilent: true)).outcome
  }
}
