import Foundation
import TrackingVerifier

extension TrackingVerifier {
  /// Waits for a request of the app's to its backend, and ends the test if none comes.
  ///
  /// ```swift
  /// let order = try await verifier.require(request: .post, "/orders")
  /// #expect(order.status == 201)
  /// ```
  ///
  /// Counts what came after `mark`; without one, what came since the last reset. Waits at most `timeout` seconds;
  /// without one, the configuration's.
  ///
  /// - Returns: The request, with the answer that it got.
  /// - Throws: ``RequirementFailure`` after the test has been failed, at the line of the call.
  @discardableResult
  public func require(
    request method: StubEndpoint.Method?, _ path: some StubPathConvertible, query: QueryCondition = .ignored,
    headers: [String: ValueMatcher] = [:], body: BodyCondition = .ignored, since mark: Mark? = nil,
    timeout: TimeInterval? = nil, isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async throws -> RecordedRequest {
    let answer = await wait(
      forRequest: method, path, query: query, headers: headers, body: body, since: mark, timeout: timeout,
      fileID: fileID, file: file, line: line, column: column)
    return try required(answer, at: CodeLocation(fileID: fileID, file: file, line: line, column: column))
  }
}
