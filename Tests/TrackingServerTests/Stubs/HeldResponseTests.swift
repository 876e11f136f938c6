import Dispatch
import TestSupport
import TrackingSockets
import VendorFormats

@testable import TrackingServer

/// Responses that a test holds back, closures that block, and clients that leave meanwhile.
final class HeldResponseTests: ServerTestCase {
  /// Sends a request on a separate connection for each client, and returns when all wait at the gate.
  private func held(_ count: Int, at gate: StubGate, _ server: TrackingServer, _ path: String = "/held") throws
    -> [RawClient]
  {
    let before = gate.waiting
    let clients = try (0..<count).map { _ in try RawClient(server) }
    for client in clients { try client.send(RawClient.get(path)) }
    eventually("\(gate.waiting) wait") { gate.waiting == before + count }
    return clients
  }

  func testAResponseWaitsForItsGateAndTheRequestIsInTheJournalMeanwhile() throws {
    try withServer { server in
      let gate = StubGate()
      try server.stub(StubEndpoint(.get, "/held", .text("free").held(by: gate)))
      let client = try held(1, at: gate, server)[0]
      XCTAssertTrue(client.hearsNothing)
      XCTAssertEqual(server.journal.requests.map { "\($0)" }, ["GET /held, no response yet"])
      gate.open()
      XCTAssertEqual(try client.response().content, "free")
      XCTAssertEqual(server.journal.requests.map { "\($0)" }, ["GET /held -> 200 by GET /held"])
      XCTAssertEqual(try client.get("/held").content, "free")
      gate.close()
      try client.send(RawClient.get("/held"))
      eventually("it waits again") { gate.waiting == 1 }
      gate.open()
      XCTAssertEqual(try client.response().content, "free")
    }
  }

  func testAGateLetsSoManyGoTheLongestWaitingFirst() throws {
    try withServer { server in
      let gate = StubGate()
      try server.stub(StubEndpoint(.get, "/held", .text("free").held(by: gate)))
      let clients = try (0..<3).flatMap { _ in try held(1, at: gate, server) }
      XCTAssertEqual(gate.release(2), 2)
      for client in clients.prefix(2) { XCTAssertEqual(try client.response().content, "free") }
      XCTAssertTrue(clients[2].hearsNothing)
      XCTAssertEqual(gate.waiting, 1)
      XCTAssertEqual(gate.release(5), 1)
      XCTAssertEqual(try clients[2].response().content, "free")
    }
  }

  func testTheHeadIsSentBeforeABodyThatWaits() throws {
    try withServer { server in
      let gate = StubGate()
      try server.stub(
        StubEndpoint(.get, "/gate", .text("body").body(after: gate)),
        StubEndpoint(.get, "/time", .text("body").body(after: 0.05)))
      let client = try RawClient(server)
      try client.send(RawClient.get("/gate"))
      XCTAssertTrue(try Self.text(client, atMost: 1).hasSuffix("Content-Length: 4\r\n\r\n"))
      gate.open()
      XCTAssertEqual(try client.response().content, "body")
      let start = ContinuousClock.now
      try client.send(RawClient.get("/time"))
      XCTAssertTrue(try Self.text(client, atMost: 1).hasSuffix("\r\n\r\n"))
      XCTAssertEqual(try client.response().content, "body")
      XCTAssertGreaterThanOrEqual(.now - start, .milliseconds(50))
    }
  }

  func testAClosureGetsItsResponseAtOnceHoweverManyOthersBlock() throws {
    let mayGo = DispatchSemaphore(value: 0)
    for count in [1, 16, 256] {
      try withServer { server in
        let inside = Locked(0)
        try server.stub(.get, "/blocked") { _ in
          inside.withLock { $0 += 1 }
          mayGo.wait()
          return .ok
        }
        try server.stub(.get, "/quick") { _ in .text("quick") }
        try server.accept(.beacons(at: "/beacons"))
        let clients = try (0..<count).map { _ in try RawClient(server) }
        for client in clients { try client.send(RawClient.get("/blocked")) }
        eventually("\(inside.withLock { $0 }) of \(count) block") { inside.withLock { $0 } == count }
        let client = try RawClient(server)
        for _ in 0..<10 { XCTAssertEqual(try client.get("/quick").content, "quick") }
        let beacon = RawClient.request("POST /beacons HTTP/1.1", ["Host: localhost"], "a\tb")
        XCTAssertEqual(try client.exchange(beacon).status, 200)
        // They still block: on a queue of Dispatch, whose threads come one by one, the client gives up before.
        XCTAssertEqual(inside.withLock { $0 }, count)
        for _ in clients { mayGo.signal() }
        for client in clients { XCTAssertEqual(try client.response().status, 200) }
      }
    }
  }

