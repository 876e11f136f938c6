import Dispatch
import TestSupport
import TrackingSockets

@testable import TrackingServer

/// Many clients and misbehaving ones: an ordinary client still gets its responses, and no resource is leaked.
final class LoadTests: ServerTestCase {
  private let event = #"{"name":"a"}"#

  func testTwoHundredSlowSendersAllGetResponses() throws {
    try besideAnOrdinaryClient { server, ordinary in
      let clients = try (0..<200).map { _ in try RawClient(server) }
      let bytes = Array(RawClient.post(event).utf8)
      for (index, byte) in bytes.enumerated() {
        for client in clients { try client.send([byte]) }
        if index.isMultiple(of: 10) { try ordinary() }
      }
      for client in clients { XCTAssertEqual(try client.response().status, 204) }
    }
  }

  func testAThousandIdleConnectionsAndOneMore() throws {
    let limitBefore = DescriptorLimit.current
    defer { DescriptorLimit.current = limitBefore }
    DescriptorLimit.current = max(limitBefore, 4_096)
    try besideAnOrdinaryClient { server, ordinary in
      let idle = try (0..<1_023).map { _ in try RawClient(server) }
      // Each was taken: the last ones in line get their responses.
      try idle[0].post(event)
      try idle[1_022].post(event)
      let refused = try RawClient(server)
      let response = try refused.response()
      XCTAssertEqual(response.statusLine, "HTTP/1.1 503 Service Unavailable")
      XCTAssertEqual(response.field("Connection"), "close")
      XCTAssertEqual(
        response.content,
        "{\"error\":\"more than 1024 connections are open; raise limits.connections or close some\"}\n")
      XCTAssertEqual(try refused.readToEnd(), "")
      refused.close()
      try ordinary()
      idle[500].close()
      // Its place is free a moment later.
      var served = false
      eventually("a place is free") {
        served = served || (try? RawClient(server).post(event).status) == 204
        return served
      }
    }
  }

  func testMoreRefusedConnectionsThanAreHeldWaitAndAreRefused() throws {
    try leavingNothingBehind {
      try withServer(.init(limits: .init(connections: 2))) { server in
        let first = try RawClient(server)
        let second = try RawClient(server)
        try first.post(event)
        try second.post(event)
        // More than may linger at one time: each that has read its refusal makes room.
        let crowd = try (0..<60).map { _ in try RawClient(server) }
        for client in crowd {
          XCTAssertEqual(try client.response().status, 503)
          client.close()
        }
        try first.post(event)
        second.close()
        var served = false
        eventually("a place is free") {
          served = served || (try? RawClient(server).post(event).status) == 204
          return served
        }
      }
    }
  }

  func testStormsOfConnectionsThatComeAndGo() throws {
    try besideAnOrdinaryClient { server, ordinary in
      for round in 0..<400 {
        let client = try RawClient(server)
        if round.isMultiple(of: 3) { client.reset() } else { client.close() }
        if round.isMultiple(of: 40) { try ordinary() }
      }
    }
  }

  func testResetsAtEveryPointOfARequest() throws {
    try besideAnOrdinaryClient { server, ordinary in
      let bytes = Array(RawClient.post(event, ["Expect: 100-continue"]).utf8)
      for end in 0...bytes.count {
        let client = try RawClient(server)
        try client.send(Array(bytes[..<end]))
        client.reset()
        if end.isMultiple(of: 20) { try ordinary() }
      }
    }
  }

  func testResetsInTheMiddleOfResponses() throws {
    try besideAnOrdinaryClient { server, ordinary in
      let requests = Array(String(repeating: RawClient.request("GET / HTTP/1.1", ["Host: localhost"]), count: 200).utf8)
      for round in 0..<20 {
        let client = try RawClient(server)
        client.takeLittle()
        _ = client.sendWhatFits(requests, rounds: 20)
        if round.isMultiple(of: 2) { _ = try client.response() }
        client.reset()
        try ordinary()
      }
    }
  }

  func testClientsThatNeverReadDoNotHoldUpOthersNorTakeMemoryWithoutEnd() throws {
    try besideAnOrdinaryClient { server, ordinary in
      let requests = Array(String(repeating: RawClient.request("GET / HTTP/1.1", ["Host: localhost"]), count: 100).utf8)
      let clients = try (0..<3).map { _ in try RawClient(server) }
      for client in clients { client.takeLittle() }
      for client in clients {
        // The server stops reading from a client that does not read, so that sending comes to a halt.
        var isHeldUp = false
        for _ in 0..<10_000 where !isHeldUp {
          XCTAssertTrue(client.sendWhatFits(requests, rounds: 10))
          isHeldUp = !client.socket.wait(for: Int32(POLLOUT), until: .now + .milliseconds(50))
        }
        XCTAssertTrue(isHeldUp)
        try ordinary()
      }
    }
  }

