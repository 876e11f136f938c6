/// A stub that can be installed: its conditions are valid and its files have been read.
package struct PreparedStub: Sendable {
  /// Answers a request in asynchronous code, which suspends and takes no thread while it waits; `nil` declines it.
  package typealias AsyncHandler = @Sendable (StubRequest) async throws -> StubResult?

  package let matcher: StubMatcher
  package let results: [PreparedResult]
  /// Answers in place of the endpoint's closure.
  package var asyncHandler: AsyncHandler?
  /// The folder of files that don't name a folder.
  package let folder: StubFolder?

  package var endpoint: StubEndpoint { matcher.endpoint }
  /// Answers a request in place of the results.
  package var handler: StubHandler? { endpoint.handler }

  /// - Parameter folder: The folder of files that don't name a folder.
  /// - Throws: What is invalid: the path, a condition, a file, an answer.
  package init(_ endpoint: StubEndpoint, folder: StubFolder?) throws(StubError) {
    matcher = try StubMatcher(endpoint)
    self.folder = folder
    guard endpoint.handler != nil || !endpoint.results.isEmpty else { throw .noResult }
    if case .times(let times) = endpoint.times, times < 1 {
      throw .result("a stub answers at least once, not \(times) times")
    }
    var results: [PreparedResult] = []
    for result in endpoint.results { results.append(try PreparedResult(result, for: endpoint, folder: folder)) }
    self.results = results
  }

  /// Whether an answer breaks a request off before its body has arrived.
  var hasEarlyFault: Bool {
    results.contains { $0.result.fault?.position.isBeforeTheRequestIsRead == true }
  }
}
