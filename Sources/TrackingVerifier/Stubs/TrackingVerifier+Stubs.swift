import Foundation
import StubModel
import TrackingServer

// The app's backend, in the same server. Stubs are set from any thread, before `start()` or after it, and are effective for the next request.

extension TrackingVerifier {
  /// Installs a stub.
  ///
  /// ```swift
  /// verifier.stub(StubEndpoint(.post, "/login", body: .jsonSubset(["user": "anna"]), .status(403)))
  /// ```
  ///
  /// One that cannot be installed fails the test at the line of the call: a path that is none, a file that is missing or unreadable.
  public func stub(
    _ endpoint: StubEndpoint,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    install(endpoint, at: CodeLocation(fileID: fileID, file: file, line: line, column: column))
  }

  /// Installs a stub with one answer.
  ///
  /// ```swift
  /// verifier.stub(.get, "/1.0/books/:id", .json(file: "book"))
  /// verifier.stub(.post, "/orders", .status(503), times: .once)
  /// ```
  ///
  /// A file without a folder is looked for in ``Configuration/stubFolder``.
  public func stub(
    _ method: StubEndpoint.Method?, _ path: StubPath, query: QueryCondition = .ignored, headers: [String: String] = [:],
    body: BodyCondition = .ignored, _ result: StubResult, times: StubEndpoint.Times = .always,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    install(
      StubEndpoint(method, path, query: query, headers: headers, body: body, [result], times: times),
      at: CodeLocation(fileID: fileID, file: file, line: line, column: column))
  }

  /// Installs a stub with several answers: each is given once, the last one from then on.
  ///
  /// ```swift
  /// verifier.stub(.get, "/orders/7", [.status(404), .json(["state": "paid"])])
  /// ```
  public func stub(
    _ method: StubEndpoint.Method?, _ path: StubPath, query: QueryCondition = .ignored, headers: [String: String] = [:],
    body: BodyCondition = .ignored, _ results: [StubResult], times: StubEndpoint.Times = .always,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    install(
      StubEndpoint(method, path, query: query, headers: headers, body: body, results, times: times),
      at: CodeLocation(fileID: fileID, file: file, line: line, column: column))
  }

  /// Installs a stub that makes its answer of the request.
  ///
  /// ```swift
  /// verifier.stub(.get, "/books/:id") { request in .json(["id": request.pathParams["id"]]) }
  /// ```
  ///
  /// The closure runs on a queue of the server's, for several requests at a time; each connection gets its answers in the order of its requests.
  /// What it throws is answered 500 and fails the test at the stop, at the line of this call.
  public func stub(
    _ method: StubEndpoint.Method?, _ path: StubPath, query: QueryCondition = .ignored, headers: [String: String] = [:],
    body: BodyCondition = .ignored, times: StubEndpoint.Times = .always,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    answer: @escaping @Sendable (StubRequest) throws -> StubResult
  ) {
    install(
      StubEndpoint(method, path, query: query, headers: headers, body: body, [], times: times), answer,
      at: CodeLocation(fileID: fileID, file: file, line: line, column: column))
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

  /// Takes back all stubs, faults, and answers to events that this verifier has set; what was received stays.
  public func resetStubs() {
    server.stubs.removeStubs(of: stubOwner)
  }

  /// The stubs that have not answered a request yet, in the order in which they were installed.
  public var unusedStubs: [StubEndpoint] {
    server.stubs.unused(of: stubOwner)
  }

  /// Where files are looked for that name no folder of their own.
  var stubFolder: StubFolder? {
    configuration.stubFolder ?? currentTestCase.map { .bundle(Bundle(for: type(of: $0))) }
  }

  private func install(_ endpoint: StubEndpoint, _ handler: PreparedStub.Handler? = nil, at location: CodeLocation) {
    stopAtTheEndOfTheTest()
    do throws(StubError) {
      let stub = try PreparedStub(endpoint, handler: handler, folder: stubFolder)
      try checkEventPath(of: stub)
      if handler != nil { state.withLock { $0.closures[endpoint] = location } }
      server.stubs.install(stub, of: stubOwner)
    } catch {
      refuse("The stub \(endpoint)", error, at: location)
    }
  }

  func refuse(_ subject: String, _ error: StubError, at location: CodeLocation) {
    report(.invalidStub, "\(subject) was not installed: \(error).", at: location)
  }
}
