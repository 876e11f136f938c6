import TestSupport
import TrackingServer
import TrackingVerifier

@testable import StubRecording

/// Recordings of a backend whose responses depend on secrets, or are unusual.
final class OddBackendTests: RecordingTestCase {
  private func member(_ name: String, of seen: Seen) throws -> String {
    let object = try JSONSerialization.jsonObject(with: Data(seen.body.utf8)) as? [String: Any]
    return try XCTUnwrap(object?[name]).self as? String ?? "null"
  }

  /// Replays the recording without its backend.
  private func replaying(_ send: (Client) async throws -> Void) async throws {
    let verifier = verifier(source(nil, .folder(at: folder)))
    try await send(Client(verifier.baseURL))
    XCTAssertEqual(verifier.unmatchedRequests, [])
    verifier.stop()
  }

  /// An app decodes a number, so a small one takes the place of a secret one, and is sent again.
  func testTheDetailsOfASecretNumberAreItsOwn() async throws {
    let backend = try backend("OddBackend.py")
    func details(_ client: Client) async throws -> [String] {
      let numbers = try await client.get("/sessions").body.matches(of: /[0-9]+/).map { String($0.output) }
      var details: [String] = []
      for number in numbers + numbers.reversed() {
        details.append(try member("session", of: try await client.get("/details?session_id=\(number)")))
      }
      return details
    }
    var live: [String] = []
    try await recording(of: backend.url) { live = try await details($0) }
    backend.stop()
    XCTAssertEqual(live, ["first", "second", "second", "first"])
    try await replaying { client in
      let replayed = try await details(client)
      XCTAssertEqual(replayed, live)
    }
  }

  func testTwoUsersAreNotSwapped() async throws {
    let backend = try backend("OddBackend.py")
    func login(_ client: Client, _ user: String) async throws -> String {
      try member(
        "token", of: try await client.send("POST", "/login", #"{"user":"\#(user)","password":"secret-\#(user)"}"#))
    }
    func name(_ client: Client, _ token: String) async throws -> String {
      try member("user", of: try await client.get("/me", ["Authorization": "Bearer \(token)"]))
    }
    let source = RecordingSource.folder(at: folder, upstreams: ["/*": backend.url], matching: ["Authorization"])
    let recorder = verifier(self.source("rewrite", source))
    let client = Client(recorder.baseURL)
    let (anna, bert) = (try await login(client, "anna"), try await login(client, "bert"))
    let live = [try await name(client, anna), try await name(client, bert)]
    XCTAssertEqual(live, ["anna", "bert"])
    recorder.stop()
    backend.stop()
    try await replaying { client in
      let (bert, anna) = (try await login(client, "bert"), try await login(client, "anna"))
      let names = [try await name(client, bert), try await name(client, anna), try await name(client, bert)]
      XCTAssertEqual(names, ["bert", "anna", "bert"])
    }
  }

  func testUnusualResponsesAreRecorded() async throws {
    let backend = try backend("OddBackend.py")
    var live: [Seen] = []
    func journey(_ client: Client) async throws -> [Seen] {
      [
        try await client.get("/trailer"), try await client.get("/latin"), try await client.get("/silent"),
      ]
    }
    try await recording(of: backend.url) { live = try await journey($0) }
    XCTAssertEqual(live.map(\.status), [200, 200, 200])
    XCTAssertEqual(live.map(\.body), ["hello world", "ok", "ok"])
    backend.stop()
    try await replaying { client in
      let replayed = try await journey(client)
      XCTAssertEqual(replayed, live)
    }
    let recorded = try BackendRecording(contentsOf: folder).exchanges
    XCTAssertEqual(recorded.first { $0.request.path == "/latin" }?.response.headers["X-Name"], "André")
  }

  func testTheBodyOfARedirectAndADestinationAreSentOn() async throws {
    let backend = try backend("OddBackend.py")
    let client = UpstreamClient(mostBytes: 1_000)
    let moved = try await client.send(ReceivedRequest(method: "GET", path: "/moved"), to: "\(backend.url)")
    XCTAssertEqual([moved.status, moved.body.count], [302, 5])
    var request = ReceivedRequest(
      method: "MOVE", path: "/a", headers: ["Host": "localhost:8080", "Destination": "http://localhost:8080/b"])
    (request.scheme, request.host, request.port) = ("http", "localhost", 8080)
    let response = try await client.send(request, to: "\(backend.url)")
    XCTAssertEqual(String(decoding: response.body, as: UTF8.self), #"{"destination": "\#(backend.url)/b"}"#)
  }

  /// One broken response must not cost all others.
  func testWhatGotAResponseIsRecordedBesideARequestWithoutOne() async throws {
    let backend = try backend("OddBackend.py")
    let reporter = RecordingReporter()
    let verifier = verifier(source("rewrite", .folder(at: folder, upstreams: ["/*": backend.url])), reporter)
    let client = Client(verifier.baseURL)
    let statuses = [try await client.get("/silent").status, try await client.get("/broken").status]
    XCTAssertEqual(statuses, [200, 502])
    verifier.stop()
    XCTAssertEqual(try BackendRecording(contentsOf: folder).exchanges.map(\.request.line), ["GET /silent"])
    let path = folder.path(percentEncoded: false)
    XCTAssertEqual(
      reporter.sentences,
      [
        "The recording failed: GET /broken got no usable response from \(backend.url) The connection was closed before the response was complete, or the response isn't HTTP. 1 exchange is recorded at \(path)."
      ])
  }
}
