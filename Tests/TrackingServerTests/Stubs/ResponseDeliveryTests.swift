import TestSupport

@testable import TrackingServer

/// Responses that are late, in pieces, without content, or large.
final class ResponseDeliveryTests: ServerTestCase {
  func testADelayedResponseComesNoEarlierAndLetsOthersPass() throws {
    try withServer { server in
      try server.stub(
        StubEndpoint(.get, "/slow", .text("slow").delayed(by: 0.2)), StubEndpoint(.get, "/fast", .text("fast")))
      let slow = try RawClient(server)
      let start = ContinuousClock.now
      try slow.send(RawClient.get("/slow"))
      XCTAssertEqual(try RawClient(server).get("/fast").content, "fast")
      XCTAssertTrue(slow.hearsNothing || .now - start > .milliseconds(200))
      XCTAssertEqual(try slow.response().content, "slow")
      XCTAssertGreaterThanOrEqual(.now - start, .milliseconds(200))
    }
  }

  func testADribbledBodyArrivesInItsPieces() throws {
    try withServer { server in
      try server.stub(StubEndpoint(.get, "/film", .text("abcdef").dribbled(over: 0.12, pieces: 3)))
      let client = try RawClient(server)
      let start = ContinuousClock.now
      try client.send(RawClient.get("/film"))
      let head = try client.readToEnd(atMost: 1).bytes
      XCTAssertTrue(String(decoding: head, as: UTF8.self).contains("Content-Length: 6\r\n"))
      // The first piece comes with the head, the others apart: never two in one read of a client that reads at once.
      XCTAssertTrue(String(decoding: head, as: UTF8.self).hasSuffix("\r\n\r\nab") || .now - start > .milliseconds(40))
      XCTAssertEqual(try client.response().content, "abcdef")
      XCTAssertGreaterThanOrEqual(.now - start, .milliseconds(120))
    }
  }

  func testABodyIsCutIntoNoMorePiecesThanItHasBytes() throws {
    try withServer { server in
      for (text, pieces) in [("", 5), ("a", 5), ("abc", 10), ("abc", 1)] {
        try server.stub(StubEndpoint(.get, "/", .text(text).dribbled(over: 0.02, pieces: pieces)))
        XCTAssertEqual(try RawClient(server).get("/").content, text)
      }
    }
  }

