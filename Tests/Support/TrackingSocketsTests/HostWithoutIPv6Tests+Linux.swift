#if os(Linux)
  import TestSupport
  @testable import TrackingSockets

  /// The fallback to IPv4 alone, on a host without IPv6: this test process again, in a separate network where IPv6 is switched off.
  final class HostWithoutIPv6Tests: XCTestCase {
    func testIPv4AloneIsServedWhereThereIsNoIPv6() throws {
      guard !OtherHost.isThis else { return try checkWithoutIPv6() }
      try OtherHost.run(
        "TrackingSocketsTests.HostWithoutIPv6Tests/testIPv4AloneIsServedWhereThereIsNoIPv6", with: "--net",
        after: "echo 1 > /proc/sys/net/ipv6/conf/all/disable_ipv6 && ip link set lo up")
    }

    private func checkWithoutIPv6() throws {
      for _ in 1...20 {
        let listener = try Listener(port: 0)
        defer { listener.close() }
        XCTAssertEqual(listener.sockets.count, 1)
        XCTAssertEqual(listener.address.host, .ipv4)
        XCTAssertThrowsError(try Listener(port: listener.address.port)) {
          XCTAssertEqual(
            $0 as? SocketError, .call("bind", errno: EADDRINUSE, address: "127.0.0.1:\(listener.address.port)"))
        }
        let client = try Socket.connected(to: listener.address, until: soon)
        client.close()
        XCTAssertThrowsError(
          try Socket.connected(to: SocketAddress(.ipv6, port: listener.address.port), until: soon))
      }
    }
  }
#endif
