import Foundation
import TrackingModel
import TrackingPatterns

// The blocking forms, for synchronous tests. Each has an `async` twin of the same name; from asynchronous code only that one can be called.
//
// Events that came before the wait count, unless the verifier was reset since or a mark is given. A wait takes no event away from other waits.

extension TrackingVerifier {
  /// Waits for an event equal to one.
  ///
  /// ```swift
  /// verifier.wait(for: .init(name: "button_tapped", params: [.screen: "main_screen"]))
  /// ```
  ///
  /// Counts what came after `mark`; without one, what came since the last reset. Waits at most `timeout` seconds;
  /// without one, the configuration's.
  ///
  /// - Returns: The event, or `nil` after the test has been failed, at the line of the call.
  @available(*, noasync, message: "blocks its thread; write `await`")
  @discardableResult
  public func wait(
    for event: TrackingEvent, since mark: Mark? = nil, timeout: TimeInterval? = nil,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> TrackingEvent? {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    return ask(question(.one(.equal(to: event)), since: mark, timeout, location)).events.first?.event
  }

  /// Waits for an event of a pattern.
  ///
  /// ```swift
  /// verifier.wait(for: .named("checkout_completed"))
  /// ```
  ///
  /// Counts what came after `mark`; without one, what came since the last reset. Waits at most `timeout` seconds;
  /// without one, the configuration's.
  ///
  /// - Returns: The event, or `nil` after the test has been failed, at the line of the call.
  @available(*, noasync, message: "blocks its thread; write `await`")
  @discardableResult
  public func wait(
    for pattern: EventPattern, since mark: Mark? = nil, timeout: TimeInterval? = nil,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> TrackingEvent? {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    return ask(question(.one(pattern), since: mark, timeout, location)).events.first?.event
  }

  // Disfavored, so that the type checker does not try a pattern's closure with every type that could be `S`.

  /// Waits for a typed event equal to one; compared are the events that both are tracked as.
  ///
  /// ```swift
  /// verifier.wait(for: AddedToCart(product: "42", quantity: 2))
  /// ```
  ///
  /// Counts what came after `mark`; without one, what came since the last reset. Waits at most `timeout` seconds;
  /// without one, the configuration's.
  ///
  /// - Returns: The typed event, or `nil` after the test has been failed, at the line of the call.
  @available(*, noasync, message: "blocks its thread; write `await`")
  @_disfavoredOverload
  @discardableResult
  public func wait<S: TrackingSchema>(
    for schema: S, since mark: Mark? = nil, timeout: TimeInterval? = nil,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> S? {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    server.notes.learn(S.self)
    let pattern = EventPattern.equal(to: TrackingEvent(schema))
    return ask(question(.one(pattern), since: mark, timeout, location)).events.isEmpty ? nil : schema
  }

  /// Waits for a typed event for which a condition holds.
  ///
  /// ```swift
  /// verifier.wait(for: AddedToCart.self) { $0.quantity > 1 }
  /// ```
  ///
  /// Counts what came after `mark`; without one, what came since the last reset. Waits at most `timeout` seconds;
  /// without one, the configuration's. The condition runs on the thread of the call.
  ///
  /// - Returns: The typed event, or `nil` after the test has been failed, at the line of the call.
  @available(*, noasync, message: "blocks its thread; write `await`")
  @discardableResult
  public func wait<S: TrackingSchema>(
    for type: S.Type, since mark: Mark? = nil, timeout: TimeInterval? = nil,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    where condition: (S) -> Bool = { _ in true }
  ) -> S? {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    return ask(question(type, since: mark, timeout, location)) { type.judge($0, where: condition) }
  }
}
