import TestSupport
@testable import TrackingServer

extension TrackingServer {
  /// Installs stubs as a verifier does.
  @discardableResult
  func stub(_ endpoints: StubEndpoint..., folder: StubFolder? = nil) throws -> StubStore.Owner {
    let owner = stubs.makeOwner()
    for endpoint in endpoints { stubs.install(try PreparedStub(endpoint, folder: folder), of: owner) }
    return owner
  }

  /// Installs a closure as a verifier does.
  @discardableResult
  func stub(
    _ method: ReceivedRequest.Method, _ path: StubPath, times: Int? = nil,
    _ handler: @escaping @Sendable (ReceivedRequest) throws -> StubResponse?
  ) throws -> StubStore.Owner {
    let owner = stubs.makeOwner()
    let endpoint = StubEndpoint(method, path, times: times, respond: handler)
    stubs.install(try PreparedStub(endpoint, folder: nil), of: owner)
    return owner
  }

  /// Responds to submissions as a verifier does.
  func respondToEvents(with results: StubResponse..., recording: EventKeeping = .accepted) throws {
    let prepared = try results.map { result throws(StubError) in try PreparedResponse(result, folder: nil) }
    stubs.respondToEvents(with: prepared, recording: recording, of: stubs.makeOwner())
  }
}

extension RawClient {
  /// Sends a request without a body.
  func get(_ target: String, _ fields: String...) throws -> RawResponse {
    try exchange(RawClient.get(target, fields))
  }

  static func get(_ target: String, _ fields: [String] = []) -> String {
    request("GET \(target) HTTP/1.1", ["Host: localhost"] + fields)
  }
}
