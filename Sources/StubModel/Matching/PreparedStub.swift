/// A stub that can be installed: its path is one, and its files have been read.
package struct PreparedStub: Sendable {
  /// Answers a request in place of a result that is known beforehand; may throw, and may take its time.
  package typealias Handler = @Sendable (StubRequest) throws -> StubResult

  /// The same for asynchronous code, which suspends and takes no thread while it waits.
  package typealias AsyncHandler = @Sendable (StubRequest) async throws -> StubResult

  package let matcher: StubMatcher
  package let results: [PreparedResult]
  package let handler: Handler?
  package var asyncHandler: AsyncHandler?
  /// Where files are looked for that name no folder of their own.
  package let folder: StubFolder?

  package var endpoint: StubEndpoint { matcher.endpoint }

  /// - Parameter folder: Where files are looked for that name no folder of their own.
  /// - Throws: What is wrong with the endpoint: its path, a file, an answer.
  package init(_ endpoint: StubEndpoint, handler: Handler? = nil, folder: StubFolder?) throws(StubError) {
    matcher = try StubMatcher(endpoint)
    self.handler = handler
    self.folder = folder
    guard handler != nil || !endpoint.results.isEmpty else { throw .noResult }
    if case .times(let times) = endpoint.times, times < 1 {
      throw .result("a stub answers once or more often, not \(times) times")
    }
    var results: [PreparedResult] = []
    for result in endpoint.results { results.append(try PreparedResult(result, for: endpoint, folder: folder)) }
    self.results = results
  }
}
