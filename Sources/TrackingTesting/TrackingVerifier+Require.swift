import Foundation
import TrackingModel
import TrackingPatterns
import TrackingVerifier

// A `require` is the wait of the same arguments for a test that cannot continue without the answer: it reports the failure at the line of the call
// and then throws ``RequirementFailure``. A test that needs only to end early discards what is returned explicitly: `_ = try await verifier.require(...)`.

extension TrackingVerifier {
  /// Requires an event equal to one.
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

  /// Requires an event of a pattern.
  ///
  /// - Throws: ``RequirementFailure`` after the test has been failed, at the line of the call.
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

  /// Requires a typed event equal to one.
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

  /// Requires a typed event for which a condition holds: `try await verifier.require(AddedToCart.self) { $0.quantity == 2 }`.
  ///
  /// - Throws: ``RequirementFailure`` after the test has been failed, at the line of the call.
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

  /// Requires a request of the app to its backend: `try await verifier.require(.request(.post, "/orders"))`.
  ///
  /// - Throws: ``RequirementFailure`` after the test has been failed, at the line of the call.
  public func require(
    _ pattern: RequestPattern, since mark: Mark? = nil, timeout: TimeInterval? = nil,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async throws -> RecordedRequest {
    let answer = await wait(
      for: pattern, since: mark, timeout: timeout, fileID: fileID, file: file, line: line, column: column)
    return try required(answer, at: CodeLocation(fileID: fileID, file: file, line: line, column: column))
  }

  /// Requires the first event of a pattern that no earlier wait has matched.
  ///
  /// - Throws: ``RequirementFailure`` after the test has been failed, at the line of the call.
  public func requireNext(
    _ pattern: EventPattern, since mark: Mark? = nil, timeout: TimeInterval? = nil,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async throws -> TrackingEvent {
    let answer = await next(
      pattern, since: mark, timeout: timeout, fileID: fileID, file: file, line: line, column: column)
    return try required(answer, at: CodeLocation(fileID: fileID, file: file, line: line, column: column))
  }

  /// Requires the first request of a pattern that no earlier wait has matched.
  ///
  /// - Throws: ``RequirementFailure`` after the test has been failed, at the line of the call.
  public func requireNext(
    _ pattern: RequestPattern, since mark: Mark? = nil, timeout: TimeInterval? = nil,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async throws -> RecordedRequest {
    let answer = await next(
      pattern, since: mark, timeout: timeout, fileID: fileID, file: file, line: line, column: column)
    return try required(answer, at: CodeLocation(fileID: fileID, file: file, line: line, column: column))
  }

  /// Requires the first typed event that no earlier wait has matched and for which a condition holds.
  ///
  /// - Throws: ``RequirementFailure`` after the test has been failed, at the line of the call.
  public func requireNext<S: TrackingSchema>(
    _ type: S.Type, since mark: Mark? = nil, timeout: TimeInterval? = nil,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    where condition: (S) -> Bool = { _ in true }
  ) async throws -> S {
    let answer = await next(
      type, since: mark, timeout: timeout, fileID: fileID, file: file, line: line, column: column, where: condition)
    return try required(answer, at: CodeLocation(fileID: fileID, file: file, line: line, column: column))
  }

  /// Requires a yes to a question: `try await verifier.require(.inOrder([.request(.post, "/orders"), .named("order_placed")]))`.
  ///
  /// - Returns: The events and requests that answer it, in the order of the patterns where there are several, else of arrival.
  /// - Throws: ``RequirementFailure`` after the test has been failed, at the line of the call.
  public func require(
    _ verification: Verification, since mark: Mark? = nil, timeout: TimeInterval? = nil,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async throws -> Verification.Outcome {
    let outcome = await wait(
      for: verification, since: mark, timeout: timeout, fileID: fileID, file: file, line: line, column: column)
    return try required(
      outcome.isVerified ? outcome : nil,
      at: CodeLocation(fileID: fileID, file: file, line: line, column: column))
  }

  private func required<Answer>(_ answer: Answer?, at location: CodeLocation) throws -> Answer {
    guard let answer else { throw RequirementFailure(location: location) }
    noteRequirement(at: location)
    return answer
  }
}

/// Ends a test that can't continue without an event or a request; thrown after the failure has been reported.
///
/// The trait ``Testing/Trait/tracking`` catches it, so that the test has one issue. If your own reporter kept the failure from becoming an issue of the
/// test, the error is rethrown, so that no test passes by ending early.
public struct RequirementFailure: Error, CustomStringConvertible {
  /// The line that required it.
  public let location: CodeLocation

  /// The line at which the failure has been reported.
  public var description: String {
    "the requirement at \(location.fileID):\(location.line) was not met; the failure reported there says why"
  }
}
