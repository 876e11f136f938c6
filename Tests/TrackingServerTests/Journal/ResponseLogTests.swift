import TestSupport
@testable import TrackingServer

/// The responses that people read in the inspector and in `session.json`.
final class ResponseLogTests: ServerTestCase {
  /// The status, the content and the named fields that are kept of a response.
  private func kept(_ request: RecordedRequest, in server: TrackingServer) throws -> [String?] {
    let response = try XCTUnwrap(server.journal.responses?[request], "\(request)")
    return [request.status.map { "\($0)" }, String(decoding: response.content, as: UTF8.self)]
      + ["Content-Type", "Allow"].map { response.fields[$0] }
  }

  func testEachResponseOfTheServerItselfIsKeptAsItsClientReceivedIt() throws {
    var configuration = TrackingServer.Configuration(recordsSubmissions: true)
    configuration.limits.workers = 0
    try withServer(configuration) { server in
      let client = try RawClient(server)
      // Without stubs there is no nearest one.
      let unstubbed = [
        RawClient.get("/"), RawClient.get("/books"), RawClient.request("BREW / HTTP/1.1", ["Host: localhost"]),
      ]
      var responses = try unstubbed.map { try client.exchange($0) }
      try server.stub(StubEndpoint(.get, "/books/:id", .json(["id": 42])))
      try server.stub(.get, "/closure") { _ in .text("never called: there is no thread for it") }
      let requests = [
        RawClient.get("/books"), RawClient.get("/closure"),
        RawClient.request("OPTIONS / HTTP/1.1", ["Host: localhost"]),
        RawClient.request("GET /books/1 HTTP/1.1", ["Host: elsewhere.example"]),
        RawClient.post("[{\"name\": 5}]"), RawClient.post("a=b", ["Content-Encoding: br"]),
        RawClient.post(#"{"name":"a"}"#, ["Tracking-Session: another"]), RawClient.post(#"{"name":"a"}"#),
        RawClient.get("/books/1"),
      ]
      responses += try requests.map { try client.exchange($0) }
      XCTAssertEqual(responses.map(\.status), [405, 404, 501, 404, 503, 204, 403, 400, 415, 403, 204, 200])
      XCTAssertEqual(
        try server.journal.requests.map { try kept($0, in: server) },
        responses.map { ["\($0.status)", $0.content, $0.field("Content-Type"), $0.field("Allow")] })
    }
  }

  func testTheResponseOfAClosureThatFailsIsKept() throws {
    try withServer { server in
      try server.stub(.get, "/closure") { _ in throw URLError(.badURL) }
      let response = try RawClient(server).get("/closure")
      let request = try XCTUnwrap(server.journal.requests.first)
      XCTAssertEqual(try kept(request, in: server), ["500", response.content, "application/json", nil])
      XCTAssertTrue(response.content.contains("returned no response"), response.content)
    }
  }

  func testAJournalKeepsNoResponsesUnlessSomethingReadsThem() {
    XCTAssertNil(TrackingJournal(limits: .init()).responses)
    XCTAssertNotNil(TrackingServer().journal.responses, "these tests link the inspector, which reads them")
  }

  func testResponsesWithoutContentAreDroppedTooSoThatALongRunKeepsSomeOfThem() {
    let log = ResponseLog()
    for number in 1...100_000 { log.keep(.done, connection: 1, exchange: number) }
    func request(_ number: Int) -> RecordedRequest {
      RecordedRequest(ReceivedRequest(method: "GET", path: "/"), connection: 1, exchange: number)
    }
    XCTAssertNil(log[request(1)])
    XCTAssertEqual(log[request(100_000)]?.size, 0)
  }

  func testAResetDropsTheResponsesWithTheirRequests() throws {
    try withServer { server in
      _ = try RawClient(server).get("/books")
      let request = try XCTUnwrap(server.journal.requests.first)
      XCTAssertNotNil(server.journal.responses?[request])
      _ = server.journal.removeAll()
      XCTAssertNil(server.journal.responses?[request])
    }
  }
}
