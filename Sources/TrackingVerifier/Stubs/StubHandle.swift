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
/// Thread-safe. If the stub couldn't be installed, `count` is 0 and the methods do nothing.
public struct StubHandle: Sendable {
  package let endpoint: StubEndpoint
  let id: StubTable.ID?
  let verifier: TrackingVerifier

  /// The number of requests to which the stub has responded; doesn't change when the stub is removed.
  ///
  /// Requests that the stub's closure declined don't count.
  public var count: Int {
    id.flatMap { verifier.server.stubs.usage(of: $0) }?.count ?? 0
  }

  /// Removes the stub: later requests go to other stubs; calling it again does nothing.
  public func remove() {
    guard let id else { return }
    verifier.server.stubs.remove(id)
    verifier.state.withLock { $0.stubs.installed.remove(id) }
  }

  /// Replaces the stub's responses from the next request on; conditions, precedence and count stay.
  ///
  /// Fails the test at the line of the call if the response is invalid or the stub was removed.
  public func replace(
    with result: StubResponse,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    replace(with: [result], fileID: fileID, file: file, line: line, column: column)
  }

  /// Replaces the stub's responses: each is sent once, the last one repeatedly.
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
