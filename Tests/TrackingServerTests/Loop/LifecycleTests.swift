import TestSupport
import TrackingSockets

@testable import TrackingServer

/// One test for each odd order of a server's life.
final class LifecycleTests: ServerTestCase {
  func testAStartedServerRespondsOnBothAddressesOfOnePort() throws {
    try withServer { server in
      let url = try XCTUnwrap(server.endpoint).url
      XCTAssertEqual(url.absoluteString, "http://\(SocketAddress(.preferred, port: UInt16(url.port ?? 0)))")
      for family in SocketAddress.Host.available {
        XCTAssertEqual(try RawClient(server, family).post(#"{"name":"a"}"#).status, 204)
      }
      XCTAssertEqual(server.journal.events.count, SocketAddress.Host.available.count)
    }
  }

  func testStartTwiceIsStartOnce() throws {
    try withServer { server in
      let endpoint = server.endpoint
      try server.start()
      XCTAssertEqual(server.endpoint, endpoint)
      XCTAssertEqual(try RawClient(server).post(#"{"name":"a"}"#).status, 204)
    }
  }

  func testStopTwiceIsStopOnce() throws {
    try withServer { server in
      server.stop()
      XCTAssertNil(server.endpoint)
      server.stop()
      XCTAssertNil(server.endpoint)
    }
  }

  func testStopWithoutStartDoesNothing() {
    let server = TrackingServer()
    server.stop()
    XCTAssertNil(server.endpoint)
  }

  func testStopFromSeveralThreadsReturnsOnEachWithThePortClosed() throws {
    try leavingNothingBehind {
      let server = TrackingServer()
      try server.start()
      let port = UInt16(server.endpoint!.url.port!)
      try onThreads(8) { _ in
        server.stop()
        XCTAssertNil(server.endpoint)
        XCTAssertThrowsError(try RawClient(port: port)) {
          XCTAssertEqual($0 as? RawClient.Failure, .cannotConnect(errno: ECONNREFUSED))
        }
      }
    }
  }

  func testStartsAndStopsMayRace() throws {
    try leavingNothingBehind {
      let server = TrackingServer()
      try server.start()
      let port = server.endpoint?.url.port
      try onThreads(4) { index in
        for round in 0..<25 {
          if (index + round) % 2 == 0 {
            XCTAssertNoThrow(try server.start())
          } else {
            server.stop()
          }
        }
      }
      try server.start()
      XCTAssertEqual(server.endpoint?.url.port, port)
      XCTAssertEqual(try RawClient(server).post(#"{"name":"a"}"#).status, 204)
      server.stop()
    }
  }

  func testARestartKeepsPortSessionJournalAndWhatWasSentBefore() throws {
    try withServer { server in
      let endpoint = server.endpoint
      let fields = ["Tracking-Session: \(endpoint!.session!)", "Tracking-Launch: p.1", "Tracking-Sequence: 1"]
      let request = RawClient.post(#"{"name":"a"}"#, fields)
      XCTAssertEqual(try RawClient(server).exchange(request).status, 204)
      server.stop()
      try server.start()
      XCTAssertEqual(server.endpoint, endpoint)
      XCTAssertEqual(try RawClient(server).exchange(request).status, 204)
      XCTAssertEqual(server.journal.events.map(\.event.name), ["a"])
    }
  }

  func testATakenPortIsAnErrorThatNamesItAndTheWayOut() throws {
    try withServer { server in
      let port = UInt16(server.endpoint!.url.port!)
      let second = TrackingServer(configuration: .init(port: port))
      XCTAssertThrowsError(try second.start()) { error in
        XCTAssertEqual(
          (error as? TrackingServerError)?.reason,
          .portTaken(port: port, address: "\(SocketAddress(.preferred, port: port))", errno: EADDRINUSE))
        assertText(
          "\(error)",
          """
          port \(port) is already in use (bind on \(SocketAddress(.preferred, port: port)), errno \(EADDRINUSE)); use port 0 to let the system \
          choose
          """)
        XCTAssertEqual(error.localizedDescription, "\(error)")
      }
      XCTAssertNil(second.endpoint)
    }
  }

  func testAPortTakenOnTheIPv4AddressAloneIsTaken() throws {
    try leavingNothingBehind {
      let other = try Socket.listening(on: SocketAddress(.ipv4, port: 0))
      defer { other.close() }
      let port = try other.localPort()
      let server = TrackingServer(configuration: .init(port: port))
      XCTAssertThrowsError(try server.start()) {
        XCTAssertEqual(
          ($0 as? TrackingServerError)?.reason, .portTaken(port: port, address: "127.0.0.1:\(port)", errno: EADDRINUSE))
      }
    }
  }

  func testARestartWhosePortIsLostNamesIt() throws {
    let server = TrackingServer()
    try server.start()
    let port = UInt16(server.endpoint!.url.port!)
    server.stop()
    let thief = try Socket.listening(on: SocketAddress(.preferred, port: port))
    XCTAssertThrowsError(try server.start()) { error in
      XCTAssertEqual(
        (error as? TrackingServerError)?.reason,
        .portLost(port: port, address: "\(SocketAddress(.preferred, port: port))", errno: EADDRINUSE))
      assertText(
        "\(error)",
        """
        port \(port), which this server had before it was stopped, is now in use by another process (bind on \
        \(SocketAddress(.preferred, port: port)), errno \(EADDRINUSE)); start a new server
        """)
    }
    XCTAssertNil(server.endpoint)
    thief.close()
    // The port is remembered: once it is free, the same server has it again.
    try server.start()
    XCTAssertEqual(server.endpoint?.url.port, Int(port))
    server.stop()
  }

  func testABindThatTheSandboxForbidsSaysWhichSettingAllowsIt() {
    for (call, address) in [("bind", "[::1]:0"), ("listen", "127.0.0.1:8080")] {
      let error = TrackingServerError(.call(call, errno: EPERM, address: address), port: 0, isRestart: false)
      XCTAssertEqual(error.reason, .systemCall(call, address: address, errno: EPERM))
      assertText(
        "\(error)",
        """
        \(call) on \(address) failed: Operation not permitted (errno \(EPERM)); a sandbox keeps this process from listening. Xcode's runner of \
        macOS UI tests is in the App Sandbox: set ENABLE_INCOMING_NETWORK_CONNECTIONS = YES for the UI-test target, or give it an \
        entitlements file with com.apple.security.app-sandbox, com.apple.security.network.client and \
        com.apple.security.network.server
        """)
    }
    XCTAssertEqual(
      "\(TrackingServerError(.systemCall("socket", address: nil, errno: EPERM)))",
      "socket failed: Operation not permitted (errno \(EPERM))")
  }

  func testASessionThatCannotStandInAFieldIsRefusedAtStart() {
    for session in ["", "a b", "a=b", "a\r\nb", "ä"] {
      let server = TrackingServer(configuration: .init(session: session))
      XCTAssertThrowsError(try server.start()) { error in
        XCTAssertEqual((error as? TrackingServerError)?.reason, .invalidSession(session))
        XCTAssertEqual(
          "\(error)",
          "the session \"\(session)\" can't be sent in a header field; use letters, digits, \"-\", \".\" and \"_\"")
      }
    }
  }

  func testAStartWithoutDescriptorsLeftIsAnErrorAndLeavesNothingBehind() throws {
    try leavingNothingBehind {
      let table = try FullDescriptorTable(leaving: 0)
      defer { table.release() }
      // Each start gets a little further before it fails: a socket for each family of addresses, then a pipe with two ends.
      let sockets = SocketAddress.Host.available.count
      for available in 0..<(sockets + 2) {
        let server = TrackingServer()
        XCTAssertThrowsError(try server.start()) { error in
          let call = available < sockets ? "socket" : "pipe"
          XCTAssertEqual(
            (error as? TrackingServerError)?.reason, .systemCall(call, address: nil, errno: EMFILE), "\(available)")
          XCTAssertEqual("\(error)", "\(call) failed: Too many open files (errno \(EMFILE))")
        }
        table.release(1)
      }
      let server = TrackingServer()
      try server.start()
      server.stop()
    }
  }

  func testARunningServerThatIsLetGoStops() throws {
    try leavingNothingBehind {
      var server: TrackingServer? = TrackingServer()
      try server?.start()
      let client = try RawClient(server!)
      try client.post(#"{"name":"a"}"#)
      server = nil
      XCTAssertEqual(try client.readToEnd(), "")
    }
  }

  func testAServerThatIsLetGoOnItsOwnThreadStops() throws {
    try leavingNothingBehind {
      let (client, reference) = try clientOfAServerThatOnlyAWaiterHolds()
      XCTAssertNotNil(reference.server)
      try client.send(RawClient.post(#"{"name":"a"}"#))
      _ = try client.readToEnd()
      XCTAssertNil(reference.server)
    }
  }

  func testAServerStoppedOnItsOwnThreadCanBeStartedAgain() throws {
    try leavingNothingBehind {
      let server = TrackingServer()
      try server.start()
      let port = server.endpoint?.url.port
      guard case .none = server.journal.news(from: 1, orWake: { server.stop() }) else { return XCTFail("no news yet") }
      let client = try RawClient(server)
      try client.send(RawClient.post(#"{"name":"a"}"#))
      _ = try client.readToEnd()
      XCTAssertNil(server.endpoint)
      try server.start()
      XCTAssertEqual(server.endpoint?.url.port, port)
      XCTAssertEqual(try RawClient(server).post(#"{"name":"b"}"#).status, 204)
      XCTAssertEqual(server.journal.events.map(\.event.name), ["a", "b"])
      server.stop()
    }
  }

  func testStopDoesNotWaitForClients() throws {
    try leavingNothingBehind {
      let server = TrackingServer()
      try server.start()
      let silent = try RawClient(server)
      let midHead = try RawClient(server)
      try midHead.send("POST / HTT")
      let midBody = try RawClient(server)
      try midBody.send("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{")
      let midResponse = try RawClient(server)
      midResponse.takeLittle()
      let request = Array(String(repeating: "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", count: 1_000).utf8)
      while midResponse.sendWhatFits(request, rounds: 100), midResponse.socket.wait(for: Int32(POLLOUT), until: .now) {}
      let refused = try RawClient(server)
      XCTAssertEqual(try refused.exchange("BAD\r\n\r\n").status, 400)
      try RawClient(server).post(#"{"name":"a"}"#)
      server.stop()
      for client in [silent, midHead, midBody, refused] {
        XCTAssertEqual(try client.readToEnd(), "")
      }
      XCTAssertEqual(server.journal.events.map(\.event.name), ["a"])
    }
  }

  func testAThousandStartsAndStopsLeaveNothingBehind() throws {
    try leavingNothingBehind {
      for round in 0..<1_000 {
        let server = TrackingServer()
        try server.start()
        if round % 10 == 0 { XCTAssertEqual(try RawClient(server).post(#"{"name":"a"}"#).status, 204) }
        server.stop()
      }
    }
  }

  func testAThousandRestartsOfOneServerKeepItsPort() throws {
    try leavingNothingBehind {
      let server = TrackingServer()
      try server.start()
      let endpoint = server.endpoint
      for _ in 0..<1_000 {
        server.stop()
        try server.start()
      }
      XCTAssertEqual(server.endpoint, endpoint)
      server.stop()
    }
  }

  func testLimitsWithoutMeaningDoNotTrap() throws {
    let least = TrackingServer.Limits(
      requestHead: .min, fieldCount: .min, body: .min, connections: .min, requestTimeout: -.infinity, idleTimeout: .nan,
      jsonDepth: .min, journalEvents: .min, journalBodyBytes: .min, rejectedBodyBytes: .min)
    try withServer(.init(limits: least)) { server in
      let response = try RawClient(server).response()
      XCTAssertEqual(response.status, 503)
    }
    let most = TrackingServer.Limits(
      requestHead: .max, fieldCount: .max, body: .max, connections: .max, requestTimeout: .infinity,
      idleTimeout: .infinity, jsonDepth: .max, journalEvents: .max, journalBodyBytes: .max, rejectedBodyBytes: .max)
    try withServer(.init(limits: most)) { server in
      let client = try RawClient(server)
      XCTAssertEqual(try client.post(#"{"name":"a"}"#).status, 204)
      let deep = String(repeating: "[", count: 100_000)
      // The depth goes no further than the stack of the server's thread.
      let response = try client.post(#"{"name":"a","params":{"p":\#(deep)"#)
      XCTAssertTrue(response.content.contains("nested deeper than 2048"), response.content)
      XCTAssertEqual(try client.exchange("X\r\n\r\n").status, 400)
    }
  }

  private final class WeakReference {
    weak var server: TrackingServer?
    init(_ server: TrackingServer) { self.server = server }
  }

  private func clientOfAServerThatOnlyAWaiterHolds() throws -> (RawClient, WeakReference) {
    let server = TrackingServer()
    try server.start()
    guard case .none = server.journal.news(from: 1, orWake: { _ = server.endpoint }) else {
      throw RawClient.Failure.notAResponse("there is nothing new yet")
    }
    return (try RawClient(server), WeakReference(server))
  }
}
