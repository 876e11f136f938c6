import TestSupport

@testable import TrackingSockets

final class ListenerTests: XCTestCase {
  func testBothAddressesListenOnOnePort() throws {
    let listener = try Listener(port: 0)
    defer { listener.close() }
    XCTAssertEqual(listener.sockets.count, SocketAddress.Host.available.count)
    XCTAssertEqual(listener.address.host, .preferred)
    XCTAssertGreaterThan(listener.address.port, 0)
    for (socket, family) in zip(listener.sockets, SocketAddress.Host.available) {
      XCTAssertEqual(try socket.localPort(), listener.address.port)
      let client = try Socket.connected(to: SocketAddress(family, port: listener.address.port), until: soon)
      defer { client.close() }
      XCTAssertTrue(socket.wait(for: Int32(POLLIN), until: soon))
      let accepted = try XCTUnwrap(try socket.accept())
      defer { accepted.close() }
      XCTAssertEqual(try accepted.remotePort(), try client.localPort())
      XCTAssertNil(try socket.accept())
    }
  }

  func testAFixedPortIsTheOneThatListens() throws {
    let port = try freePort()
    let listener = try Listener(port: port)
    defer { listener.close() }
    XCTAssertEqual(listener.address, SocketAddress(.preferred, port: port))
  }

  func testAFixedPortTakenOnEitherAddressIsAnErrorWithTheAddress() throws {
    for family in SocketAddress.Host.available {
      let taken = try Socket.listening(on: SocketAddress(family, port: 0))
      defer { taken.close() }
      let address = SocketAddress(family, port: try taken.localPort())
      let before = ProcessCounts.openDescriptors
      XCTAssertThrowsError(try Listener(port: address.port)) { error in
        XCTAssertEqual(error as? SocketError, .call("bind", errno: EADDRINUSE, address: "\(address)"))
        XCTAssertEqual("\(error)", "bind on \(address) failed: Address already in use (errno \(EADDRINUSE))")
      }
      XCTAssertLessThanOrEqual(ProcessCounts.openDescriptors, before, "the other address is not left behind")
    }
  }

  func testAPortIsFreeAgainAfterItsConnectionsWereClosed() throws {
    let port = try freePort()
    for _ in 1...20 {
      let listener = try Listener(port: port)
      let client = try Socket.connected(to: listener.address, until: soon)
      XCTAssertTrue(listener.sockets[0].wait(for: Int32(POLLIN), until: soon))
      let accepted = try XCTUnwrap(try listener.sockets[0].accept())
      // This side closes first and so keeps the connection in TIME_WAIT.
      accepted.close()
      listener.close()
      client.close()
    }
  }

  func testTheSystemsChoiceHoldsForBothAddressesTwoThousandTimes() throws {
    let before = ProcessCounts.openDescriptors
    for _ in 1...2_000 {
      let listener = try Listener(port: 0)
      XCTAssertEqual(
        try listener.sockets.map { try $0.localPort() },
        SocketAddress.Host.available.map { _ in listener.address.port })
      listener.close()
    }
    XCTAssertLessThanOrEqual(ProcessCounts.openDescriptors, before)
  }

  func testManyListenersAtOnceHavePortsOfTheirOwn() throws {
    let listeners = try (1...50).map { _ in try Listener(port: 0) }
    XCTAssertEqual(Set(listeners.map(\.address.port)).count, 50)
    for listener in listeners { listener.close() }
  }

  func testOnlyLoopbackNamesAreAddresses() {
    XCTAssertEqual(SocketAddress.named("::1", port: 1).map(\.description), ["[::1]:1"])
    XCTAssertEqual(SocketAddress.named("[::1]", port: 1).map(\.description), ["[::1]:1"])
    XCTAssertEqual(SocketAddress.named("127.0.0.1", port: 65_535).map(\.description), ["127.0.0.1:65535"])
    XCTAssertEqual(SocketAddress.named("LocalHost", port: 1).map(\.description), ["[::1]:1", "127.0.0.1:1"])
    for host in ["", "::", "0.0.0.0", "127.0.0.2", "127.1", "localhost.", "example.com", "::ffff:127.0.0.1"] {
      XCTAssertEqual(SocketAddress.named(host, port: 1), [], host)
    }
  }
}
