import TestSupport
@testable import TrackingServer

/// Faults that affect whatever request comes next.
final class InjectedFaultTests: ServerTestCase {
  private func inject(_ fault: HTTPFault, times: Int?, into server: TrackingServer) -> StubStore.Owner {
    let owner = server.stubs.makeOwner()
    server.stubs.inject(fault, times: times, of: owner)
    return owner
  }

  func testAFaultIsCountedByTheRequestsThatItAffects() throws {
    try withServer { server in
      try server.stub(StubEndpoint(.get, "/books", .text("all of them")))
      _ = inject(HTTPFault(.reset, at: .response), times: 2, into: server)
      for _ in 0..<2 {
        let client = try RawClient(server)
        try client.send(RawClient.get("/books"))
        XCTAssertEqual(try client.readToEnd().end, .reset)
      }
      XCTAssertEqual(try RawClient(server).get("/books").content, "all of them")
      XCTAssertEqual(
        server.journal.requests.map { "\($0)" },
        [
          "GET /books -> no response by GET /books, reset at response",
          "GET /books -> no response by GET /books, reset at response", "GET /books -> 200 by GET /books",
        ])
    }
  }

  func testAFaultWithoutANumberStaysUntilItIsTakenBack() throws {
    try withServer { server in
      let owner = inject(HTTPFault(.close, at: .requestHead), times: nil, into: server)
      for _ in 0..<3 {
        let client = try RawClient(server)
        try client.send(RawClient.get("/books"))
        XCTAssertEqual(try client.readToEnd().end, .closed)
      }
      server.stubs.removeFaults(of: owner)
      XCTAssertEqual(try RawClient(server).get("/books").status, 404)
      XCTAssertEqual(server.journal.requests.map(\.isUnmatched), [false, false, false, true])
    }
  }

  func testAFaultForNoRequestAffectsNone() throws {
    try withServer { server in
      _ = inject(HTTPFault(.reset, at: .response), times: 0, into: server)
      XCTAssertEqual(try RawClient(server).get("/books").status, 404)
    }
  }