  func testARequestGetsItsResponseBeforeTheFloodOfAnotherClientIsThrough() throws {
    try withServer { server in
      let (flooding, ordinary) = (try RawClient(server), try RawClient(server))
      try flooding.post(event)
      try ordinary.post(event)
      let count = Connection.mostResponses * 5 + 1
      // Both have sent requests before the server looks at either.
      try whileItsThreadWaits(server, woken: RawClient(server)) {
        try flooding.send(String(repeating: RawClient.post(#"{"name":"flood"}"#), count: count))
        flooding.endSending()
        try ordinary.send(RawClient.post(#"{"name":"ordinary"}"#))
      }
      // Nothing more comes on its socket that would remind the server of what it has.
      for _ in 0..<count { XCTAssertEqual(try flooding.response().status, 204) }
      XCTAssertEqual(try ordinary.response().status, 204)
      XCTAssertEqual(try flooding.readToEnd(), "")
      let names = server.journal.events.dropFirst(3).map(\.event.name)
      XCTAssertEqual(names.count, count + 1)
      let place = try XCTUnwrap(names.firstIndex(of: "ordinary"))
      XCTAssertLessThanOrEqual(place, Connection.mostResponses)
    }
  }

  func testManyRequestsForMuchGetResponsesOnlyAsFastAsTheResponsesAreTaken() throws {
    try withServer { server in
      let size = 1 << 20
      try server.stub(StubEndpoint(.get, "/much", .data(Data(count: size), type: "application/octet-stream")))
      let client = try RawClient(server)
      client.takeLittle()
      let count = 100
      try client.send(String(repeating: RawClient.get("/much"), count: count))
      try settle(server)
      // The server has responded to only as many requests as the system's buffers hold, and one more.
      XCTAssertLessThan(server.journal.requests.count, count / 2)
      for _ in 0..<count { XCTAssertEqual(try client.response().content.utf8.count, size) }
      XCTAssertEqual(server.journal.requests.count, count)
    }
  }

  /// Holds the server's thread in what wakes a waiter for as long as the body runs.
  private func whileItsThreadWaits(
    _ server: TrackingServer, woken client: RawClient, _ body: () throws -> Void
  ) throws {
    let (isThere, mayGo) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    _ = server.journal.news(from: server.journal.mark().entry) {
      isThere.signal()
      mayGo.wait()
    }
    defer { mayGo.signal() }
    try client.send(RawClient.post(event))
    isThere.wait()
    try body()
  }

  func testAFullDescriptorTablePausesAcceptingAndRecovers() throws {
    try besideAnOrdinaryClient { server, ordinary in
      let table = try FullDescriptorTable(leaving: 1)
      defer { table.release() }
      // The client takes the last descriptor; the server has none to accept it with.
      let first = try RawClient(server)
      try first.send(RawClient.post(event))
      for _ in 0..<20 { try ordinary() }
      XCTAssertEqual(server.journal.connections, 1)
      table.release(1)
      XCTAssertEqual(try first.response().status, 204)
      table.release(1)
      let second = try RawClient(server)
      try second.send(RawClient.post(event))
      for _ in 0..<20 { try ordinary() }
      XCTAssertEqual(server.journal.connections, 2)
      // The descriptor that another client releases goes to the waiting client.
      first.close()
      XCTAssertEqual(try second.response().status, 204)
    }
  }

  func testABodyAtItsLimitAndOneBeyond() throws {
    let limit = 8 << 20
    try besideAnOrdinaryClient(.init(limits: .init(body: limit))) { server, ordinary in
      let client = try RawClient(server)
      try client.send("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(limit)\r\n\r\n{\"name\":\"")
      let piece = [UInt8](repeating: UInt8(ascii: "a"), count: 1 << 20)
      var left = limit - 11
      while left > 0 {
        try client.send(Array(piece.prefix(left)))
        left -= min(left, piece.count)
        try ordinary()
      }
      try client.send("\"}")
      XCTAssertEqual(try client.response().status, 204)
      let last = server.journal.events.last { $0.connection == 2 }
      XCTAssertEqual(last?.event.name.utf8.count, limit - 11)
      let response = try client.exchange(
        "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(limit + 1)\r\n\r\n")
      XCTAssertEqual(response.status, 413)
    }
  }

  func testAJournalOfManyEventsIsReadInOrder() throws {
    try besideAnOrdinaryClient { server, ordinary in
      let client = try RawClient(server)
      for batch in 0..<50 {
        let events = (0..<100).map { #"{"name":"\#(batch * 100 + $0)"}"# }
        XCTAssertEqual(try client.post("[\(events.joined(separator: ","))]").status, 204)
      }
      let names = server.journal.events.filter { $0.connection == 2 }.map(\.event.name)
      XCTAssertEqual(names, (0..<5_000).map { "\($0)" })
    }
  }

  /// Runs a load and an ordinary client beside it, which posts an event and gets a response whenever the load tells it to, and behind the load.
  ///
  /// Afterwards every event of the ordinary client was recorded, and the process has as many descriptors and threads as before.
  private func besideAnOrdinaryClient(
    _ configuration: TrackingServer.Configuration = .init(), _ load: (TrackingServer, () throws -> Void) throws -> Void
  ) throws {
    try leavingNothingBehind {
      try withServer(configuration) { server in
        let client = try RawClient(server)
        var count = 0
        let ordinary = {
          count += 1
          XCTAssertEqual(try client.post(#"{"name":"ordinary"}"#).status, 204)
        }
        try ordinary()
        try load(server, ordinary)
        try ordinary()
        XCTAssertEqual(server.journal.events.count { $0.event.name == "ordinary" }, count)
      }
    }
  }
}
