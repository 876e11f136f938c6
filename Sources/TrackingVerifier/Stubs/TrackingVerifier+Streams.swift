import StubModel
import TrackingServer

extension TrackingVerifier {
  /// Installs a stub whose body the test writes while the app listens.
  ///
  /// ```swift
  /// let stream = verifier.stub(.get, "/prices", .eventStream)
  /// app.launch()
  /// stream.send(event: "price", data: "42")
  /// stream.finish()
  /// ```
  ///
  /// Each request gets everything that was sent, from the beginning. `.stream` is a stream of bytes, `.eventStream` one of server-sent events. A stream that
  /// the test doesn't finish ends when the verifier stops.
  public func stub(
    _ method: StubEndpoint.Method?, _ path: StubPath, query: QueryCondition = .ignored, headers: [String: String] = [:],
    _ opening: StubStream.Opening,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> StubStream {
    let stream = StubStream()
    let result = StubResult(status: opening.status, headers: opening.headers, content: .stream(stream))
    let endpoint = StubEndpoint(method, path, query: query, headers: headers, [result])
    stopAtTheEndOfTheTest()
    do throws(StubError) {
      let stub = try PreparedStub(endpoint, folder: nil)
      try checkEventPath(of: stub)
      server.stubs.install(stub, of: stubOwner)
    } catch {
      refuse("The stub \(endpoint)", error, at: CodeLocation(fileID: fileID, file: file, line: line, column: column))
    }
    return stream
  }

  /// Installs a stub that makes its answer of the request in asynchronous code.
  ///
  /// ```swift
  /// verifier.stub(.get, "/books/:id") { request in await catalogue.answer(to: request) }
  /// ```
  ///
  /// The closure runs in a task of its own, which is cancelled when the client leaves or the verifier stops. It must not block: a closure without `await` runs
  /// on a thread and may. What it throws is answered 500 and is a problem of the stub, as for a closure without `await`.
  public func stub(
    _ method: StubEndpoint.Method?, _ path: StubPath, query: QueryCondition = .ignored, headers: [String: String] = [:],
    body: BodyCondition = .ignored, times: StubEndpoint.Times = .always,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    answer: @escaping @Sendable (StubRequest) async throws -> StubResult
  ) {
    let endpoint = StubEndpoint(method, path, query: query, headers: headers, body: body, [], times: times)
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    stopAtTheEndOfTheTest()
    do throws(StubError) {
      var stub = try PreparedStub(endpoint, handler: { _ in .ok }, folder: stubFolder)
      stub.asyncHandler = answer
      try checkEventPath(of: stub)
      state.withLock { $0.closures[endpoint] = location }
      server.stubs.install(stub, of: stubOwner)
    } catch {
      refuse("The stub \(endpoint)", error, at: location)
    }
  }

  /// Refuses a stub for what only the event endpoint answers.
  func checkEventPath(of stub: PreparedStub) throws(StubError) {
    let path = server.configuration.eventPath
    guard stub.endpoint.method == .post, stub.endpoint.path == .template(path) else { return }
    throw .result(
      """
      POST \(path) takes the app's events: answer them in another way with respondToEvents(with:), or let them go to \
      another path with `eventPath` in the server's configuration
      """)
  }
}
