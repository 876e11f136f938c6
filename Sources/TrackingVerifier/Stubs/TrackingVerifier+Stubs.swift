import Foundation
import StubModel
import TrackingServer

// Stubs can be installed on any thread, before or after `start()`, and apply from the next request on.

extension TrackingVerifier {
  /// Installs a stub with one response.
  ///
  /// ```swift
  /// verifier.stub(.request(.get, "/search", query: ["q": .present], headers: ["Accept": .contains("json")]), .json(["results": []]))
  /// verifier.stub(.request(.post, "/login").and(.request(.any, "/*", body: .jsonSubset(["user": "anna"])).not()), .status(403))
  /// ```
  ///
  /// A file without a folder is read from ``Configuration/stubFolder``. A stub that can't be installed, because of an invalid path or a missing file
  /// for example, fails the test at the line of the call.
  ///
  /// - Returns: The installed stub, which counts its requests.
  @discardableResult
  public func stub(
    _ pattern: RequestPattern, _ result: StubResponse, times: Int? = nil, name: String? = nil,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> StubHandle {
    install(
      StubEndpoint(pattern, result, times: times, name: name),
      at: CodeLocation(fileID: fileID, file: file, line: line, column: column))
  }

  /// Installs a stub with several responses: each is sent once, the last one repeatedly.
  ///
  /// ```swift
  /// verifier.stub(.request(.post, "/orders", body: .jsonSubset(["product": 42])), [.status(503), .status(201)])
  /// ```
  ///
  /// - Returns: The installed stub, which counts its requests.
  @discardableResult
  public func stub(
    _ pattern: RequestPattern, _ results: [StubResponse], times: Int? = nil, name: String? = nil,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> StubHandle {
    install(
      StubEndpoint(pattern, results, times: times, name: name),
      at: CodeLocation(fileID: fileID, file: file, line: line, column: column))
  }

  /// Installs a stub whose closure creates the response to a request.
  ///
  /// ```swift
  /// verifier.stub(.request(.get, "/books/:id", query: ["lang": "en"])) { request in .json(["id": request.pathParams["id"]]) }
  /// ```
  ///
  /// A closure declines a request by returning `nil`: the request goes to the next matching stub. The closure runs on a worker thread of the server,
  /// concurrently for several requests, and may use the verifier; each connection gets its responses in the order of its requests. If it throws
  /// an error, the response is a 500, and the test fails when it ends, at the line of this call.
  ///
  /// - Returns: The installed stub, which counts its requests.
  @discardableResult
  public func stub(
    _ pattern: RequestPattern, times: Int? = nil, name: String? = nil,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    respond: @escaping @Sendable (ReceivedRequest) throws -> StubResponse?
  ) -> StubHandle {
    install(
      StubEndpoint(pattern, times: times, name: name, respond: respond),
      at: CodeLocation(fileID: fileID, file: file, line: line, column: column))
  }

  /// Installs a stub whose asynchronous closure creates the response to a request.
  ///
  /// ```swift
  /// verifier.stub(.get, "/books/:id") { request in await catalogue.response(to: request) }
  /// ```
  ///
  /// The closure runs in its own task, which is cancelled when the client disconnects or the verifier stops. It must not block; to block, use a
  /// closure without `await`, which runs on a thread. It declines a request by returning `nil`. If it throws an error, the response is a 500, and the
  /// test fails when it ends.
  ///
  /// - Returns: The installed stub, which counts its requests.
  @discardableResult
  public func stub(
    _ pattern: RequestPattern, times: Int? = nil, name: String? = nil,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    respond: @escaping @Sendable (ReceivedRequest) async throws -> StubResponse?
  ) -> StubHandle {
    install(
      StubEndpoint(pattern, times: times, name: name, asyncRespond: respond),
      at: CodeLocation(fileID: fileID, file: file, line: line, column: column))
  }

  /// Installs a stub with one response for a method and a path.
  ///
  /// ```swift
  /// verifier.stub(.get, "/1.0/books/:id", .json(file: "book"))
  /// verifier.stub(.post, "/orders", .status(503), times: 1)
  /// ```
  ///
  /// The method `.any` matches every method. After `times` requests, the next matching stub responds; `nil` means no limit. For other conditions,
  /// pass a `RequestPattern`.
  ///
  /// - Returns: The installed stub, which counts its requests.
  @discardableResult
  public func stub(
    _ method: ReceivedRequest.Method, _ path: StubPath, _ result: StubResponse,
    times: Int? = nil, name: String? = nil,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> StubHandle {
    install(
      StubEndpoint(method, path, result, times: times, name: name),
      at: CodeLocation(fileID: fileID, file: file, line: line, column: column))
  }

  /// Unavailable: conditions belong to a pattern.
  @available(
    *, unavailable, message: "conditions belong to a pattern: write stub(.request(.get, \"/x\", query: ...), ...)"
  )
  @discardableResult
  public func stub(
    _ method: ReceivedRequest.Method, _ path: StubPath, query: QueryCondition? = nil,
    headers: [String: ValueMatcher] = [:], body: BodyCondition? = nil, _ result: StubResponse,
    times: Int? = nil, name: String? = nil
  ) -> StubHandle {
    stub(.request(method, path, query: query, headers: headers, body: body), result, times: times, name: name)
  }

  /// Unavailable: JSON is a response.
  @available(*, unavailable, message: "a response is a value: write stub(.get, \"/x\", .json([\"id\": 42]))")
  @discardableResult
  public func stub(_ method: ReceivedRequest.Method, _ path: StubPath, json: [String: TrackingValue]) -> StubHandle {
    stub(method, path, .json(TrackingValue.object(json)))
  }

  /// Installs a stub with several responses for a method and a path: each is sent once, the last one repeatedly.
  ///
  /// ```swift
  /// verifier.stub(.get, "/orders/7", [.status(404), .json(["state": "paid"])])
  /// ```
  ///
  /// - Returns: The installed stub, which counts its requests.
  @discardableResult
  public func stub(
    _ method: ReceivedRequest.Method, _ path: StubPath, _ results: [StubResponse],
    times: Int? = nil, name: String? = nil,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> StubHandle {
    install(
      StubEndpoint(method, path, results, times: times, name: name),
      at: CodeLocation(fileID: fileID, file: file, line: line, column: column))
  }

  /// Installs a stub for a method and a path whose closure creates the response to a request.
  ///
  /// ```swift
  /// verifier.stub(.get, "/books/:id") { request in .json(["id": request.pathParams["id"]]) }
  /// verifier.stub(.get, "/books/:id") { request in books[request.pathParams["id"]!].map { .json($0) } }
  /// ```
  ///
  /// The closure declines a request by returning `nil`.
  ///
  /// - Returns: The installed stub, which counts its requests.
  @discardableResult
  public func stub(
    _ method: ReceivedRequest.Method, _ path: StubPath, times: Int? = nil,
    name: String? = nil,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    respond: @escaping @Sendable (ReceivedRequest) throws -> StubResponse?
  ) -> StubHandle {
    install(
      StubEndpoint(method, path, times: times, name: name, respond: respond),
      at: CodeLocation(fileID: fileID, file: file, line: line, column: column))
  }

  /// Installs a stub for a method and a path whose asynchronous closure creates the response to a request.
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
      StubEndpoint(.request(method, path), times: times, name: name, asyncRespond: respond),
      at: CodeLocation(fileID: fileID, file: file, line: line, column: column))
  }

  /// Installs a stub.
  ///
  /// ```swift
  /// verifier.stub(StubEndpoint(.post, "/login", .status(403)))
  /// ```
  ///
  /// - Returns: The installed stub, which counts its requests.
  @discardableResult
  public func stub(
    _ endpoint: StubEndpoint,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> StubHandle {
    install(endpoint, at: CodeLocation(fileID: fileID, file: file, line: line, column: column))
  }

  /// Installs the stubs of a scenario.
  ///
  /// ```swift
  /// verifier.install(LaunchState.screenshots)
  /// ```
  public func install(
    _ scenario: some StubScenario,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    let location = CodeLocation(fileID: fileID, file: file, line: line, column: column)
    for endpoint in scenario.stubs { install(endpoint, at: location) }
  }

  /// Removes this verifier's stubs, faults and event responses, and forgets the stubs passed to apps; received events and requests stay.
  public func resetStubs() {
    useSharedServer()
    server.stubs.removeStubs(of: stubOwner)
    state.withLock { state in
      state.stubs.installed = InstalledStubs()
      state.stubs.passed = []
    }
  }

  /// The installed stubs that haven't responded to a request, in the order in which they were installed.
  public var unusedStubs: [StubEndpoint] {
    useSharedServer()
    return server.stubs.unused(of: stubOwner)
  }

  var stubFolder: StubFolder? {
    configuration.stubFolder ?? currentTestCase.map { .bundle(Bundle(for: type(of: $0))) }
  }

  @discardableResult
  func install(_ endpoint: StubEndpoint, at location: CodeLocation) -> StubHandle {
    use(at: location)
    do throws(StubError) {
      let stub = try PreparedStub(endpoint, folder: stubFolder)
      try server.check(stub)
      let id = server.stubs.install(stub, of: stubOwner)
      state.withLock { $0.stubs.installed.add(endpoint, id, at: location) }
      return StubHandle(endpoint: endpoint, id: id, verifier: self)
    } catch {
      refuse("The stub \(endpoint)", error, at: location)
      return StubHandle(endpoint: endpoint, id: nil, verifier: self)
    }
  }

  func refuse(_ subject: String, _ error: StubError, at location: CodeLocation) {
    report(.invalidStub, "\(subject) was not installed: \(error).", at: location)
  }
}
