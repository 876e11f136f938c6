import Foundation
import TrackingModel
import TrackingPatterns
import TrackingVerifier

// A `require` is the wait of the same arguments, for tests that cannot go on without its answer.

extension TrackingVerifier {
  /// Waits for an event equal to one, and ends the test if it does not come.
  ///
  /// Counts what came after `mark`; without one, what came since the last reset. Waits at most `timeout` seconds;
  /// without one, the configuration's.
  ///
  /// - Throws: ``RequirementFailure`` after the test has been failed, at the line of the call.
  @discardableResult
  public func require(
    _ event: TrackingEvent, since mark: Mark? = nil, timeout: TimeInterval? = nil,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async throws -> TrackingEvent {
    let answer = await wait(
      for: event, since: mark, timeout: timeout, fileID: fileID, file: file, line: line, column: column)
    return try required(answer, at: CodeLocation(fileID: fileID, file: file, line: line, column: column))
  }

  /// Waits for an event of a pattern, and ends the test if none comes.
  ///
  /// Counts what came after `mark`; without one, what came since the last reset. Waits at most `timeout` seconds;
  /// without one, the configuration's.
  ///
  /// - Throws: ``RequirementFailure`` after the test has been failed, at the line of the call.
  @discardableResult
  public func require(
    _ pattern: EventPattern, since mark: Mark? = nil, timeout: TimeInterval? = nil,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async throws -> TrackingEvent {
    let answer = await wait(
      for: pattern, since: mark, timeout: timeout, fileID: fileID, file: file, line: line, column: column)
    return try required(answer, at: CodeLocation(fileID: fileID, file: file, line: line, column: column))
  }

  // Disfavored, so that the type checker does not try a pattern's closure with every type that could be `S`.

  /// Waits for a typed event equal to one, and ends the test if it does not come.
  ///
  /// Counts what came after `mark`; without one, what came since the last reset. Waits at most `timeout` seconds;
  /// without one, the configuration's.
  ///
  /// - Throws: ``RequirementFailure`` after the test has been failed, at the line of the call.
  @_disfavoredOverload
  @discardableResult
  public func require<S: TrackingSchema>(
    _ schema: S, since mark: Mark? = nil, timeout: TimeInterval? = nil,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async throws -> S {
    let answer = await wait(
      for: schema, since: mark, timeout: timeout, fileID: fileID, file: file, line: line, column: column)
    return try required(answer, at: CodeLocation(fileID: fileID, file: file, line: line, column: column))
  }

  /// Waits for a typed event for which a condition holds, and ends the test if none comes.
  ///
  /// ```swift
  /// let added = try await verifier.require(AddedToCart.self) { $0.quantity == 2 }
  /// #expect(added.productID == "42")
  /// ```
  ///
  /// Counts what came after `mark`; without one, what came since the last reset. Waits at most `timeout` seconds;
  /// without one, the configuration's. The condition runs on the caller's actor.
  ///
  /// - Throws: ``RequirementFailure`` after the test has been failed, at the line of the call.
  @discardableResult
  public func require<S: TrackingSchema>(
    _ type: S.Type, since mark: Mark? = nil, timeout: TimeInterval? = nil,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    where condition: (S) -> Bool = { _ in true }
  ) async throws -> S {
    let answer = await wait(
      for: type, since: mark, timeout: timeout, fileID: fileID, file: file, line: line, column: column, where: condition
    )
    return try required(answer, at: CodeLocation(fileID: fileID, file: file, line: line, column: column))
  }

  /// Asks a question, and ends the test when the answer is no.
  ///
  /// ```swift
  /// let steps = try await verifier.require(.inOrder([.named("cart_shown"), .named("purchase")]))
  /// #expect(steps.last?.params["total"] == 120)
  /// ```
  ///
  /// Counts what came after `mark`; without one, what came since the last reset. Waits at most `timeout` seconds;
  /// without one, the configuration's.
  ///
  /// - Returns: The events that answer the question, in the order of the patterns where there are several, else of arrival.
  /// - Throws: ``RequirementFailure`` after the test has been failed, at the line of the call.
  @discardableResult
  public func require(
    _ verification: Verification, since mark: Mark? = nil, timeout: TimeInterval? = nil,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async throws -> [TrackingEvent] {
    let outcome = await wait(
      for: verification, since: mark, timeout: timeout, fileID: fileID, file: file, line: line, column: column)
    return try required(
      outcome.isVerified ? outcome.events : nil,
      at: CodeLocation(fileID: fileID, file: file, line: line, column: column))
  }

  func required<Answer>(_ answer: Answer?, at location: CodeLocation) throws -> Answer {
    guard let answer else {
      throw RequirementFailure(location: location, isRecorded: configuration.reporter is TestingReporter)
    }
    return answer
  }
}
