import Foundation
import TrackingModel

// The forms for asynchronous tests: they suspend, so that any number of tests may wait on a few threads. A wait ends at once when its task is cancelled.
// Closures run on the caller's actor.

extension TrackingVerifier {
  /// Waits for an event equal to one.
  ///
  /// - Parameters:
  ///   - mark: What came before it does not count; everything since the last reset does unless said.
  ///   - timeout: Seconds to wait; the configuration's unless said.
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
  /// - Parameters:
  ///   - mark: What came before it does not count; everything since the last reset does unless said.
  ///   - timeout: Seconds to wait; the configuration's unless said.
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

  /// Waits for a typed event equal to one; compared are the events that both are tracked as.
  ///
  /// - Parameters:
  ///   - mark: What came before it does not count; everything since the last reset does unless said.
  ///   - timeout: Seconds to wait; the configuration's unless said.
  /// - Returns: The typed event, or `nil` after the test has been failed, at the line of the call.
  @discardableResult
  public func wait<S: TrackingSchema>(
    for schema: S, since mark: Mark? = nil, timeout: TimeInterval? = nil,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async -> S? {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    let pattern = EventPattern.equal(to: TrackingEvent(schema))
    return await ask(question(.one(pattern), since: mark, timeout, location)).events.isEmpty ? nil : schema
  }

  /// Waits for a typed event for which a condition holds.
  ///
  /// - Parameters:
  ///   - mark: What came before it does not count; everything since the last reset does unless said.
  ///   - timeout: Seconds to wait; the configuration's unless said.
  ///   - condition: Runs on the caller's actor.
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
