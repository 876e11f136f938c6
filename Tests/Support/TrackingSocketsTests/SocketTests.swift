import TestSupport

@testable import TrackingSockets

final class SocketTests: XCTestCase {
  /// Two ends of a connection.
  private func pair() throws -> (client: Socket, server: Socket) {
    let listener = try Listener(port: 0)
    defer { listener.close() }
    let client = try Socket.connected(to: listener.address, until: soon)
    XCTAssertTrue(listener.sockets[0].wait(for: Int32(POLLIN), until: soon))
    return (client, try XCTUnwrap(try listener.sockets[0].accept()))
  }

  private func receive(from socket: Socket) -> Socket.Transfer {
    var space = [UInt8](repeating: 0, count: 100)
    return space.withUnsafeMutableBytes(socket.receive)
  }

  private func send(_ count: Int, to socket: Socket) -> Socket.Transfer {
    [UInt8](repeating: 1, count: count).withUnsafeBytes(socket.send)
  }

  func testBytesGoBothWays() throws {
    let (client, server) = try pair()
    defer {
      client.close()
      server.close()
    }
    XCTAssertEqual(receive(from: server), .wouldBlock)
    XCTAssertEqual(send(3, to: client), .bytes(3))
    XCTAssertTrue(server.wait(for: Int32(POLLIN), until: soon))
    XCTAssertEqual(receive(from: server), .bytes(3))
    XCTAssertEqual(send(2, to: server), .bytes(2))
    XCTAssertTrue(client.wait(for: Int32(POLLIN), until: soon))
    XCTAssertEqual(receive(from: client), .bytes(2))
  }

  func testSendingNeverBlocks() throws {
    let (client, server) = try pair()
    defer {
      client.close()
      server.close()
    }
    while case .bytes = send(65_536, to: client) {}
    XCTAssertEqual(send(65_536, to: client), .wouldBlock)
    XCTAssertFalse(client.wait(for: Int32(POLLOUT), until: .now), "a deadline that is over")
  }

  func testWhatThePeerHasNotConfirmedIsCounted() throws {
    let (client, server) = try pair()
    defer {
      client.close()
      server.close()
    }
    XCTAssertEqual(client.unacknowledgedCount, 0)
    while case .bytes = send(65_536, to: client) {}
    XCTAssertGreaterThan(client.unacknowledgedCount, 0)
    let deadline = soon
    while client.unacknowledgedCount > 0 {
      guard ContinuousClock.now < deadline else { return XCTFail("\(client.unacknowledgedCount) bytes never arrive") }
      _ = server.wait(for: Int32(POLLIN), until: .now + .milliseconds(5))
      while case .bytes = receive(from: server) {}
    }
  }

  func testAHalfClosedConnectionStillCarriesTheOtherHalf() throws {
    let (client, server) = try pair()
    defer {
      client.close()
      server.close()
    }
    client.shutdownWriting()
    XCTAssertTrue(server.wait(for: Int32(POLLIN), until: soon))
    XCTAssertEqual(receive(from: server), .closed)
    XCTAssertEqual(send(4, to: server), .bytes(4))
    XCTAssertTrue(client.wait(for: Int32(POLLIN), until: soon))
    XCTAssertEqual(receive(from: client), .bytes(4))
  }

  func testAPeerThatIsGoneIsAnErrorAndNoSignal() throws {
    let (client, server) = try pair()
    defer { client.close() }
    XCTAssertEqual(send(1, to: client), .bytes(1))
    XCTAssertTrue(server.wait(for: Int32(POLLIN), until: soon))
    server.close()  // with bytes that were not read: a reset
    XCTAssertTrue(client.wait(for: Int32(POLLIN), until: soon))
    XCTAssertEqual(receive(from: client), .failed(errno: ECONNRESET))
    // SIGPIPE, if it were raised, would end this process here.
    for _ in 1...3 { XCTAssertEqual(send(1, to: client), .closed) }
  }

  func testAPortWithoutAServerRefuses() throws {
    let port = try freePort()
    for family in SocketAddress.Host.available {
      let address = SocketAddress(family, port: port)
      let before = ProcessCounts.openDescriptors
      XCTAssertThrowsError(try Socket.connected(to: address, until: soon)) {
        XCTAssertEqual($0 as? SocketError, .call("connect", errno: ECONNREFUSED, address: "\(address)"))
      }
      XCTAssertLessThanOrEqual(ProcessCounts.openDescriptors, before)
    }
  }

  func testASocketThatReachedItselfIsNoticed() throws {
    for family in SocketAddress.Host.available {
      // The system may by chance give a client the very port that it connects to; here this is done on purpose.
      let descriptor = socket(family == .ipv6 ? AF_INET6 : AF_INET, Socket.streamType, 0)
      let itself = Socket(descriptor: descriptor)
      defer { itself.close() }
      XCTAssertEqual(SocketAddress(family, port: 0).withSystemAddress { bind(descriptor, $0, $1) }, 0)
      let address = SocketAddress(family, port: try itself.localPort())
      XCTAssertFalse(itself.isConnectedToItself)
      XCTAssertEqual(address.withSystemAddress { connect(descriptor, $0, $1) }, 0)
      XCTAssertTrue(itself.isConnectedToItself)
    }
    let (client, server) = try pair()
    XCTAssertFalse(client.isConnectedToItself)
    XCTAssertFalse(server.isConnectedToItself)
    client.close()
    server.close()
  }

  func testEveryDescriptorIsClosedInChildProcesses() throws {
    let listener = try Listener(port: 0)
    let (client, server) = try pair()
    let pipe = try WakePipe()
    let all = listener.sockets.map(\.descriptor) + [client.descriptor, server.descriptor, pipe.readDescriptor]
    for descriptor in all {
      XCTAssertEqual(fcntl(descriptor, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC)
      XCTAssertEqual(fcntl(descriptor, F_GETFL) & O_NONBLOCK, O_NONBLOCK)
    }
    // A child that lists its descriptors has none of these.
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/ls")
    process.arguments = ["/dev/fd"]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let inherited = Set(text.split(separator: "\n").compactMap { Int32($0) })
    XCTAssertFalse(inherited.isEmpty)
    XCTAssertTrue(inherited.filter { $0 > 5 }.isDisjoint(with: all.filter { $0 > 5 }), "\(inherited) \(all)")
    pipe.close()
    listener.close()
    client.close()
    server.close()
  }

  func testDescriptorsEndWhereTheyBegan() throws {
    let before = ProcessCounts.openDescriptors
    for _ in 1...500 {
      let (client, server) = try pair()
      client.close()
      server.close()
      try WakePipe().close()
      _ = try WakePipe()
    }
    XCTAssertLessThanOrEqual(ProcessCounts.openDescriptors, before)
  }

  func testAcceptingWithoutADescriptorLeftIsAnErrorThatSaysSo() throws {
    let listener = try Listener(port: 0)
    defer { listener.close() }
    let client = try Socket.connected(to: listener.address, until: soon)
    defer { client.close() }
    XCTAssertTrue(listener.sockets[0].wait(for: Int32(POLLIN), until: soon))
    let limit = DescriptorLimit.current
    DescriptorLimit.current = 0
    let result = Result { try listener.sockets[0].accept() }
    DescriptorLimit.current = limit
    XCTAssertThrowsError(try result.get()) {
      XCTAssertEqual($0 as? SocketError, .call("accept", errno: EMFILE))
    }
    let accepted = try XCTUnwrap(try listener.sockets[0].accept(), "the connection is still there")
    accepted.close()
  }
}
