import Foundation
import TrackingModel
import TrackingPatterns
import TrackingQuestions
import TrackingServer

// A `require` is the wait of the same arguments for a test that cannot continue without the answer: it reports the failure at the line of the call
// and then throws, which neither test framework reports a second time. A test that needs only to end early discards what is returned explicitly:
// `_ = try await verifier.require(...)`.

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
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    return try required(
      await answer(question(.one(.equal(to: event)), since: mark, timeout, location)), at: location, \.event)
  }

  /// Requires an event of a pattern.
  ///
  /// - Throws: ``RequirementFailure`` after the test has been failed, at the line of the call.
  public func require(
    _ pattern: EventPattern, since mark: Mark? = nil, timeout: TimeInterval? = nil,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async throws -> TrackingEvent {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    return try required(
      await answer(question(.one(pattern.entryPattern), since: mark, timeout, location)), at: location, \.event)
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
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    return try required(
      await answer(question(.one(.equal(to: schema)), since: mark, timeout, location)), at: location,
      { $0.event.map { _ in schema } })
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
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    return try required(
      await answer(question(type, since: mark, timeout, location), where: { S.meets(condition, $0) }), at: location,
      { $0.typed() })
  }

  /// Requires a request of the app to its backend: `try await verifier.require(.request(.post, "/orders"))`.
  ///
  /// - Throws: ``RequirementFailure`` after the test has been failed, at the line of the call.
  public func require(
    _ pattern: RequestPattern, since mark: Mark? = nil, timeout: TimeInterval? = nil,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async throws -> RecordedRequest {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    return try required(
      await answer(question(.one(pattern.entryPattern), since: mark, timeout, location)), at: location, \.request)
  }

  /// Requires the first event of a pattern that no earlier wait has matched.
  ///
  /// - Throws: ``RequirementFailure`` after the test has been failed, at the line of the call.
  public func requireNext(
    _ pattern: EventPattern, since mark: Mark? = nil, timeout: TimeInterval? = nil,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async throws -> TrackingEvent {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    return try required(
      await answer(question(.next(pattern.entryPattern), since: mark, timeout, location)), at: location, \.event)
  }

  /// Requires the first request of a pattern that no earlier wait has matched.
  ///
  /// - Throws: ``RequirementFailure`` after the test has been failed, at the line of the call.
  public func requireNext(
    _ pattern: RequestPattern, since mark: Mark? = nil, timeout: TimeInterval? = nil,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async throws -> RecordedRequest {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    return try required(
      await answer(question(.next(pattern.entryPattern), since: mark, timeout, location)), at: location, \.request)
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
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    return try required(
      await answer(question(type, isNext: true, since: mark, timeout, location), where: { S.meets(condition, $0) }),
      at: location, { $0.typed() })
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
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    return try required(await answer(question(verification, since: mark, timeout, location)), at: location, \.outcome)
  }

  // The blocking forms, for synchronous tests.

  /// Requires an event of a pattern.
  ///
  /// - Throws: ``RequirementFailure`` after the test has been failed, at the line of the call.
  @available(*, noasync, message: "blocks its thread; write `await`")
  public func require(
    _ pattern: EventPattern, since mark: Mark? = nil, timeout: TimeInterval? = nil,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) throws -> TrackingEvent {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    return try required(
      answer(question(.one(pattern.entryPattern), since: mark, timeout, location)), at: location, \.event)
  }

  /// Requires a typed event for which a condition holds: `try verifier.require(AddedToCart.self) { $0.quantity == 2 }`.
  ///
  /// - Throws: ``RequirementFailure`` after the test has been failed, at the line of the call.
  @available(*, noasync, message: "blocks its thread; write `await`")
  public func require<S: TrackingSchema>(
    _ type: S.Type, since mark: Mark? = nil, timeout: TimeInterval? = nil,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    where condition: (S) -> Bool = { _ in true }
  ) throws -> S {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    return try required(
      answer(question(type, since: mark, timeout, location), where: { S.meets(condition, $0) }), at: location,
      { $0.typed() })
  }

  /// Requires a request of the app to its backend: `try verifier.require(.request(.post, "/orders"))`.
  ///
  /// - Throws: ``RequirementFailure`` after the test has been failed, at the line of the call.
  @available(*, noasync, message: "blocks its thread; write `await`")
  public func require(
    _ pattern: RequestPattern, since mark: Mark? = nil, timeout: TimeInterval? = nil,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) throws -> RecordedRequest {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    return try required(
      answer(question(.one(pattern.entryPattern), since: mark, timeout, location)), at: location, \.request)
  }

  /// Requires a yes to a question: `try verifier.require(.inOrder([.request(.post, "/orders"), .named("order_placed")]))`.
  ///
  /// - Returns: The events and requests that answer it, in the order of the patterns where there are several, else of arrival.
  /// - Throws: ``RequirementFailure`` after the test has been failed, at the line of the call.
  @available(*, noasync, message: "blocks its thread; write `await`")
  public func require(
    _ verification: Verification, since mark: Mark? = nil, timeout: TimeInterval? = nil,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) throws -> Verification.Outcome {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    return try required(answer(question(verification, since: mark, timeout, location)), at: location, \.outcome)
  }

  /// The answer, or the failure: reported, and then thrown.
  private func required<Answer>(
    _ result: QuestionResult, at location: CodeLocation, _ answer: (QuestionResult) -> Answer?
  ) throws -> Answer {
    if let failure = result.failure, !result.isReported {
      try fail(failure, isNoted: result.isNoted, requiring: Answer.self)
    }
    guard result.isVerified, let answer = answer(result) else { throw RequirementFailure(location: location) }
    noteRequirement(at: location)
    return answer
  }
}

/// Ends a test that can't continue without an event or a request; thrown after the failure has been reported.
///
/// In Swift Testing, the trait `.tracking` catches it, so that the test has one issue. If your own reporter kept the failure from becoming an issue of
/// the test, the error is rethrown, so that no test passes by ending early. In XCTest, the error of `XCTUnwrap` is thrown in its place, which XCTest
/// doesn't report a second time, unless the configuration has another reporter.
public struct RequirementFailure: Error, CustomStringConvertible {
  /// The line that required it.
  public let location: CodeLocation

  package init(location: CodeLocation) {
    self.location = location
  }

  /// The line at which the failure has been reported.
  public var description: String {
    "the requirement at \(location.fileID):\(location.line) was not met; the failure reported there says why"
  }
}
