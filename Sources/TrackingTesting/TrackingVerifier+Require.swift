import Foundation
import TrackingModel
import TrackingVerifier

// A `require` is the wait of the same arguments, for tests that cannot go on without its answer.

extension TrackingVerifier {
  /// Waits for an event equal to one, and ends the test if it does not come.
  ///
  /// - Parameter timeout: Seconds to wait; the configuration's unless said.
  /// - Throws: ``RequirementFailure`` after the test has been failed, at the line of the call.
  @discardableResult
  public func require(
    _ event: TrackingEvent, timeout: TimeInterval? = nil, isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async throws -> TrackingEvent {
    let answer = await wait(for: event, timeout: timeout, fileID: fileID, file: file, line: line, column: column)
    return try required(answer, at: CodeLocation(fileID: fileID, file: file, line: line, column: column))
  }

  /// Waits for an event of a pattern, and ends the test if none comes.
  ///
  /// - Parameter timeout: Seconds to wait; the configuration's unless said.
  /// - Throws: ``RequirementFailure`` after the test has been failed, at the line of the call.
  @discardableResult
  public func require(
    _ pattern: EventPattern, timeout: TimeInterval? = nil, isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async throws -> TrackingEvent {
    let answer = await wait(for: pattern, timeout: timeout, fileID: fileID, file: file, line: line, column: column)
    return try required(answer, at: CodeLocation(fileID: fileID, file: file, line: line, column: column))
  }

  /// Waits for a typed event equal to one, and ends the test if it does not come.
  ///
  /// - Parameter timeout: Seconds to wait; the configuration's unless said.
  /// - Throws: ``RequirementFailure`` after the test has been failed, at the line of the call.
  @discardableResult
  public func require<S: TrackingSchema>(
    _ schema: S, timeout: TimeInterval? = nil, isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async throws -> S {
    let answer = await wait(for: schema, timeout: timeout, fileID: fileID, file: file, line: line, column: column)
    return try required(answer, at: CodeLocation(fileID: fileID, file: file, line: line, column: column))
  }

  /// Waits for a typed event for which a condition holds, and ends the test if none comes.
  ///
  /// ```swift
  /// let added = try await verifier.require(AddedToCart.self) { $0.quantity == 2 }
  /// #expect(added.productID == "42")
  /// ```
  ///
  /// - Parameters:
  ///   - timeout: Seconds to wait; the configuration's unless said.
  ///   - condition: Runs on the caller's actor.
  /// - Throws: ``RequirementFailure`` after the test has been failed, at the line of the call.
  @discardableResult
  public func require<S: TrackingSchema>(
    _ type: S.Type, timeout: TimeInterval? = nil, isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    where condition: (S) -> Bool = { _ in true }
  ) async throws -> S {
    let answer = await wait(
      for: type, timeout: timeout, fileID: fileID, file: file, line: line, column: column, where: condition)
    return try required(answer, at: CodeLocation(fileID: fileID, file: file, line: line, column: column))
  }

  private func required<Answer>(_ answer: Answer?, at location: CodeLocation) throws -> Answer {
    guard let answer else {
      throw RequirementFailure(location: location, isRecorded: configuration.reporter is TestingReporter)
    }
    return answer
  }
}
