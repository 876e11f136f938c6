import StubModel
import TrackingServer

/// An installed stub, which counts its requests and can be replaced or removed.
///
/// ```swift
/// let books = verifier.stub(.get, "/books", .json(["books": []]))
/// app.buttons["Reload"].tap()
/// XCTAssertEqual(books.count, 2)
/// books.replace(with: .status(503))
/// ```
///
/// May be used from any thread. A handle of a stub that couldn't be installed counts nothing and changes nothing.
public struct StubHandle: Sendable {
  /// The stub as it was installed.
  package let endpoint: StubEndpoint
  /// `nil` if the stub couldn't be installed.
  let id: StubTable.ID?
  let verifier: TrackingVerifier

  /// The number of requests that the stub has responded to; it stays when the stub is removed.
  ///
  /// A request that the stub's closure has declined doesn't count.
  public var count: Int {
    id.flatMap { verifier.server.stubs.usage(of: $0) }?.count ?? 0
  }

  /// Removes the stub: the next requests go to other stubs.
  ///
  /// Calling it again does nothing.
  public func remove() {
    guard let id else { return }
    verifier.server.stubs.remove(id)
    verifier.state.withLock { $0.stubs.installed.remove(id) }
  }

  /// Replaces the stub's responses from the next request on; conditions, precedence and count stay.
  ///
  /// An invalid response fails the test at the line of the call, as does a stub that was removed.
  public func replace(
    with result: StubResponse,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    replace(with: [result], fileID: fileID, file: file, line: line, column: column)
  }

  /// Replaces the stub's responses with several ones: each is sent once, the last one from then on.
  public func replace(
    with results: [StubResponse],
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    var endpoint = endpoint
    endpoint.results = results
    endpoint.handler = nil
    replace(with: endpoint, at: CodeLocation(fileID: fileID, file: file, line: line, column: column))
  }

  /// Replaces the stub's responses with those of a closure, which declines a request by returning `nil`.
  public func replace(
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    respond: @escaping @Sendable (ReceivedRequest) throws -> StubResponse?
  ) {
    var endpoint = endpoint
    endpoint.results = []
    endpoint.handler = StubHandler(respond)
    replace(with: endpoint, at: CodeLocation(fileID: fileID, file: file, line: line, column: column))
  }

  private func replace(with endpoint: StubEndpoint, at location: CodeLocation) {
    guard let id else { return }
    do throws(StubError) {
      let stub = try PreparedStub(endpoint, folder: verifier.stubFolder)
      guard verifier.server.stubs.replace(id, with: stub) else {
        throw .result("it was removed before; install it again with stub(_:)")
      }
      verifier.state.withLock { $0.stubs.installed.replace(id, with: endpoint, at: location) }
    } catch {
      verifier.report(.invalidStub, "The responses of \(endpoint) were not replaced: \(error).", at: location)
    }
  }
}