  func testSubmissionsOfEventsAreSparedButForTheirConnections() throws {
    try withServer { server in
      for position in HTTPFault.Position.allCases where position != .accept {
        _ = inject(HTTPFault(.reset, at: position), times: nil, into: server)
      }
      let client = try RawClient(server)
      XCTAssertEqual(try client.post(#"{"name":"a"}"#).status, 204)
      _ = inject(HTTPFault(.reset, at: .accept), times: 1, into: server)
      XCTAssertEqual(try endOfNewConnection(server), .reset)
      XCTAssertEqual(try RawClient(server).post(#"{"name":"b"}"#).status, 204)
      XCTAssertEqual(server.journal.events.map(\.event.name), ["a", "b"])
      XCTAssertEqual(server.journal.requests, [])
    }
  }

  func testAFaultAtAcceptResetsConnectionsThatAreIdle() throws {
    for effect in HTTPFault.Effect.allCases {
      try withServer { server in
        try server.stub(StubEndpoint(.get, "/books", .text("all of them")))
        let (used, unused) = (try RawClient(server), try RawClient(server))
        XCTAssertEqual(try used.get("/books").status, 200)
        try settle(server)
        _ = inject(HTTPFault(effect, at: .accept), times: nil, into: server)
        XCTAssertEqual(try used.readToEnd().end, .reset, "\(effect)")
        XCTAssertEqual(try unused.readToEnd().end, .reset, "\(effect)")
      }
    }
  }

  func testARequestThatFollowsAFaultAtAcceptFindsItsConnectionReset() throws {
    try withServer { server in
      try server.stub(StubEndpoint(.get, "/books", .text("all of them")))
      for _ in 1...50 {
        let client = try RawClient(server)
        XCTAssertEqual(try client.get("/books").status, 200)
        let owner = inject(HTTPFault(.reset, at: .accept), times: nil, into: server)
        // The reset may be noticed by sending, and then reading only finds the end.
        try? client.send(RawClient.get("/books"))
        XCTAssertEqual(try client.readToEnd().bytes, [])
        server.stubs.removeFaults(of: owner)
      }
      XCTAssertEqual(server.journal.requests.count, 50)
    }
  }

  func testAFaultAtAcceptCanBeInjectedOnTheServersOwnThreadAndWhileItStops() throws {
    try withServer { server in
      let client = try RawClient(server)
      XCTAssertEqual(try client.get("/books").status, 404)
      let owner = server.stubs.makeOwner()
      let hasInjected = Locked(false)
      // The thread that records an event wakes a single waiter itself.
      _ = server.journal.news(from: server.journal.nextNumber) {
        server.stubs.inject(HTTPFault(.reset, at: .accept), times: nil, of: owner)
        hasInjected.withLock { $0 = true }
      }
      XCTAssertEqual(try client.post(#"{"name":"a"}"#).status, 204)
      XCTAssertTrue(hasInjected.withLock(\.self))
      XCTAssertEqual(try client.readToEnd().end, .reset)
      let stopper = try JoinableThread(name: "stopper", stackSize: 1 << 20) { server.stop() }
      for _ in 1...100 { server.stubs.inject(HTTPFault(.reset, at: .accept), times: nil, of: owner) }
      stopper.join()
      server.stubs.inject(HTTPFault(.reset, at: .accept), times: nil, of: owner)
    }
  }

  func testAResponseThatIsPendingAtAFaultAtAcceptIsTheLastOfItsConnection() throws {
    try withServer { server in
      let gate = StubGate()
      try server.stub(
        StubEndpoint(.get, "/held", .text("at last").held(by: gate)), StubEndpoint(.put, "/books", .text("put")))
      let (held, sending) = (try RawClient(server), try RawClient(server))
      try held.send(RawClient.get("/held"))
      try sending.send("PUT /books HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n1")
      try settle(server)
      _ = inject(HTTPFault(.reset, at: .accept), times: nil, into: server)
      XCTAssertEqual(try endOfNewConnection(server), .reset)
      gate.open()
      XCTAssertEqual(try held.response().content, "at last")
      XCTAssertEqual(try held.readToEnd().end, .closed)
      try sending.send("2")
      let response = try sending.response()
      XCTAssertEqual(response.content, "put")
      XCTAssertEqual(response.field("Connection"), "close")
      XCTAssertEqual(try sending.readToEnd().end, .closed)
    }
  }

  func testAResponseThatIsBeingSentAtAFaultAtAcceptIsTheLastOfItsConnection() throws {
    try withServer { server in
      // More than the buffers of both sockets take.
      let text = String(repeating: "x", count: 16 << 20)
      try server.stub(StubEndpoint(.get, "/large", .text(text)))
      let client = try RawClient(server)
      try client.send(RawClient.get("/large"))
      try settle(server)
      _ = inject(HTTPFault(.reset, at: .accept), times: nil, into: server)
      XCTAssertEqual(try endOfNewConnection(server), .reset)
      XCTAssertEqual(try client.response().content.count, text.count)
      XCTAssertEqual(try client.readToEnd().end, .closed)
    }
  }

  private struct Page: HostedPage {
    func respond(to request: ReceivedRequest) -> PageOutcome { .response(HTTPResponse(status: 200, content: [])) }
  }

  func testRequestsToTheServerItselfUseUpNoFault() throws {
    try withServer { server in
      server.page.withLock { $0 = Page() }
      for position in [HTTPFault.Position.requestHead, .requestBody] {
        _ = inject(HTTPFault(.close, at: position), times: 1, into: server)
      }
      XCTAssertEqual(try RawClient(server).get("/-tracking/").status, 200)
      let report = RawClient.request("POST /tracking-problem HTTP/1.1", ["Host: localhost"], "no stubs")
      XCTAssertEqual(try RawClient(server).exchange(report).status, 403)
      // A refused request uses up none, either.
      XCTAssertEqual(try RawClient(server).get("/books", "Origin: http://evil.test").status, 403)
      for _ in 0..<2 {
        let client = try RawClient(server)
        try client.send(RawClient.get("/books"))
        XCTAssertEqual(try client.readToEnd().end, .closed)
      }
      XCTAssertEqual(try RawClient(server).get("/books").status, 404)
    }
  }

  func testARequestWithoutABodyIsBrokenOffBehindItsHead() throws {
    try withServer { server in
      _ = inject(HTTPFault(.close, at: .requestBody), times: 1, into: server)
      let client = try RawClient(server)
      try client.send(RawClient.get("/books"))
      XCTAssertEqual(try client.readToEnd().end, .closed)
      XCTAssertEqual(server.journal.requests.map { "\($0)" }, ["GET /books -> no response, close at requestBody"])
    }
  }

  func testABodyInChunksIsBrokenOffWhenItHasBegun() throws {
    try withServer { server in
      try server.stub(StubEndpoint(.put, "/books", .ok.failing(HTTPFault(.garbage, at: .requestBody))))
      let client = try RawClient(server)
      try client.send("PUT /books HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
      try settle(server)
      XCTAssertTrue(client.hearsNothing)
      try client.send("5\r\n01")
      XCTAssertEqual(try client.readToEnd(), "\u{15}\u{3}\u{1} this is no HTTP \u{0}\u{7F}")
    }
  }

  func testAClientThatWaitsForItsTurnIsBrokenOffBeforeOrBehindIt() throws {
    try withServer { server in
      try server.stub(
        StubEndpoint(.put, "/head", .ok.failing(HTTPFault(.close, at: .requestHead))),
        StubEndpoint(.put, "/body", .ok.failing(HTTPFault(.close, at: .requestBody))))
      let request = { (path: String) in
        RawClient.request("PUT \(path) HTTP/1.1", ["Host: localhost", "Expect: 100-continue"], "0123")
      }
      let first = try RawClient(server)
      try first.send(String(request("/head").dropLast(4)))
      XCTAssertEqual(try first.readToEnd(), "")
      let second = try RawClient(server)
      try second.send(String(request("/body").dropLast(4)))
      XCTAssertEqual(try second.response().status, 100)
      try second.send("01")
      XCTAssertEqual(try second.readToEnd(), "")
    }
  }

  func testResponsesBeforeAFaultArrive() throws {
    try withServer { server in
      try server.stub(
        StubEndpoint(.get, "/well", .text("well")),
        StubEndpoint(.get, "/ill", .text("ill").failing(HTTPFault(.reset, at: .response))))
      let client = try RawClient(server)
      try client.send(RawClient.get("/well") + RawClient.get("/ill") + RawClient.get("/well"))
      XCTAssertEqual(try client.response().content, "well")
      XCTAssertEqual(try client.readToEnd().end, .reset)
      XCTAssertEqual(server.journal.requests.map(\.target), ["/well", "/ill"])
    }
  }

  func testAResponseIsWholeBeforeItsConnectionIsReset() throws {
    try withServer { server in
      let content = Data(repeating: 7, count: 10_000_000)
      try server.stub(StubEndpoint(.get, "/film", .data(content).failing(HTTPFault(.reset, at: .afterResponse))))
      let client = try RawClient(server)
      client.takeLittle()
      try client.send(RawClient.get("/film"))
      let (bytes, end) = try client.readToEnd()
      XCTAssertEqual(bytes.count { $0 == 7 }, content.count)
      XCTAssertEqual(end, .reset)
    }
  }

  func testAKeptConnectionIsGoneForTheNextRequest() throws {
    try withServer { server in
      for effect in HTTPFault.Effect.allCases {
        let path = StubPath.template("/\(effect)")
        try server.stub(StubEndpoint(.get, path, .text("done").failing(HTTPFault(effect, at: .afterResponse))))
        let client = try RawClient(server)
        let response = try client.get("\(path)")
        XCTAssertEqual(response.content, "done", "\(effect)")
        XCTAssertNil(response.field("Connection"), "\(effect)")
        if effect != .reset { try client.send(RawClient.get("\(path)")) }
        try settle(server)
        if effect == .stall {
          XCTAssertTrue(client.hearsNothing)
        } else {
          let (bytes, end) = try client.readToEnd()
          XCTAssertEqual(bytes.count, effect == .garbage ? 22 : 0, "\(effect)")
          XCTAssertEqual(end, effect == .reset ? .reset : .closed, "\(effect)")
        }
        XCTAssertEqual(server.journal.requests.count { $0.target == "\(path)" }, 1, "\(effect)")
      }
    }
  }

  func testWhatIsRefusedAnywayUsesNoFaultUp() throws {
    try withServer(.init(allowedOrigins: ["http://page.test"])) { server in
      _ = inject(HTTPFault(.close, at: .requestHead), times: 1, into: server)
      let client = try RawClient(server)
      XCTAssertEqual(try client.get("/books", "Origin: http://evil.test").status, 403)
      let check = RawClient.request(
        "OPTIONS /books HTTP/1.1",
        ["Host: localhost", "Origin: http://page.test", "Access-Control-Request-Method: PUT"])
      XCTAssertEqual(try client.exchange(check).status, 204)
      try client.send(RawClient.get("/books"))
      XCTAssertEqual(try client.readToEnd().end, .closed)
    }
  }
}
