import StubModel
import TrackingServer

extension TrackingVerifier {
  /// Installs a stub whose asynchronous closure makes the response from the request.
  ///
  /// ```swift
  /// verifier.stub(.get, "/books/:id") { request in await catalogue.answer(to: request) }
  /// ```
  ///
  /// The closure runs in its own task, which is cancelled when the client leaves or the verifier stops. It must not block: a closure without
  /// `await` runs on a thread and may. It declines by returning `nil`. If it throws an error, the response is a 500, and the test fails when
  /// it ends, as for a closure without `await`.
  ///
  /// - Returns: The installed stub, which counts its requests.
  @discardableResult
  public func stub(
    _ pattern: RequestPattern, times: Int? = nil, name: String? = nil,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    respond: @escaping @Sendable (ReceivedRequest) async throws -> StubResponse?
  ) -> StubHandle {
    install(
      StubEndpoint(pattern, times: times, name: name) { _ in nil }, respond,
      at: CodeLocation(fileID: fileID, file: file, line: line, column: column))
  }

  /// Installs a stub for a method and a path, whose asynchronous closure makes the response from the request.
  ///
  /// - Returns: The installed stub, which counts its requests.
  @discardableResult
  public func stub(
    _ method: ReceivedRequest.Method, _ path: StubPath, times: Int? = nil,
    name: String? = nil,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    respond: @escaping @Sendable (ReceivedRequest) async throws -> StubResponse?
  ) -> StubHandle {
    install(
      StubEndpoint(method, path, times: times, name: name) { _ in nil }, respond,
      at: CodeLocation(fileID: fileID, file: file, line: line, column: column))
  }

  /// Refuses a stub for requests to which only the event endpoint or the inspector responds.
  func checkEventPath(of stub: PreparedStub) throws(StubError) {
    let conditions = stub.endpoint.pattern.conditions
    if conditions.contains(where: { "\($0.path)".hasPrefix("/-tracking/") }) {
      throw .result("paths under /-tracking/ belong to the inspector: choose another one")
    }
    guard let path = server.configuration.eventPath,
      conditions.contains(where: { $0.method == .post && $0.path == .template(path) })
    else { return }
    throw .result(
      """
      POST \(path) takes the app's events: respond in another way with respondToEvents(with:), or let them go to \
      another path with `eventPath` in the server's configuration
      """)
  }
}
