import TestSupport
import TrackingServer
import TrackingVerifier

@testable import StubRecording

/// The upstreams that requests are sent to, and the responses to requests that can't be sent.
final class UpstreamTests: RecordingTestCase {
  private func errorText(_ response: Seen) throws -> String {
    let object = try JSONSerialization.jsonObject(with: Data(response.body.utf8)) as? [String: String]
    return try XCTUnwrap(object?["error"])
  }

  func testOnlyNamedUpstreamsAreUsed() async throws {
    let (api, images) = (try backend(), try backend())
    let verifier = verifier(
      source(
        "rewrite",
        .folder(at: folder, upstreams: ["/books": api.url, "/picture.png": images.url, "cart.localhost": api.url])))
    let client = Client(verifier.baseURL)
    let statuses = [
      try await client.get("/books").status, try await client.get("/picture.png").status,
      try await client.get("/text").status,
    ]
    XCTAssertEqual(statuses, [200, 200, 404])
    let byHost = try await client.get("/cart", ["Host": "cart.localhost"])
    XCTAssertEqual(byHost.status, 200)
    let unknownHost = try await client.get("/cart", ["Host": "other.example"])
    XCTAssertEqual(unknownHost.status, 403)
    // An absolute target names another machine; only the named upstream gets a request, or none.
    let curl = try Tool("curl")
    let port = try XCTUnwrap(verifier.baseURL.port)
    let status = try curl.output(
      "-s", "-o", "/dev/null", "-w", "%{http_code}", "--proxy", "http://127.0.0.1:\(port)", "http://127.0.0.1:1/text")
    XCTAssertEqual(status, "404")
    verifier.stop()
    XCTAssertEqual(
      try BackendRecording(contentsOf: folder).exchanges.map { "\($0.request.origin) \($0.request.path)" },
      ["\(api.url) /books", "\(api.url) /cart", "\(images.url) /picture.png"])
  }

