import Foundation
import TrackingModel
import TrackingQuestions
import TrackingServer

// A `require` is a wait for a test that cannot continue without the answer: it reports the failure at the line of the call and then throws, which neither
// test framework reports a second time.

extension TrackingVerifier {
  /// Asks a question, and ends the test if the answer is no: `let order = try verifier.require(.request(.post, "/orders"))`.
  ///
  /// - Returns: The event, the request or the ``Outcome``.
  /// - Throws: An error after the test has been failed, at the line of the call.
  @available(*, noasync, message: "blocks its thread; write `await`")
  @discardableResult
  public func require<Answer: RequirableAnswer>(
    _ question: Question<Answer>, since mark: Mark? = nil, timeout: TimeInterval? = nil,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) throws -> Answer.Required {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    return try required(question, answer(asked(question.untyped, since: mark, timeout, location)), at: location)
  }

  /// Asks a question, and ends the test if the answer is no: `let order = try await verifier.require(.request(.post, "/orders"))`.
  ///
  /// - Returns: The event, the request or the ``Outcome``.
  /// - Throws: An error after the test has been failed, at the line of the call.
  @discardableResult
  public func require<Answer: RequirableAnswer>(
    _ question: Question<Answer>, since mark: Mark? = nil, timeout: TimeInterval? = nil,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async throws -> Answer.Required {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    return try required(question, await answer(asked(question.untyped, since: mark, timeout, location)), at: location)
  }

  /// The answer, or the failure: reported, and then thrown.
  private func required<Answer: RequirableAnswer>(
    _ question: Question<Answer>, _ result: QuestionResult, at location: CodeLocation
  ) throws -> Answer.Required {
    if let failure = result.failure, !result.isReported {
      try fail(failure, isNoted: result.isNoted, requiring: Answer.Required.self)
    }
    guard let answer = Answer.required(of: question.answer(result.matched, result.failure)) else {
      throw RequirementFailure(location: location)
    }
    noteRequirement(at: location)
    return answer
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
