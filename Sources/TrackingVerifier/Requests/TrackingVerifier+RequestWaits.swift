import Foundation
import StubModel
import TrackingServer

// Waits for requests of the app's to its backend, as for events. Submissions of events that were accepted are no requests here.

extension TrackingVerifier {
  /// Waits for a request.
  ///
  /// ```swift
  /// let order = verifier.wait(forRequest: .post, "/orders", body: .jsonSubset(["product": 42]))
  /// ```
  ///
  /// Counts what came after `mark`; without one, what came since the last reset. Waits at most `timeout` seconds;
  /// without one, the configuration's.
  ///
  /// - Returns: The request, with the answer that it got, or `nil` after the test has been failed, at the line of the call.
  @available(*, noasync, message: "blocks its thread; write `await`")
  @discardableResult
  public func wait(
    forRequest method: StubEndpoint.Method?, _ path: some StubPathConvertible, query: QueryCondition = .ignored,
    headers: [String: ValueMatcher] = [:], body: BodyCondition = .ignored, since mark: Mark? = nil,
    timeout: TimeInterval? = nil,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> RecordedRequest? {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    let endpoint = StubEndpoint(method, path, query: query, headers: headers, body: body, [])
    return ask(requestQuestion(endpoint, .atLeast(1), since: mark, timeout, location)).first
  }

  /// Waits for a number of requests.
  ///
  /// One too many fails at once. A number that is right is believed when nothing more came for the settling time; an extra that comes later and
  /// that no other wait asks for is reported at `stop()`.
  ///
  /// ```swift
  /// verifier.wait(forRequest: .get, "/books/:id", count: .exactly(2))
  /// ```
  ///
  /// Counts what came after `mark`; without one, what came since the last reset. Waits at most `timeout` seconds;
  /// without one, the configuration's.
  ///
  /// - Returns: The requests that came; where the number is not right, after the test has been failed.
  @available(*, noasync, message: "blocks its thread; write `await`")
  @discardableResult
  public func wait(
    forRequest method: StubEndpoint.Method?, _ path: some StubPathConvertible, query: QueryCondition = .ignored,
    headers: [String: ValueMatcher] = [:], body: BodyCondition = .ignored, count: EventCount, since mark: Mark? = nil,
    timeout: TimeInterval? = nil,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> [RecordedRequest] {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    let endpoint = StubEndpoint(method, path, query: query, headers: headers, body: body, [])
    return ask(requestQuestion(endpoint, count, since: mark, timeout, location))
  }

  /// Waits for a request.
  ///
  /// Counts what came after `mark`; without one, what came since the last reset. Waits at most `timeout` seconds;
  /// without one, the configuration's.
  ///
  /// - Returns: The request, with the answer that it got, or `nil` after the test has been failed, at the line of the call.
  @discardableResult
  public func wait(
    forRequest method: StubEndpoint.Method?, _ path: some StubPathConvertible, query: QueryCondition = .ignored,
    headers: [String: ValueMatcher] = [:], body: BodyCondition = .ignored, since mark: Mark? = nil,
    timeout: TimeInterval? = nil, isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async -> RecordedRequest? {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    let endpoint = StubEndpoint(method, path, query: query, headers: headers, body: body, [])
    return await ask(requestQuestion(endpoint, .atLeast(1), since: mark, timeout, location)).first
  }

  /// Waits for a number of requests.
  ///
  /// One too many fails at once. A number that is right is believed when nothing more came for the settling time; an extra that comes later and
  /// that no other wait asks for is reported at `stop()`.
  ///
  /// Counts what came after `mark`; without one, what came since the last reset. Waits at most `timeout` seconds;
  /// without one, the configuration's.
  ///
  /// - Returns: The requests that came; where the number is not right, after the test has been failed.
  @discardableResult
  public func wait(
    forRequest method: StubEndpoint.Method?, _ path: some StubPathConvertible, query: QueryCondition = .ignored,
    headers: [String: ValueMatcher] = [:], body: BodyCondition = .ignored, count: EventCount, since mark: Mark? = nil,
    timeout: TimeInterval? = nil, isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async -> [RecordedRequest] {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    let endpoint = StubEndpoint(method, path, query: query, headers: headers, body: body, [])
    return await ask(requestQuestion(endpoint, count, since: mark, timeout, location))
  }
}
