import Foundation
import TrackingModel
import TrackingChecks
import TrackingServer

// A `require` is a wait for a test that cannot continue without the result: it reports the failure at the line of the call and then throws, which neither
// test framework reports a second time.

extension TrackingVerifier {
  /// Waits for an event or a request, and ends the test without it: `let order = try verifier.require(.request(.post, "/orders"))`.
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

  /// Waits for an event or a request, and ends the test without it: `let order = try await verifier.require(.request(.post, "/orders"))`.
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

  /// Runs an action, waits for an event or a request since it began, and ends the test without it:
  /// `let order = try verifier.require(.named("order_placed")) { app.buttons["Buy"].tap() }`.
  ///
  /// - Parameters:
  ///   - timeout: Seconds from the end of the action; by default those of the configuration.
  ///   - action: Runs once, before the wait, on the thread of the call. If it throws, nothing is waited for, and a warning lists what has arrived.
  /// - Returns: The event or the request.
  /// - Throws: An error after failing the test at the line of the call; or the error of the action.
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
  /// - Parameters:
  ///   - timeout: Seconds from the end of the action; by default those of the configuration.
  ///   - action: Runs once, before the wait, on the thread of the call. If it throws, nothing is waited for, and a warning lists what has arrived.
  /// - Returns: The outcome of the passed check.
  /// - Throws: An error after failing the test at the line of the call; or the error of the action.
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

  /// Runs an action, waits for an event or a request since it began, and ends the test without it:
  /// `let order = try await verifier.require(.named("order_placed")) { await model.buy() }`.
  ///
  /// - Parameters:
  ///   - timeout: Seconds from the end of the action; by default those of the configuration.
  ///   - action: Runs once, before the wait, on the caller's actor. If it throws, nothing is waited for, and a warning lists what has arrived.
  /// - Returns: The event or the request.
  /// - Throws: An error after failing the test at the line of the call; or the error of the action.
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
  /// - Parameters:
  ///   - timeout: Seconds from the end of the action; by default those of the configuration.
  ///   - action: Runs once, before the wait, on the caller's actor. If it throws, nothing is waited for, and a warning lists what has arrived.
  /// - Returns: The outcome of the passed check.
  /// - Throws: An error after failing the test at the line of the call; or the error of the action.
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

  /// Returns a value, or reports the failure and then throws.
  private func required<Value>(_ value: Value?, _ finished: FinishedCheck, at location: CodeLocation) throws -> Value {
    if let failure = finished.unreported { try report(noted: failure, requiring: Value.self) }
    guard let value else { throw RequirementFailure(location: location) }
    noteRequirement(at: location)
    return value
  }
}

/// Ends a test that can't continue without an event or a request; thrown after the failure has been reported.
///
/// In Swift Testing, the trait `.tracking` catches it, so that the test has one issue. If your own reporter kept the failure from becoming an issue of
/// the test, the error is rethrown, so that no test passes by ending early. In XCTest, the error of `XCTUnwrap` is thrown in its place, which XCTest
/// doesn't report a second time, unless the configuration has another reporter.
package struct RequirementFailure: Error, CustomStringConvertible {
  /// The line that required it.
  package let location: CodeLocation

  /// The line at which the failure has been reported.
  package var description: String {
    "the requirement at \(location.fileID):\(location.line) was not met; the failure reported there says why"
  }
}