  func testAtTheLimitARequestIsToldSoAndThreadsEndWhenTheyAreNotNeeded() throws {
    let mayGo = DispatchSemaphore(value: 0)
    let threads = ProcessCounts.runningThreads
    var limits = TrackingServer.Limits(workers: 3)
    limits.workerIdleTime = 0.1
    try withServer(.init(limits: limits)) { server in
      let inside = Locked(0)
      try server.stub(.get, "/blocked") { _ in
        inside.withLock { $0 += 1 }
        mayGo.wait()
        return .ok
      }
      let gate = StubGate()
      try server.stub(StubEndpoint(.get, "/held", .text("free").held(by: gate)))
      let clients = try (0..<3).map { _ in try RawClient(server) }
      for client in clients { try client.send(RawClient.get("/blocked")) }
      eventually("3 block") { inside.withLock { $0 } == 3 }
      let one = try RawClient(server)
      let response = try one.get("/blocked")
      let reason =
        "3 closures of stubs and formats are running, the most that limits.workers allows; let them return, hold "
        + "responses with .held(by:), or raise the limit"
      XCTAssertEqual(response.statusLine, "HTTP/1.1 503 Service Unavailable")
      XCTAssertEqual(response.content, "{\"error\":\"\(reason)\"}\n")
      XCTAssertEqual(server.journal.requests.last?.problem, reason)
      // Requests that need no thread are still served.
      _ = try held(5, at: gate, server)
      XCTAssertEqual(try one.post(#"{"name":"a"}"#).status, 204)
      for _ in clients { mayGo.signal() }
      for client in clients { XCTAssertEqual(try client.response().status, 200) }
      mayGo.signal()
      XCTAssertEqual(try one.get("/blocked").status, 200)
      // The server's own thread stays.
      eventually("\(ProcessCounts.runningThreads) threads, \(threads) before") {
        ProcessCounts.runningThreads <= threads + 1
      }
    }
  }

  func testAStopWaitsNeitherForHeldResponsesNorForBlockedClosures() throws {
    let (gate, mayGo) = (StubGate(), DispatchSemaphore(value: 0))
    try leavingNothingBehind {
      let server = TrackingServer()
      try server.start()
      let inside = Locked(0)
      try server.stub(StubEndpoint(.get, "/held", .text("free").held(by: gate)))
      try server.stub(.get, "/blocked") { _ in
        inside.withLock { $0 += 1 }
        mayGo.wait()
        return .ok
      }
      let blocked = try (0..<16).map { _ in try RawClient(server) }
      for client in blocked { try client.send(RawClient.get("/blocked")) }
      let clients = try held(256, at: gate, server)
      eventually("16 block") { inside.withLock { $0 } == 16 }
      let start = ContinuousClock.now
      server.stop()
      let time = ContinuousClock.now - start
      XCTAssertLessThan(time, .seconds(RawClient.patience / 2))
      XCTAssertEqual(gate.waiting, 0)
      for client in clients + blocked { XCTAssertEqual(try client.readToEnd(), "") }
      for _ in blocked { mayGo.signal() }
    }
  }

  func testAClientThatWaitsForItsResponseKeepsItsPlaceAtTheLimit() throws {
    try withServer(TrackingServer.Configuration(limits: TrackingServer.Limits(connections: 3))) { server in
      let gate = StubGate()
      try server.stub(
        StubEndpoint(.get, "/held", .text("free").held(by: gate)), StubEndpoint(.get, "/free", .text("free")))
      let waiting = try held(3, at: gate, server)
      for _ in 0..<3 { XCTAssertEqual(try RawClient(server).get("/free").status, 503) }
      XCTAssertEqual(gate.waiting, 3)
      gate.open()
      for client in waiting { XCTAssertEqual(try client.response().content, "free") }
    }
  }

  func testClientsThatHaveLeftMakeRoomForOthers() throws {
    try withServer(TrackingServer.Configuration(limits: TrackingServer.Limits(connections: 8))) { server in
      let gate = StubGate()
      try server.stub(
        StubEndpoint(.get, "/held", .text("free").held(by: gate)),
        StubEndpoint(.get, "/late", .text("late").delayed(by: 3_600)), StubEndpoint(.get, "/free", .text("free")))
      for path in ["/held", "/late"] {
        for _ in 0..<40 {
          let client = try RawClient(server)
          try client.send(RawClient.get(path))
          client.close()
        }
        XCTAssertEqual(try RawClient(server).get("/free").content, "free", path)
      }
      XCTAssertEqual(server.journal.rejections, [])
    }
  }

  func testAClientThatHasGoneIsForgottenAtOnceAndOneThatHasOnlyEndedItsSideIsNot() throws {
    try withServer { server in
      let gate = StubGate()
      try server.stub(
        StubEndpoint(.get, "/held", .text("free").held(by: gate)),
        StubEndpoint(.get, "/late", .text("late").delayed(by: 3_600)))
      let waiting = try held(1, at: gate, server)[0]
      waiting.endSending()
      // An interim response, which tells a client that has gone from one that waits.
      XCTAssertEqual(try waiting.response(), RawResponse(statusLine: "HTTP/1.1 100 Continue", fields: []))
      let leave: [(RawClient) -> Void] = [{ $0.reset() }, { $0.close() }]
      for leave in leave {
        let gone = try held(3, at: gate, server)
        let late = try RawClient(server)
        try late.send(RawClient.get("/late"))
        eventually("it is recorded") { server.journal.requests.last?.target == "/late" }
        let descriptors = ProcessCounts.openDescriptors
        for client in gone + [late] { leave(client) }
        eventually("\(gate.waiting) wait") { gate.waiting == 1 }
        eventually("\(ProcessCounts.openDescriptors) descriptors") { ProcessCounts.openDescriptors == descriptors - 8 }
      }
      gate.open()
      XCTAssertEqual(try waiting.response().content, "free")
      XCTAssertEqual(server.journal.rejections, [])
    }
  }

  func testAnOldClientThatHasEndedItsSideGetsNoInterimResponse() throws {
    try withServer { server in
      let gate = StubGate()
      try server.stub(StubEndpoint(.get, "/held", .text("free").held(by: gate)))
      let client = try RawClient(server)
      try client.send(RawClient.request("GET /held HTTP/1.0", ["Host: localhost"]))
      eventually("it waits") { gate.waiting == 1 }
      client.endSending()
      try settle(server)
      gate.open()
      XCTAssertEqual(try client.response().statusLine, "HTTP/1.1 200 OK")
    }
  }

  func testAsynchronousClosuresSuspendAndAreCancelledWhenTheirClientsLeave() throws {
    try withServer { server in
      let cancelled = Locked(0)
      func install(_ path: StubPath, _ respond: @escaping StubHandler.AsyncClosure) throws {
        try server.stub(StubEndpoint(.request(.get, path), asyncRespond: respond))
      }
      let started = Locked(0)
      try install("/sleeps") { _ in
        started.withLock { $0 += 1 }
        do {
          try await Task.sleep(for: .seconds(3_600))
        } catch {
          cancelled.withLock { $0 += 1 }
        }
        return .ok
      }
      try install("/echo/:word") { request in
        await Task.yield()
        return .text(request.pathParams["word"] ?? "")
      }
      try install("/throws") { _ in throw CancellationError() }
      // Many more than the pool has threads.
      let sleeping = try (0..<64).map { _ in try RawClient(server) }
      for client in sleeping { try client.send(RawClient.get("/sleeps")) }
      eventually("\(started.withLock { $0 }) sleep") { started.withLock { $0 } == 64 }
      let client = try RawClient(server)
      XCTAssertEqual(try client.get("/echo/a%20b").content, "a b")
      XCTAssertEqual(try client.get("/throws").status, 500)
      for (index, client) in sleeping.prefix(32).enumerated() { index % 2 == 0 ? client.reset() : client.close() }
      eventually("\(cancelled.withLock { $0 }) are cancelled") { cancelled.withLock { $0 } == 32 }
      server.stop()
      eventually("\(cancelled.withLock { $0 }) are cancelled") { cancelled.withLock { $0 } == 64 }
    }
  }

  func testPiecesKeepToTheirTimesHoweverManyTheyAre() throws {
    try withServer { server in
      try server.stub(
        StubEndpoint(.get, "/", .text(String(repeating: "a", count: 9_000)).dribbled(over: 0.5, pieces: 9_000)))
      let start = ContinuousClock.now
      XCTAssertEqual(try RawClient(server).get("/").content.utf8.count, 9_000)
      let time = ContinuousClock.now - start
      XCTAssertGreaterThanOrEqual(time, .milliseconds(500))
      // One wait per piece, of a millisecond at least, would be 9 s.
      XCTAssertLessThan(time, .seconds(6))
    }
  }

  func testAnEarlyFaultAffectsABodyThatIsTooLarge() throws {
    for position in [HTTPFault.Position.requestHead, .requestBody] {
      for framing in ["Content-Length: 2000", "Transfer-Encoding: chunked"] {
        try withServer(TrackingServer.Configuration(limits: TrackingServer.Limits(body: 1_000))) { server in
          try server.stub(StubEndpoint(.post, "/upload", .fault(HTTPFault(.reset, at: position))))
          let client = try RawClient(server)
          let body = String(repeating: "a", count: 2_000)
          let framed = framing.hasPrefix("C") ? body : "7d0\r\n\(body)\r\n0\r\n\r\n"
          // At once: a second send could be told of the reset in place of the read below.
          try client.send(RawClient.request("POST /upload HTTP/1.1", ["Host: localhost", framing]) + framed)
          XCTAssertEqual(try client.readToEnd().end, .reset, "\(position), \(framing)")
          XCTAssertEqual(
            server.journal.requests.map { "\($0)" },
            ["POST /upload -> no response by POST /upload, reset at \(position)"], "\(position), \(framing)")
          XCTAssertEqual(server.journal.rejections, [])
        }
      }
    }
  }

  private static func text(_ client: RawClient, atMost count: Int) throws -> String {
    String(decoding: try client.readToEnd(atMost: count).bytes, as: UTF8.self)
  }
}
