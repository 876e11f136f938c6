import Foundation
import TrackingModel
import TrackingPatterns

// The forms for asynchronous tests: they suspend, so that any number of tests may wait on a few threads. A wait ends at once when its task is cancelled.
// Closures run on the caller's actor.

extension TrackingVerifier {
  /// Waits for an event equal to one.
  ///
  /// Counts what came after `mark`; without one, what came since the last reset. Waits at most `timeout` seconds;
  /// without one, the configuration's.
  ///
  /// - Returns: The event, or `nil` after the test has been failed, at the line of the call.
  @discardableResult
  public func wait(
    for event: TrackingEvent, since mark: Mark? = nil, timeout: TimeInterval? = nil,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async -> TrackingEvent? {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    return await ask(question(.one(.equal(to: event)), since: mark, timeout, location)).events.first?.event
  }

  /// Waits for an event of a pattern.
  ///
  /// Counts what came after `mark`; without one, what came since the last reset. Waits at most `timeout` seconds;
  /// without one, the configuration's.
  ///
  /// In asynchronous code the compiler gives up on a long condition in `.schema`, and in a `.satisfying` inside of a combination, unless the
  /// closure names its parameter's type: `.satisfying("...") { (event: TrackingEvent) in ... }`.
  ///
  /// - Returns: The event, or `nil` after the test has been failed, at the line of the call.
  @discardableResult
  public func wait(
    for pattern: EventPattern, since mark: Mark? = nil, timeout: TimeInterval? = nil,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async -> TrackingEvent? {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    return await ask(question(.one(pattern), since: mark, timeout, location)).events.first?.event
  }

  // Disfavored, so that the type checker does not try a pattern's closure with every type that could be `S`.

  /// Waits for a typed event equal to one; compared are the events that both are tracked as.
  ///
  /// Counts what came after `mark`; without one, what came since the last reset. Waits at most `timeout` seconds;
  /// without one, the configuration's.
  ///
  /// - Returns: The typed event, or `nil` after the test has been failed, at the line of the call.
  @_disfavoredOverload
  @discardableResult
  public func wait<S: TrackingSchema>(
    for schema: S, since mark: Mark? = nil, timeout: TimeInterval? = nil,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async -> S? {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    server.notes.learn(S.self)
    let pattern = EventPattern.equal(to: TrackingEvent(schema))
    return await ask(question(.one(pattern), since: mark, timeout, location)).events.isEmpty ? nil : schema
  }

  /// Waits for a typed event for which a condition holds.
  ///
  /// Counts what came after `mark`; without one, what came since the last reset. Waits at most `timeout` seconds;
  /// without one, the configuration's. The condition runs on the caller's actor.
  ///
  /// - Returns: The typed event, or `nil` after the test has been failed, at the line of the call.
  @discardableResult
  public func wait<S: TrackingSchema>(
    for type: S.Type, since mark: Mark? = nil, timeout: TimeInterval? = nil,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    where condition: (S) -> Bool = { _ in true }
  ) async -> S? {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    return await ask(question(type, since: mark, timeout, location)) { type.judge($0, where: condition) }
  }
}
