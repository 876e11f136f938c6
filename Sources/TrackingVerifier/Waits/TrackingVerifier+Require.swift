import Foundation
import TrackingModel
import TrackingChecks
import TrackingServer

// For a test that can't continue without the result: `require` reports the failure at the line of the call, and then throws an error that neither
// test framework reports again.

extension TrackingVerifier {
  /// Waits for an event or a request, and ends the test if none arrives: `let order = try verifier.require(.request(.post, "/orders"))`.
  ///
  /// - Returns: The event or the request.
  /// - Throws: An error after failing the test at the line of the call.
  @available(*, noasync, message: "blocks its thread; write `await`")
  @discardableResult
  public func require<Entry>(
    _ check: TrackingCheck<Entry?>, since mark: Mark? = nil, timeout: TimeInterval? = nil,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) throws -> Entry {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    let finished = run(check.untyped, since: mark, timeout, at: location)
    return try required(check.value(of: finished.outcome), finished, at: location)
  }

  /// Runs a check, and ends the test if it fails: `try verifier.require(.inOrder([.named("a"), .named("b")]))`.
  ///
  /// - Returns: The outcome of the passed check.
  /// - Throws: An error after failing the test at the line of the call.
  @available(*, noasync, message: "blocks its thread; write `await`")
  @discardableResult
  public func require(
    _ check: TrackingCheck<CheckOutcome>, since mark: Mark? = nil, timeout: TimeInterval? = nil,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) throws -> CheckOutcome {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    let finished = run(check, since: mark, timeout, at: location)
    return try required(finished.outcome.passed ? finished.outcome : nil, finished, at: location)
  }

  /// Waits for an event or a request, and ends the test if none arrives: `let order = try await verifier.require(.request(.post, "/orders"))`.
  ///
  /// - Returns: The event or the request.
  /// - Throws: An error after failing the test at the line of the call.
  @discardableResult
  public func require<Entry>(
    _ check: TrackingCheck<Entry?>, since mark: Mark? = nil, timeout: TimeInterval? = nil,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async throws -> Entry {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    let finished = await run(check.untyped, since: mark, timeout, at: location)
    return try required(check.value(of: finished.outcome), finished, at: location)
  }

  /// Runs a check, and ends the test if it fails: `try await verifier.require(.inOrder([.named("a"), .named("b")]))`.
  ///
  /// - Returns: The outcome of the passed check.
  /// - Throws: An error after failing the test at the line of the call.
  @discardableResult
  public func require(
    _ check: TrackingCheck<CheckOutcome>, since mark: Mark? = nil, timeout: TimeInterval? = nil,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async throws -> CheckOutcome {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    let finished = await run(check, since: mark, timeout, at: location)
    return try required(finished.outcome.passed ? finished.outcome : nil, finished, at: location)
  }

  /// Runs an action, and waits for an event or a request since it began; ends the test if none arrives:
  /// `let order = try verifier.require(.named("order_placed")) { app.buttons["Buy"].tap() }`.
  ///
  /// The action runs once, before the wait, on the calling thread. If it throws, there is no wait, and a warning lists the received
  /// entries. The timeout begins at the end of the action; by default, it is the configuration's.
  ///
  /// - Returns: The event or the request.
  /// - Throws: An error after failing the test at the line of the call, or the action's error.
  @available(*, noasync, message: "blocks its thread; write `await`")
  @_disfavoredOverload
  @discardableResult
  public func require<Entry>(
    _ check: TrackingCheck<Entry?>, timeout: TimeInterval? = nil,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    from action: () throws -> Void
  ) throws -> Entry {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    let mark = try mark(before: action, for: check.untyped, at: location)
    let finished = run(check.untyped, since: mark, timeout, at: location)
    return try required(check.value(of: finished.outcome), finished, at: location)
  }

  /// Runs an action, checks what has arrived since it began, and ends the test if the check fails:
  /// `try verifier.require(.inOrder([.named("a"), .named("b")])) { app.buttons["Buy"].tap() }`.
  ///
  /// The action runs once, before the wait, on the calling thread. If it throws, there is no wait, and a warning lists the received
  /// entries. The timeout begins at the end of the action; by default, it is the configuration's.
  ///
  /// - Returns: The outcome of the passed check.
  /// - Throws: An error after failing the test at the line of the call, or the action's error.
  @available(*, noasync, message: "blocks its thread; write `await`")
  @_disfavoredOverload
  @discardableResult
  public func require(
    _ check: TrackingCheck<CheckOutcome>, timeout: TimeInterval? = nil,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    from action: () throws -> Void
  ) throws -> CheckOutcome {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    let mark = try mark(before: action, for: check, at: location)
    let finished = run(check, since: mark, timeout, at: location)
    return try required(finished.outcome.passed ? finished.outcome : nil, finished, at: location)
  }

  /// Runs an action, and waits for an event or a request since it began; ends the test if none arrives:
  /// `let order = try await verifier.require(.named("order_placed")) { await model.buy() }`.
  ///
  /// The action runs once, before the wait, on the caller's actor. If it throws, there is no wait, and a warning lists the received
  /// entries. The timeout begins at the end of the action; by default, it is the configuration's.
  ///
  /// - Returns: The event or the request.
  /// - Throws: An error after failing the test at the line of the call, or the action's error.
  @discardableResult
  public func require<Entry>(
    _ check: TrackingCheck<Entry?>, timeout: TimeInterval? = nil, isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    from action: () async throws -> Void
  ) async throws -> Entry {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    let mark = try await mark(before: action, for: check.untyped, at: location)
    let finished = await run(check.untyped, since: mark, timeout, at: location)
    return try required(check.value(of: finished.outcome), finished, at: location)
  }

  /// Runs an action, checks what has arrived since it began, and ends the test if the check fails:
  /// `try await verifier.require(.inOrder([.named("a"), .named("b")])) { await model.buy() }`.
  ///
  /// The action runs once, before the wait, on the caller's actor. If it throws, there is no wait, and a warning lists the received
  /// entries. The timeout begins at the end of the action; by default, it is the configuration's.
  ///
  /// - Returns: The outcome of the passed check.
  /// - Throws: An error after failing the test at the line of the call, or the action's error.
  @discardableResult
  public func require(
    _ check: TrackingCheck<CheckOutcome>, timeout: TimeInterval? = nil,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    from action: () async throws -> Void
  ) async throws -> CheckOutcome {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    let mark = try await mark(before: action, for: check, at: location)
    let finished = await run(check, since: mark, timeout, at: location)
    return try required(finished.outcome.passed ? finished.outcome : nil, finished, at: location)
  }

  /// Returns a value, or reports the failure and throws.
  private func required<Value>(_ value: Value?, _ finished: CheckResult, at location: CodeLocation) throws -> Value {
    if let failure = finished.unreported { try report(noted: failure, requiring: Value.self) }
    guard let value else { throw RequirementFailure(location: location) }
    noteRequirement(at: location)
    return value
  }
}

/// Ends a test that can't continue without an event or a request; thrown after the failure has been reported.
///
/// In Swift Testing, the trait `.tracking` catches it, so that the test has one issue. If a custom reporter kept the failure from becoming an issue,
/// the error is rethrown, so that no test passes by ending early. With XCTest's reporter, the error of `XCTUnwrap` is thrown instead, which XCTest
/// doesn't report again.
package struct RequirementFailure: Error, CustomStringConvertible {
  package let location: CodeLocation

  package var description: String {
    "the requirement at \(location.fileID):\(location.line) was not met; the failure reported there says why"
  }
}