  func testTwoBackendsWithTheSamePathAreDistinguishedByTheirHost() async throws {
    let (first, second) = (try backend(), try backend())
    try await Client(second.url).send("POST", "/cart", #"{"id": 2}"#)
    let upstreams = ["first.localhost": first.url, "second.localhost": second.url]
    func carts(_ mode: String?) async throws -> [String] {
      let verifier = verifier(source(mode, .folder(at: folder, upstreams: upstreams, redaction: .off)))
      let client = Client(verifier.baseURL)
      let bodies = [
        try await client.get("/cart", ["Host": "first.localhost"]).body,
        try await client.get("/cart", ["Host": "second.localhost"]).body,
      ]
      verifier.stop()
      return bodies
    }
    let live = try await carts("rewrite")
    XCTAssertEqual(live.map { $0.prefix(14) }, [#"{"items":[],"c"#, #"{"items":[2],""#])
    first.stop()
    second.stop()
    let replayed = try await carts(nil)
    XCTAssertEqual(replayed, live)
  }

  func testAllOtherRequestsAndThoseOfAHostAreDistinguished() async throws {
    let (first, second) = (try backend(), try backend())
    try await Client(second.url).send("POST", "/cart", #"{"id": 2}"#)
    let upstreams = ["/*": first.url, "second.localhost": second.url]
    func carts(_ mode: String?) async throws -> [String] {
      let verifier = verifier(source(mode, .folder(at: folder, upstreams: upstreams, redaction: .off)))
      let client = Client(verifier.baseURL)
      let bodies = [
        try await client.get("/cart", ["Host": "second.localhost"]).body, try await client.get("/cart").body,
        try await Client(try XCTUnwrap(URL(string: "http://127.0.0.1:\(verifier.baseURL.port ?? 0)"))).get("/cart")
          .body,
      ]
      verifier.stop()
      return bodies
    }
    let live = try await carts("rewrite")
    XCTAssertEqual(live.map { $0.prefix(14) }, [#"{"items":[2],""#, #"{"items":[],"c"#, #"{"items":[],"c"#])
    first.stop()
    second.stop()
    let replayed = try await carts(nil)
    XCTAssertEqual(replayed, live)
  }

  func testTheHostsOfARecordingAreAllowedWhereNoUpstreamsAreNamed() async throws {
    let backend = try backend()
    let recorder = verifier(source("rewrite", .folder(at: folder, upstreams: ["api.localtest.example": backend.url])))
    _ = try await Client(recorder.baseURL).get("/text", ["Host": "api.localtest.example"])
    recorder.stop()
    backend.stop()
    let verifier = verifier(source(nil, .folder(at: folder)))
    let client = Client(verifier.baseURL)
    let statuses = [
      try await client.get("/text", ["Host": "api.localtest.example"]).status,
      try await client.get("/text", ["Host": "other.example"]).status,
    ]
    XCTAssertEqual(statuses, [200, 403])
  }

  func testAServerWithoutATestAllowsTheHostsOfItsRecording() async throws {
    try BackendRecording(
      upstreams: ["api.localtest.example": "http://api.example"],
      exchanges: [
        RecordedExchange(
          request: .init(method: "GET", origin: "http://api.example", path: "/text"), response: .init(status: 204))
      ]
    ).write(to: folder)
    let server = TrackingServer()
    _ = try server.use(.folder(at: folder), environment: [:])
    try server.start()
    defer { server.stop() }
    let port = try XCTUnwrap(server.endpoint?.url.port)
    let base = try XCTUnwrap(URL(string: "http://localhost:\(port)"))
    let status = try await Client(base).get("/text", ["Host": "api.localtest.example"]).status
    XCTAssertEqual(status, 204)
  }

  func testWhatCannotBeForwardedGetsItsReasonAndIsNotRecorded() async throws {
    let backend = try backend()
    let setup = RecordingSetup(["/*": backend.url])
    let folder = folder
    let verifier = verifier(
      RecordingSource { _, test in
        try Recorder(
          setup, folder: folder, test: test, environment: ["TRACKING_RECORD": "rewrite"], mostBytes: 1_048_576)
      })
    let client = Client(verifier.baseURL)
    let responses = [
      try await errorText(client.get("/cut")), try await errorText(client.get("/huge")),
      try await errorText(client.get("/endless")),
      try await errorText(client.get("/books", ["Accept": "text/event-stream"])),
    ]
    .map { $0.replacing(backend.url.absoluteString, with: "UPSTREAM") }
    XCTAssertEqual(
      responses,
      [
        "GET /cut got no usable response from UPSTREAM: the connection was closed before the response was complete, or the response isn't HTTP",
        "GET /huge got no usable response from UPSTREAM: its body has more than 1 MiB, which is the most that is recorded",
        "GET /endless got no usable response from UPSTREAM: its body has more than 1 MiB, which is the most that is recorded",
        "GET /books got no usable response from UPSTREAM: server-sent events can't be recorded",
      ])
    XCTAssertEqual(verifier.requests.map(\.status), [502, 502, 502, 502])
    verifier.stop()
    XCTAssertFalse(FileManager.default.fileExists(atPath: folder.path(percentEncoded: false)))
  }

  /// Reasons are printed, and the log of a build keeps them.
  func testSecretsAreNotInReasons() async throws {
    let backend = try backend()
    let url = backend.url.absoluteString
    let reporter = RecordingReporter()
    let verifier = verifier(source("rewrite", .folder(at: folder, upstreams: ["/*": backend.url])), reporter)
    let client = Client(verifier.baseURL)
    try await client.get("/books", ["X-Auth-Token": "token-of-a-header-1"])
    backend.stop()
    let response = try await errorText(client.get("/users/token-of-a-header-1?page=2&access_token=abc-1"))
    verifier.stop()
    let reason =
      "GET /users/[redacted token 1]?page=2&access_token=%5Bredacted%20token%202%5D got no usable response from \(url)"
    XCTAssertEqual(response.prefix(reason.count), Substring(reason))
    XCTAssertEqual(reporter.sentences.count, 1)
    XCTAssertTrue(reporter.sentences[0].contains(reason), "\(reporter.sentences)")
    XCTAssertFalse("\(verifier.requests.map(\.problem))".contains("abc-1"))
  }

  func testABackendGetsItsOwnURLsBackAndAReplayTakesAnyServers() async throws {
    let backend = try backend()
    func flow(_ client: Client) async throws -> [Int] {
      let base = client.base.absoluteString
      let encoded = try XCTUnwrap(base.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
      let json = ["Content-Type": "application/json"]
      return [
        try await client.send("POST", "/echo", #"{"url": "\#(base)/books/42"}"#, json).status,
        try await client.send("POST", "/echo", #"{"url": "\#(base)/books/7", "n": 1}"#, json).status,
        try await client.get("/books?url=\(encoded)").status,
      ]
    }
    try await recording(of: backend.url) { _ = try await flow($0) }
    let recording = try BackendRecording(contentsOf: folder)
    XCTAssertEqual(
      recording.exchanges.map { String(decoding: $0.request.body, as: UTF8.self) },
      [#"{"url":"{base}/books/42"}"#, #"{"url":"{base}/books/7","n":1}"#, ""])
    // The backend's responses, which echo the requests that it received.
    XCTAssertEqual(
      recording.exchanges.map { String(decoding: $0.response.body, as: UTF8.self).contains("{base}") },
      [true, true, true])
    XCTAssertFalse(try files().values.contains { String(decoding: $0, as: UTF8.self).contains("localhost") })
    let verifier = verifier(source(nil, .folder(at: folder, upstreams: ["/*": backend.url])))
    let statuses = try await flow(Client(verifier.baseURL))
    XCTAssertEqual(statuses, [200, 200, 200])
  }

  func testAStubOfTheTestComesBeforeTheBackend() async throws {
    let backend = try backend()
    try await recording(of: backend.url) { _ = try await $0.get("/books") }
    let verifier = verifier(source(nil, .folder(at: folder, upstreams: ["/*": backend.url])))
    let stub = verifier.stub(.get, "/:anything", .status(503), times: 1)
    let client = Client(verifier.baseURL)
    let statuses = [try await client.get("/books").status, try await client.get("/books").status]
    XCTAssertEqual(statuses, [503, 200])
    XCTAssertEqual(stub.count, 1)
    verifier.resetStubs()
    let afterwards = try await client.get("/books")
    XCTAssertEqual(afterwards.status, 200)
  }

  func testAStopDoesNotWaitForABackendThatIsSlow() async throws {
    // A backend that accepts and never responds: another server, whose stub is held.
    let gate = StubGate()
    let slow = verifier(nil)
    slow.stub(.get, "/slow", .ok.held(by: gate))
    let verifier = verifier(source("rewrite", .folder(at: folder, upstreams: ["/*": slow.baseURL])))
    let client = Client(verifier.baseURL)
    let response = Task { try await client.get("/slow") }
    let arrived = await slow.wait(for: .request(.get, "/slow"), timeout: 30)
    XCTAssertNotNil(arrived)
    verifier.stop()
    let result = await response.result
    XCTAssertThrowsError(try result.get())
    gate.open()
  }
}