  func testPipelinedRequestsGetTheirResponsesInOrderHoweverSlowTheyAre() throws {
    try withServer { server in
      try server.stub(
        StubEndpoint(.get, "/late", .text("late").delayed(by: 0.04)),
        StubEndpoint(.get, "/pieces", .text("pieces").dribbled(over: 0.04, pieces: 3)),
        StubEndpoint(.get, "/fast", .text("fast")))
      try server.stub(.get, "/work") { _ in .text("work") }
      try server.stub(.get, "/latework") { _ in .text("latework").delayed(by: 0.04) }
      let order = ["late", "fast", "work", "fast", "pieces", "pieces", "latework", "work", "late", "fast"]
      let requests = order.map { RawClient.get("/\($0)") } + [RawClient.post(#"{"name":"a"}"#)]
      let clients = try (0..<3).map { _ in try RawClient(server) }
      for client in clients { try client.send(requests.joined()) }
      for client in clients {
        XCTAssertEqual(try order.map { _ in try client.response().content }, order)
        XCTAssertEqual(try client.response().status, 204)
      }
      XCTAssertEqual(server.journal.events.count, 3)
      for connection in 1...3 {
        let requests = server.journal.requests.filter { $0.connection == connection }
        XCTAssertEqual(requests.map(\.target), order.map { "/\($0)" })
        XCTAssertEqual(requests.map(\.exchange), Array(1...order.count))
      }
    }
  }

  func testTheResponseToHeadHasTheLengthAndNoContent() throws {
    try withServer { server in
      try server.stub(
        StubEndpoint(.any, "/plain", .text("four")),
        StubEndpoint(.any, "/late", .text("four").delayed(by: 0.01).dribbled(over: 0.01)))
      let client = try RawClient(server)
      for path in ["/plain", "/late"] {
        try client.send(RawClient.request("HEAD \(path) HTTP/1.1", ["Host: localhost"]))
        XCTAssertEqual(try client.response(toHead: true).field("Content-Length"), "4")
        XCTAssertEqual(try client.get(path).content, "four")
      }
    }
  }

  func testStatusesWithoutContentHaveNoneWhateverTheStubSays() throws {
    try withServer { server in
      for status in [204, 304] {
        try server.stub(StubEndpoint(.get, "/", .text("none", status: status).delayed(by: 0.01)))
        let client = try RawClient(server)
        let response = try client.get("/")
        XCTAssertEqual(response.status, status)
        XCTAssertNil(response.field("Content-Length"))
        // There are no bytes between this response and the next.
        XCTAssertEqual(try client.get("/").status, status)
      }
    }
  }

  func testConnectionsEndWhenTheirClientsWantThemTo() throws {
    try withServer { server in
      try server.stub(
        StubEndpoint(.get, "/plain", .text("plain")), StubEndpoint(.get, "/late", .text("late").delayed(by: 0.01)),
        StubEndpoint(.get, "/pieces", .text("pieces").dribbled(over: 0.01)))
      try server.stub(.get, "/work") { _ in .text("work") }
      for text in ["plain", "late", "pieces", "work"] {
        let closing = try RawClient(server)
        let response = try closing.get("/\(text)", "Connection: close")
        XCTAssertEqual(response.content, text)
        XCTAssertEqual(response.field("Connection"), "close")
        XCTAssertEqual(try closing.readToEnd(), "")
        let old = try RawClient(server)
        XCTAssertEqual(try old.exchange("GET /\(text) HTTP/1.0\r\n\r\n").content, text)
        XCTAssertEqual(try old.readToEnd(), "")
      }
    }
  }

  func testWhatComesBehindALastRequestDoesNotDestroyItsResponse() throws {
    try withServer { server in
      let content = String(repeating: "x", count: 1_000_000)
      try server.stub(StubEndpoint(.get, "/late", .text(content).delayed(by: 0.1)))
      let client = try RawClient(server)
      try client.send(RawClient.get("/late", ["Connection: close"]))
      try settle(server)
      try client.send("GET /never HTTP/1.1\r\n\r\n")
      XCTAssertEqual(try client.response().content.count, content.count)
      XCTAssertEqual(try client.readToEnd().end, .closed)
    }
  }

  func testAClientThatHasEndedItsSideGetsItsResponse() throws {
    try withServer { server in
      try server.stub(StubEndpoint(.get, "/late", .text("late").delayed(by: 0.05)))
      try server.stub(.get, "/work") { _ in .text("work") }
      for text in ["late", "work"] {
        let client = try RawClient(server)
        try client.send(RawClient.get("/\(text)"))
        client.endSending()
        XCTAssertEqual(try client.finalResponse().content, text)
        XCTAssertEqual(try client.readToEnd(), "")
      }
    }
  }

  func testABodyIsRequestedBeforeAStubResponds() throws {
    try withServer { server in
      try server.stub(.put, "/books") { .text("got \($0.body.count)") }
      let client = try RawClient(server)
      try client.send("PUT /books HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n")
      XCTAssertEqual(try client.response().status, 100)
      try client.send("0123")
      XCTAssertEqual(try client.response().content, "got 4")
    }
  }

  func testABodyInChunksIsWhole() throws {
    try withServer { server in
      try server.stub(.put, "/books") { .text($0.text) }
      try server.stub(StubEndpoint(.request(.put, "/books", body: .text("01234")), .text("matched")))
      let client = try RawClient(server)
      for (last, content) in [("34", "matched"), ("35", "01235")] {
        try client.send("PUT /books HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n012\r\n")
        try client.send("2\r\n\(last)\r\n0\r\n\r\n")
        XCTAssertEqual(try client.response().content, content)
      }
    }
  }

  func testLargeBodiesGoBothWays() throws {
    try withServer { server in
      let body = String(repeating: "0123456789", count: 1_000_000)
      try server.stub(.put, "/echo") { .data($0.body).dribbled(over: 0.02, pieces: 3) }
      let client = try RawClient(server)
      try client.send(RawClient.request("PUT /echo HTTP/1.1", ["Host: localhost", "Connection: close"], body))
      let text = try client.readToEnd()
      XCTAssertTrue(text.hasSuffix("\r\n\r\n" + body))
      XCTAssertEqual(server.journal.requests.map(\.bodySize), [10_000_000])
      XCTAssertEqual(server.journal.requests.map(\.request.body.count), [10_000_000])
    }
  }

  func testAClientThatDoesNotReadKeepsNobodyWaiting() throws {
    try withServer { server in
      let content = Data(repeating: 7, count: 5_000_000)
      try server.stub(
        StubEndpoint(.get, "/film", .data(content).dribbled(over: 0.01, pieces: 10)),
        StubEndpoint(.get, "/fast", .text("fast")))
      let lazy = try RawClient(server)
      lazy.takeLittle()
      try lazy.send(RawClient.get("/film", ["Connection: close"]))
      for _ in 0..<20 { XCTAssertEqual(try RawClient(server).get("/fast").content, "fast") }
      // Once the client reads, it gets the whole response.
      XCTAssertEqual(try lazy.readToEnd().bytes.count { $0 == 7 }, content.count)
    }
  }

  func testAClientThatNeverReadsIsGivenUp() throws {
    try withServer(.init(limits: .init(requestTimeout: 0.05))) { server in
      let content = Data(repeating: 7, count: 10_000_000)
      try server.stub(StubEndpoint(.get, "/film", .data(content).dribbled(over: 0.01, pieces: 4)))
      let before = ProcessCounts.openDescriptors
      let lazy = try RawClient(server)
      lazy.takeLittle()
      try lazy.send(RawClient.get("/film"))
      // Its own socket is all that stays. An earlier test's may have been closed meanwhile.
      eventually("given up") {
        server.journal.requests.count == 1 && ProcessCounts.openDescriptors <= before + 1
      }
    }
  }
}
