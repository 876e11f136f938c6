import TestSupport
import TrackingSockets

@testable import TrackingServer

/// Sequences of requests and responses on one connection, and its end.
final class ConnectionTests: ServerTestCase {
  private let event = #"{"name":"a"}"#

  func testAnEventIsRecordedBeforeItGetsItsResponse() throws {
    try withServer { server in
      let client = try RawClient(server)
      for count in 1...50 {
        try client.post(event)
        XCTAssertEqual(server.journal.events.count, count)
      }
      XCTAssertEqual(server.journal.connections, 1)
      XCTAssertEqual(server.journal.events.map(\.connection), Array(repeating: 1, count: 50))
    }
  }

  func testPipelinedRequestsGetTheirResponsesInOrder() throws {
    try withServer { server in
      let client = try RawClient(server)
      let requests = (0..<20).map { index in
        index.isMultiple(of: 2)
          ? RawClient.post(#"{"name":"\#(index)"}"#) : RawClient.request("GET /\(index) HTTP/1.1", ["Host: localhost"])
      }
      try client.send(requests.joined())
      for index in 0..<20 {
        let response = try client.response()
        XCTAssertEqual(response.status, index.isMultiple(of: 2) ? 204 : 404)
        if response.status == 404 { XCTAssertTrue(response.content.contains("served at /\(index);"), response.content) }
      }
      XCTAssertEqual(server.journal.events.map(\.event.name), stride(from: 0, to: 20, by: 2).map { "\($0)" })
      XCTAssertEqual(server.journal.requests.map(\.exchange), Array(stride(from: 2, through: 20, by: 2)))
    }
  }

  func testARequestMayComeByteByByte() throws {
    try withServer { server in
      let client = try RawClient(server)
      for byte in RawClient.post(event).utf8 { try client.send([byte]) }
      XCTAssertEqual(try client.response().status, 204)
    }
  }

  func testAChunkedBodyIsAnEvent() throws {
    try withServer { server in
      let client = try RawClient(server)
      try client.send("POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
      for byte in event { try client.send("1\r\n\(byte)\r\n") }
      try client.send("0\r\nTrailer: x\r\n\r\n")
      XCTAssertEqual(try client.response().status, 204)
      XCTAssertEqual(try client.post(event).status, 204)
      XCTAssertEqual(server.journal.events.count, 2)
    }
  }

  func testCloseIsSaidAndDone() throws {
    try withServer { server in
      let client = try RawClient(server)
      XCTAssertEqual(try client.post(event, "Connection: close").fieldsWithoutDate, ["Connection: close"])
      XCTAssertEqual(try client.readToEnd(), "")
    }
  }

  func testNothingGetsAResponseBehindAClose() throws {
    try withServer { server in
      let client = try RawClient(server)
      try client.send(RawClient.post(event, ["Connection: close"]) + RawClient.post(event))
      XCTAssertEqual(try client.response().status, 204)
      XCTAssertEqual(try client.readToEnd(), "")
      XCTAssertEqual(server.journal.events.count, 1)
    }
  }

  func testAnOldClientIsClosedUnlessItRequestsKeepAlive() throws {
    try withServer { server in
      let plain = try RawClient(server)
      let request = ["Content-Type: application/json"]
      let closing = try plain.exchange(RawClient.request("POST / HTTP/1.0", request, event))
      XCTAssertEqual(closing.statusLine, "HTTP/1.1 204 No Content")
      XCTAssertEqual(closing.fieldsWithoutDate, ["Connection: close"])
      XCTAssertEqual(try plain.readToEnd(), "")
      let kept = try RawClient(server)
      for _ in 0..<2 {
        let response = try kept.exchange(
          RawClient.request("POST / HTTP/1.0", request + ["Connection: keep-alive"], event))
        XCTAssertEqual(response.fieldsWithoutDate, ["Connection: keep-alive"])
      }
    }
  }

  func testTheResponseToHeadHasTheLengthAndNoContent() throws {
    try withServer { server in
      let client = try RawClient(server)
      try client.send(RawClient.request("HEAD / HTTP/1.1", ["Host: localhost"]) + RawClient.post(event))
      let response = try client.response(toHead: true)
      XCTAssertEqual(response.status, 405)
      XCTAssertEqual(response.field("Content-Length"), "49")
      XCTAssertEqual(try client.response().status, 204)
    }
  }

  func testOptionsMayBeAboutTheServerAsAWhole() throws {
    try withServer { server in
      for target in ["*", "/", "/anything", "http://localhost"] {
        let response = try RawClient(server).exchange(
          RawClient.request("OPTIONS \(target) HTTP/1.1", ["Host: localhost"]))
        XCTAssertEqual(response.status, 204, target)
        XCTAssertEqual(response.fieldsWithoutDate, ["Allow: OPTIONS, POST"], target)
      }
    }
  }

  func testATargetMayBeAbsolute() throws {
    try withServer { server in
      for target in ["http://localhost/", "http://localhost", "http://[::1]:1/", "HTTP://127.0.0.1/?x=y", "/?x"] {
        let request = RawClient.request("POST \(target) HTTP/1.1", ["Host: localhost"], event)
        XCTAssertEqual(try RawClient(server).exchange(request).status, 204, target)
      }
    }
  }

  // MARK: Expect

  func testAClientThatWaitsWithItsBodyIsToldToGoOn() throws {
    try withServer { server in
      let client = try RawClient(server)
      let fields = "Host: localhost\r\nExpect: 100-continue\r\nContent-Length: 12\r\n\r\n"
      let interim = try client.exchange("POST / HTTP/1.1\r\n" + fields)
      XCTAssertEqual(interim, RawResponse(statusLine: "HTTP/1.1 100 Continue", fields: []))
      XCTAssertEqual(try client.exchange(event).status, 204)
      // A client that did not wait needs not to be told.
      XCTAssertEqual(try client.exchange("POST / HTTP/1.1\r\n" + fields + event).status, 204)
    }
  }

  func testAClientThatWaitsWithItsBodyIsRefusedBeforeItSendsIt() throws {
    try withServer { server in
      let client = try RawClient(server)
      let response = try client.exchange(
        "POST /x HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 12\r\n\r\n")
      XCTAssertEqual(response.status, 404)
      XCTAssertEqual(response.field("Connection"), "close")
      XCTAssertEqual(try client.readToEnd(), "")
      XCTAssertEqual(
        server.journal.requests.map { "\($0.method) \($0.target) \($0.status ?? 0) \($0.exchange)" }, ["POST /x 404 1"])
      let type = try RawClient(server).exchange(
        "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: a/b\r\nExpect: 100-continue\r\nContent-Length: 12\r\n\r\n")
      XCTAssertEqual(type.status, 415)
      XCTAssertEqual(server.journal.rejections.map(\.status), [415])
    }
  }

  // MARK: Ends

  func testAHalfClosedClientGetsItsResponses() throws {
    try withServer { server in
      let client = try RawClient(server)
      try client.send(RawClient.post(event) + RawClient.post(event))
      client.socket.shutdownWriting()
      XCTAssertEqual(try client.response().status, 204)
      XCTAssertEqual(try client.response().status, 204)
      XCTAssertEqual(try client.readToEnd(), "")
    }
  }

  func testAHalfClosedClientGetsALongRowOfResponses() throws {
    try withServer { server in
      let client = try RawClient(server)
      client.takeLittle()
      let count = 1_000
      let request = Array(RawClient.request("GET / HTTP/1.1", ["Host: localhost"]).utf8)
      try onThreads(2) { index in
        if index == 0 {
          try client.send(Array(repeating: request, count: count).flatMap { $0 })
          client.socket.shutdownWriting()
        } else {
          XCTAssertEqual(try client.readToEnd().components(separatedBy: "HTTP/1.1 405").count - 1, count)
        }
      }
    }
  }

  func testARequestThatBreaksOffWasNeverMade() throws {
    try leavingNothingBehind {
      try withServer { server in
        for end in [10, 60, 90] {
          let client = try RawClient(server)
          try client.send(String(RawClient.post(event).prefix(end)))
          client.socket.shutdownWriting()
          XCTAssertEqual(try client.readToEnd(), "")
        }
        XCTAssertEqual(server.journal.events, [])
        XCTAssertEqual(server.journal.rejections, [])
      }
    }
  }

  func testARefusedClientThatIsStillSendingCanReadWhy() throws {
    try withServer(.init(limits: .init(body: 1_000))) { server in
      let client = try RawClient(server)
      try client.send("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10000000\r\n\r\n")
      let body = [UInt8](repeating: 0x20, count: 100_000)
      for _ in 0..<100 { try client.send(body) }
      XCTAssertEqual(try client.response().status, 413)
      XCTAssertEqual(try client.readToEnd(), "")
    }
  }

  func testARefusedClientThatNeverStopsSendingIsCutOff() throws {
    var limits = TrackingServer.Limits()
    limits.lingerTime = 0.1
    try leavingNothingBehind {
      try withServer(.init(limits: limits)) { server in
        let client = try RawClient(server)
        try client.send("BAD\r\n\r\n")
        let body = [UInt8](repeating: 0x20, count: 10_000)
        let deadline = RawClient.deadline
        while client.sendWhatFits(body, rounds: 10), ContinuousClock.now < deadline {
          _ = client.socket.wait(for: Int32(POLLOUT), until: deadline)
        }
        XCTAssertLessThan(ContinuousClock.now, deadline)
      }
    }
  }

  // MARK: Deadlines

  func testARequestThatDoesNotArriveInTimeGetsAResponseAndIsClosed() throws {
    try withServer(.init(limits: .init(requestTimeout: 0.05))) { server in
      let client = try RawClient(server)
      try client.send("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 12\r\n\r\n{")
      let response = try client.response()
      XCTAssertEqual(response.statusLine, "HTTP/1.1 408 Request Timeout")
      XCTAssertEqual(response.field("Connection"), "close")
      XCTAssertEqual(response.content, "{\"error\":\"the request did not arrive completely within 0.05 s\"}\n")
      XCTAssertEqual(try client.readToEnd(), "")
      XCTAssertEqual(server.journal.rejections.map(\.status), [408])
    }
  }

  func testAByteNowAndThenDoesNotKeepARequestAlive() throws {
    try withServer(.init(limits: .init(requestTimeout: 0.1))) { server in
      let client = try RawClient(server)
      let start = ContinuousClock.now
      while ContinuousClock.now < start + .seconds(20) {
        do { try client.send("P") } catch { break }
        if client.socket.wait(for: Int32(POLLIN), until: .now + .milliseconds(5)) { break }
      }
      XCTAssertEqual(try client.response().status, 408)
      XCTAssertLessThan(ContinuousClock.now - start, .seconds(10))
    }
  }

  func testEachRequestHasItsOwnTime() throws {
    try withServer(.init(limits: .init(requestTimeout: 0.3))) { server in
      let client = try RawClient(server)
      let start = ContinuousClock.now
      while ContinuousClock.now < start + .milliseconds(600) {
        try client.send(String(RawClient.post(event).prefix(40)))
        _ = client.socket.wait(for: Int32(POLLIN), until: .now + .milliseconds(20))
        XCTAssertEqual(try client.exchange(String(RawClient.post(event).dropFirst(40))).status, 204)
      }
    }
  }

  func testAnIdleConnectionIsClosedInTime() throws {
    try leavingNothingBehind {
      try withServer(.init(limits: .init(idleTimeout: 0.05))) { server in
        let silent = try RawClient(server)
        let used = try RawClient(server)
        XCTAssertEqual(try used.post(event).status, 204)
        XCTAssertEqual(try silent.readToEnd(), "")
        XCTAssertEqual(try used.readToEnd(), "")
        XCTAssertEqual(server.journal.rejections, [])
      }
    }
  }

  func testAClientThatNeverReadsIsCutOffInTime() throws {
    var limits = TrackingServer.Limits(requestTimeout: 0.2)
    limits.lingerTime = 0.1
    try leavingNothingBehind {
      try withServer(.init(limits: limits)) { server in
        // Responses that soon fill the buffers of the system.
        try server.stub(StubEndpoint(.get, "/film", .data(Data(repeating: 7, count: 1_000_000))))
        let client = try RawClient(server)
        client.takeLittle()
        let requests = Array(String(repeating: RawClient.get("/film"), count: 500).utf8)
        let deadline = RawClient.deadline
        while client.sendWhatFits(requests, rounds: 1_000), ContinuousClock.now < deadline {
          _ = client.socket.wait(for: Int32(POLLOUT), until: deadline)
          XCTAssertEqual(try RawClient(server).post(event).status, 204)
        }
        XCTAssertLessThan(ContinuousClock.now, deadline)
      }
    }
  }
}
