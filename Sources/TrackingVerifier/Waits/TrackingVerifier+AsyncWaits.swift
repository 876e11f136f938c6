import Foundation
import TrackingModel

// The forms for asynchronous tests: they suspend, so that any number of tests may wait on a few threads. A wait ends at once when its task is cancelled.
// Closures run on the caller's actor.

extension TrackingVerifier {
  /// Waits for an event equal to one.
  ///
  /// Waits at most `timeout` seconds; without one, the configuration's.
  ///
  /// - Returns: The event, or `nil` after the test has been failed, at the line of the call.
  @discardableResult
  public func wait(
    for event: TrackingEvent, timeout: TimeInterval? = nil, isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async -> TrackingEvent? {
    let question = question(
      "\(event)", name: event.name, timeout, CodeLocation(fileID: fileID, file: file, line: line, column: column))
    return await ask(question, EventPattern.equal(to: event).judge)
  }

  /// Waits for an event of a pattern.
  ///
  /// Waits at most `timeout` seconds; without one, the configuration's.
  ///
  /// - Returns: The event, or `nil` after the test has been failed, at the line of the call.
  @discardableResult
  public func wait(
    for pattern: EventPattern, timeout: TimeInterval? = nil, isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async -> TrackingEvent? {
    let question = question(
      pattern.description, name: pattern.name, timeout,
      CodeLocation(fileID: fileID, file: file, line: line, column: column))
    return await ask(question, pattern.judge)
  }

  /// Waits for a typed event equal to one; compared are the events that both are tracked as.
  ///
  /// Waits at most `timeout` seconds; without one, the configuration's.
  ///
  /// - Returns: The typed event, or `nil` after the test has been failed, at the line of the call.
  @discardableResult
  public func wait<S: TrackingSchema>(
    for schema: S, timeout: TimeInterval? = nil, isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async -> S? {
    let expected = TrackingEvent(schema)
    let question = question(
      "\(expected)", name: expected.name, timeout,
      CodeLocation(fileID: fileID, file: file, line: line, column: column))
    return await ask(question) { schema.judge($0, expecting: expected) }
  }

  /// Waits for a typed event for which a condition holds.
  ///
  /// Waits at most `timeout` seconds; without one, the configuration's. The condition runs on the caller's actor.
  ///
  /// - Returns: The typed event, or `nil` after the test has been failed, at the line of the call.
  @discardableResult
  public func wait<S: TrackingSchema>(
    for type: S.Type, timeout: TimeInterval? = nil, isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    where condition: (S) -> Bool = { _ in true }
  ) async -> S? {
    let question = question(
      type.question, name: type.eventName, timeout,
      CodeLocation(fileID: fileID, file: file, line: line, column: column))
    return await ask(question) { type.judge($0, where: condition) }
  }

  private func ask<Answer>(
    _ question: WaitQuestion, isolation: isolated (any Actor)? = #isolation,
    _ judge: (TrackingEvent) -> Judgement<Answer>
  ) async -> Answer? {
    var wait = EventWait(journal: journal, since: mark, timeout: question.timeout)
    if let answer = await wait.first({ question.answer($0, judge) }) { return answer }
    reportMiss(of: question, wait, isCancelled: Task.isCancelled, judge)
    return nil
  }
}
