import TestSupport

@testable import TrackingServer

/// Bodies that a test writes while the app listens.
final class StreamTests: ServerTestCase {
  /// Installs a stream as a verifier does.
  private func stream(
    _ server: TrackingServer, _ result: (StubStream) -> StubResponse = { .stream($0) }, at path: StubPath = "/stream"
  ) throws -> StubStream {
    let stream = StubStream()
    try server.stub(StubEndpoint(.get, path, result(stream)))
    return stream
  }

  private func text(_ client: RawClient, until end: String) throws -> String {
    var text = ""
    var count = 1
    while !text.hasSuffix(end) {
      text = String(decoding: try client.readToEnd(atMost: count).bytes, as: UTF8.self)
      count = text.utf8.count + 1
    }
    return text
  }

  func testEachPieceIsAChunkAndTheConnectionServesOnBehindTheEnd() throws {
    try withServer { server in
      let stream = try stream(server)
      stream.send("before")
      let client = try RawClient(server)
      try client.send(RawClient.get("/stream"))
      let head = try text(client, until: "6\r\nbefore\r\n")
      XCTAssertTrue(head.hasPrefix("HTTP/1.1 200 OK\r\n"))
      XCTAssertTrue(head.contains("\r\nTransfer-Encoding: chunked\r\n\r\n"))
      XCTAssertEqual(stream.listeners, 1)
      stream.send(Array("while".utf8))
      stream.send("")
      XCTAssertTrue(try text(client, until: "5\r\nwhile\r\n").hasSuffix("6\r\nbefore\r\n5\r\nwhile\r\n"))
      stream.finish()
      stream.send("ignored")
      XCTAssertTrue(try text(client, until: "0\r\n\r\n").hasSuffix("5\r\nwhile\r\n0\r\n\r\n"))
      eventually("\(stream.listeners) listen") { stream.listeners == 0 }
      try client.send(RawClient.get("/none"))
      XCTAssertTrue(try text(client, until: "}\n").contains("HTTP/1.1 404"))
      // A later client gets the whole stream.
      let late = try RawClient(server)
      try late.send(RawClient.get("/stream", ["Connection: close"]))
      XCTAssertTrue(try late.readToEnd().hasSuffix("\r\n\r\n6\r\nbefore\r\n5\r\nwhile\r\n0\r\n\r\n"))
    }
  }

  func testAnEventHasItsNameAndItsLines() throws {
    try withServer { server in
      let stream = try stream(server, { .eventStream($0) })
      stream.send(event: "price\n", data: "4\r\n2", id: "7")
      stream.send(data: "")
      stream.finish()
      let client = try RawClient(server)
      try client.send(RawClient.request("GET /stream HTTP/1.0", []))
      let text = try client.readToEnd()
      XCTAssertTrue(text.contains("\r\nContent-Type: text/event-stream\r\n"))
      // RFC 9112 7.1: HTTP/1.0 has no chunks, and its connection ends behind the body.
      XCTAssertFalse(text.contains("Transfer-Encoding"))
      XCTAssertTrue(text.hasSuffix("\r\n\r\nevent: price\nid: 7\ndata: 4\ndata: 2\n\ndata: \n\n"))
    }
  }

  func testAStreamMayFail() throws {
    try withServer { server in
      let stream = try stream(server)
      let client = try RawClient(server)
      try client.send(RawClient.get("/stream"))
      stream.send("a")
      _ = try text(client, until: "1\r\na\r\n")
      stream.fail(.reset)
      XCTAssertEqual(try client.readToEnd().end, .reset)
      XCTAssertEqual(stream.listeners, 0)
    }
  }

  func testARequestForTheHeadGetsNoBody() throws {
    try withServer { server in
      _ = try stream(server)
      let client = try RawClient(server)
      try client.send(RawClient.request("HEAD /stream HTTP/1.1", ["Host: localhost"]))
      XCTAssertEqual(try client.response(toHead: true).status, 200)
      XCTAssertEqual(try client.post("[]").status, 204)
    }
  }

  func testListenersThatLeaveOrDoNotReadCostNothing() throws {
    try withServer { server in
      let stream = try stream(server)
      let clients = try (0..<20).map { _ in try RawClient(server) }
      for client in clients {
        client.takeLittle()
        try client.send(RawClient.get("/stream"))
      }
      eventually("\(stream.listeners) listen") { stream.listeners == 20 }
      let piece = [UInt8](repeating: 0x61, count: 1 << 20)
      for _ in 0..<16 { stream.send(piece) }
      let other = try RawClient(server)
      XCTAssertEqual(try other.post(#"{"name":"a"}"#).status, 204)
      for client in clients { client.reset() }
      eventually("\(stream.listeners) listen") { stream.listeners == 0 }
    }
  }

  func testAStopEndsStreams() throws {
    try leavingNothingBehind {
      let server = TrackingServer()
      try server.start()
      let stream = try stream(server)
      let client = try RawClient(server)
      try client.send(RawClient.get("/stream"))
      eventually("it listens") { stream.listeners == 1 }
      server.stop()
      XCTAssertEqual(stream.listeners, 0)
      stream.send("late")
      _ = try client.readToEnd()
    }
  }
}
