import Foundation
import TrackingModel

// The blocking forms, for synchronous tests. Each has an `async` twin of the same name; from asynchronous code only that one can be called.
//
// Events that came before the wait count, unless the verifier was reset since. A wait takes no event away from other waits.

extension TrackingVerifier {
  /// Waits for an event equal to one.
  ///
  /// Waits at most `timeout` seconds; without one, the configuration's.
  ///
  /// - Returns: The event, or `nil` after the test has been failed, at the line of the call.
  @available(*, noasync, message: "blocks its thread; write `await`")
  @discardableResult
  public func wait(
    for event: TrackingEvent, timeout: TimeInterval? = nil,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> TrackingEvent? {
    let question = question(
      "\(event)", name: event.name, timeout, CodeLocation(fileID: fileID, file: file, line: line, column: column))
    return ask(question, EventPattern.equal(to: event).judge)
  }

  /// Waits for an event of a pattern.
  ///
  /// Waits at most `timeout` seconds; without one, the configuration's.
  ///
  /// - Returns: The event, or `nil` after the test has been failed, at the line of the call.
  @available(*, noasync, message: "blocks its thread; write `await`")
  @discardableResult
  public func wait(
    for pattern: EventPattern, timeout: TimeInterval? = nil,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> TrackingEvent? {
    let question = question(
      pattern.description, name: pattern.name, timeout,
      CodeLocation(fileID: fileID, file: file, line: line, column: column))
    return ask(question, pattern.judge)
  }

  /// Waits for a typed event equal to one; compared are the events that both are tracked as.
  ///
  /// Waits at most `timeout` seconds; without one, the configuration's.
  ///
  /// - Returns: The typed event, or `nil` after the test has been failed, at the line of the call.
  @available(*, noasync, message: "blocks its thread; write `await`")
  @discardableResult
  public func wait<S: TrackingSchema>(
    for schema: S, timeout: TimeInterval? = nil,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> S? {
    let expected = TrackingEvent(schema)
    let question = question(
      "\(expected)", name: expected.name, timeout,
      CodeLocation(fileID: fileID, file: file, line: line, column: column))
    return ask(question) { schema.judge($0, expecting: expected) }
  }

  /// Waits for a typed event for which a condition holds.
  ///
  /// ```swift
  /// verifier.wait(for: AddedToCart.self) { $0.quantity > 1 }
  /// ```
  ///
  /// Waits at most `timeout` seconds; without one, the configuration's. The condition runs on the thread of the call.
  ///
  /// - Returns: The typed event, or `nil` after the test has been failed, at the line of the call.
  @available(*, noasync, message: "blocks its thread; write `await`")
  @discardableResult
  public func wait<S: TrackingSchema>(
    for type: S.Type, timeout: TimeInterval? = nil,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    where condition: (S) -> Bool = { _ in true }
  ) -> S? {
    let question = question(
      type.question, name: type.eventName, timeout,
      CodeLocation(fileID: fileID, file: file, line: line, column: column))
    return ask(question) { type.judge($0, where: condition) }
  }

  private func ask<Answer>(_ question: WaitQuestion, _ judge: (TrackingEvent) -> Judgement<Answer>) -> Answer? {
    guard withUnsafeCurrentTask(body: { $0 == nil }) else {
      report(
        .blockingInTask,
        """
        A blocking wait was called inside of a task, where it would keep the threads of all tasks from working: \
        make the function that calls it `async` and write `await`.
        """, at: question.location)
      return nil
    }
    var wait = EventWait(journal: journal, since: mark, timeout: question.timeout)
    if let answer = wait.first({ question.answer($0, judge) }) { return answer }
    reportMiss(of: question, wait, judge)
    return nil
  }

  func question(
    _ description: String, name: String?, _ timeout: TimeInterval?, _ location: CodeLocation
  ) -> WaitQuestion {
    WaitQuestion(
      description: description, name: name, timeout: timeout ?? configuration.timeout, location: location)
  }
}
