import Foundation
import StubModel
import TestSupport
import TrackerDouble
import TrackingModel
import XCTest

@_spi(TrackingCommand) @testable import TrackingServer
@testable import TrackingSockets

/// Requests by the interface for devices, for which 127.0.0.2 stands: who is admitted, and to what.
final class DeviceTests: ServerTestCase {
  /// A running server that devices can use, and its access.
  private func withDevices(_ body: (TrackingServer, DeviceAccess) throws -> Void) throws {
    let access = try DeviceAccess(interface: "127.0.0.2", of: [])
    var configuration = TrackingServer.Configuration()
    configuration.device = access
    let server = TrackingServer(configuration: configuration)
    do throws(ServerError) {
      try server.start()
    } catch {
      guard case .systemCall(_, _, EADDRNOTAVAIL) = error else { throw error }
      throw XCTSkip("this system has 127.0.0.1 alone")
    }
    defer { server.stop() }
    try body(server, access)
  }

  /// A connection to the interface for devices, from an address of its own.
  private func device(_ server: TrackingServer, from address: String = "127.0.0.3") throws -> RawClient {
    let port = try XCTUnwrap(server.endpoint?.url.port)
    let here = try XCTUnwrap(IPv4Address(address))
    return try RawClient(
      Socket.connecting(to: SocketAddress(.interface(IPv4Address(bits: 0x7F00_0002)), port: UInt16(port)), from: here)
    )
  }

  private func request(
    _ server: TrackingServer, _ target: String, method: String = "POST", host: String? = nil, _ fields: String = "",
    body: String = #"{"name":"tapped"}"#
  ) -> String {
    let host = host ?? "127.0.0.2:\(server.endpoint?.url.port ?? 0)"
    let type = body.isEmpty ? "" : "Content-Type: application/json\r\n"
    return
      "\(method) \(target) HTTP/1.1\r\nHost: \(host)\r\n\(type)\(fields)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
  }

  /// The status of an answer on a connection of its own; `nil` when there was none.
  private func status(_ server: TrackingServer, _ request: String, from address: String = "127.0.0.3") throws -> Int? {
    let client = try device(server, from: address)
    // A server that ignores a stranger closes the connection, which may be before or after the request is sent.
    do { return try client.exchange(request).status } catch is RawClient.Failure { return nil }
  }

  func testThePrintedURLTakesEventsAndSDKsPaths() throws {
    try withDevices { server, access in
      let url = try XCTUnwrap(server.deviceEndpoint?.url)
      XCTAssertEqual(url.absoluteString, "http://127.0.0.2:\(server.endpoint?.url.port ?? 0)/~\(access.token)")
      XCTAssertEqual(access.token.count, 32)
      for target in [url.path, "\(url.path)/", "\(url.path)?a=b"] {
        XCTAssertEqual(try status(server, request(server, target)), 204, target)
      }
      XCTAssertEqual(server.journal.events.map(\.event.name), ["tapped", "tapped", "tapped"])
      // What isn't an event is recorded, with the path that the app meant.
      XCTAssertEqual(try status(server, request(server, "\(url.path)/books?q=1", method: "GET", body: "")), 404)
      XCTAssertEqual(server.journal.requests.map(\.target), ["/books?q=1"])
      XCTAssertEqual(server.journal.requests.map(\.request.path), ["/books"])
    }
  }

  func testAnAddressThatHasUsedTheRightPathOnceIsAdmittedWithoutIt() throws {
    try withDevices { server, access in
      XCTAssertEqual(try status(server, request(server, "/")), 404)
      XCTAssertEqual(try status(server, request(server, "/~\(access.token)/")), 204)
      XCTAssertEqual(try status(server, request(server, "/")), 204)
      XCTAssertEqual(try status(server, request(server, "/"), from: "127.0.0.4"), 404)
      XCTAssertEqual(server.journal.events.count, 2)
    }
  }

  func testAWrongTokenIsAnsweredTenTimesAMinuteAndThenNotAtAll() throws {
    try withDevices { server, access in
      let wrong = [
        "/", "/~", "/~/", "/~\(access.token.dropLast())", "/~\(access.token)0/", "/x~\(access.token)/",
        "/~\(String(access.token.reversed()).uppercased())/", "/books", "/~\(access.token.dropLast())g",
        "//~\(access.token)",
      ]
      for target in wrong { XCTAssertEqual(try status(server, request(server, target)), 404, target) }
      XCTAssertNil(try status(server, request(server, "/~0")))
      // The right one comes too late for this address, and in time for another.
      XCTAssertNil(try status(server, request(server, "/~\(access.token)/")))
      XCTAssertEqual(try status(server, request(server, "/~\(access.token)/"), from: "127.0.0.4"), 204)
      XCTAssertEqual(server.journal.events.count, 1)
      // Strangers leave nothing in the journal.
      XCTAssertEqual(server.journal.requests.count + server.journal.rejections.count, 0)
    }
  }

  func testAnAddressIsAnsweredAgainAfterAMinute() throws {
    let access = try DeviceAccess(interface: "127.0.0.2", of: [])
    let start = ContinuousClock.now
    let seconds = Locked(0)
    let gate = DeviceGate(access, port: 1, now: { start + .seconds(seconds.withLock { $0 }) })
    let peer = IPv4Address(bits: 0x7F00_0003)
    for second in 0..<10 {
      seconds.withLock { $0 = second }
      XCTAssertFalse(gate.ignores(peer))
      gate.noteWrong(peer)
    }
    XCTAssertTrue(gate.ignores(peer))
    seconds.withLock { $0 = 59 }
    XCTAssertTrue(gate.ignores(peer))
    seconds.withLock { $0 = 60 }
    XCTAssertFalse(gate.ignores(peer))
  }

  func testStrangersOfAMinuteAgoLeaveRoomForANewDevice() throws {
    let access = try DeviceAccess(interface: "127.0.0.2", of: [])
    let start = ContinuousClock.now
    let seconds = Locked(0)
    let gate = DeviceGate(access, port: 1, now: { start + .seconds(seconds.withLock { $0 }) })
    let device = IPv4Address(bits: 0x0A01_0000)
    for number in 0..<1_000 { gate.noteWrong(IPv4Address(bits: 0x0A00_0000 + UInt32(number))) }
    XCTAssertTrue(gate.ignores(device))
    seconds.withLock { $0 = 60 }
    XCTAssertFalse(gate.ignores(device))
    gate.noteWrong(device)
    // Its own wrong requests are counted again.
    for _ in 0..<9 { gate.noteWrong(device) }
    XCTAssertTrue(gate.ignores(device))
  }

  func testAStrangerThatHoldsConnectionsLeavesRoomForDevices() throws {
    try withDevices { server, access in
      let held = try (0..<80).map { _ in try device(server) }
      XCTAssertEqual(try status(server, request(server, "/~\(access.token)/"), from: "127.0.0.4"), 204)
      // The device itself may have as many as there are.
      let connections = try (0..<40).map { _ in try device(server, from: "127.0.0.4") }
      for connection in connections { XCTAssertEqual(try connection.exchange(request(server, "/")).status, 204) }
      XCTAssertEqual(held.count, 80)
    }
  }

  func testTheHostIsExactlyThePrintedOneAndOriginsAreRefused() throws {
    try withDevices { server, access in
      let (port, path) = (server.endpoint?.url.port ?? 0, "/~\(access.token)/")
      for host in [
        "localhost:\(port)", "127.0.0.1:\(port)", "127.0.0.2", "127.0.0.2:\(port - 1)", "evil.example:\(port)",
      ] {
        XCTAssertEqual(try status(server, request(server, path, host: host)), 403, host)
      }
      let absolute = "http://127.0.0.2:\(port)\(path)"
      XCTAssertEqual(try status(server, request(server, absolute)), 403)
      XCTAssertEqual(try status(server, request(server, path, "Origin: http://127.0.0.2:\(port)\r\n")), 403)
      XCTAssertEqual(try status(server, request(server, path)), 204)
    }
  }

  private struct Page: HostedPage {
    func answer(_ request: HTTPRequest) -> PageAnswer { .response(PageResponse(status: 200, fields: [], body: [])) }
  }

  func testTheInspectorIsForLoopbackAlone() throws {
    try withDevices { server, access in
      server.page.page.withLock { $0 = Page() }
      let loopback = try RawClient(server)
      XCTAssertEqual(try loopback.exchange("GET /-tracking/ HTTP/1.1\r\nHost: localhost\r\n\r\n").status, 200)
      for path in ["/-tracking/", "/-tracking/feed", "/-tracking"] {
        for target in ["/~\(access.token)\(path)", path] {
          XCTAssertEqual(try status(server, request(server, target, method: "GET", body: "")), 404, target)
        }
      }
    }
  }

  private final class Upstream: Backend {
    let hosts: [String] = []
    func answer(_ request: HTTPRequest) -> BackendAnswer { .failure("asked") }
    func skip(_ request: HTTPRequest) {}
    func reset() {}
    func finish(hasFailed: Bool) {}
  }

  func testNoDeviceReachesARealBackend() throws {
    try withDevices { server, access in
      server.backend.backend.withLock { $0 = Upstream() }
      let loopback = try RawClient(server)
      XCTAssertEqual(try loopback.exchange("GET /books HTTP/1.1\r\nHost: localhost\r\n\r\n").status, 502)
      let target = "/~\(access.token)/books"
      XCTAssertEqual(try status(server, request(server, target, method: "GET", body: "")), 404)
    }
  }

  func testTheBodyOfAStrangerIsNotRead() throws {
    try withDevices { server, _ in
      let client = try device(server)
      try client.send(
        "POST / HTTP/1.1\r\nHost: 127.0.0.2:\(server.endpoint?.url.port ?? 0)\r\nContent-Length: 60000000\r\n\r\n")
      XCTAssertEqual(try client.answer().status, 404)
    }
  }

  func testWhatIsNoRequestCountsAsWrong() throws {
    try withDevices { server, _ in
      for _ in 0..<10 { XCTAssertEqual(try status(server, "no request\r\n\r\n"), 400) }
      XCTAssertNil(try status(server, request(server, "/")))
      XCTAssertEqual(server.journal.rejections.count, 0)
    }
  }

  func testAnAppThatTheURLWasHandedToDelivers() throws {
    try withDevices { server, _ in
      let endpoint = try XCTUnwrap(server.deviceEndpoint)
      let double = try XCTUnwrap(TrackerDouble(environment: endpoint.environment))
      double.trackEvent(TrackingEvent(name: "on_a_device"))
      XCTAssertTrue(double.flush(timeout: RawClient.patience))
      XCTAssertEqual(server.journal.events.map(\.event.name), ["on_a_device"])
    }
  }

  func testLoopbackNeedsNoToken() throws {
    try withDevices { server, _ in
      XCTAssertEqual(try RawClient(server).post(#"{"name":"tapped"}"#).status, 204)
    }
  }

  func testTheInterfaceIsChosenByNameOrAddress() throws {
    let (wifi, cable, tunnel, loopback) = (
      NetworkInterface(name: "en0", address: IPv4Address(bits: 0xC0A8_0114), isShared: true),
      NetworkInterface(name: "en1", address: IPv4Address(bits: 0x0A00_0002), isShared: true),
      NetworkInterface(name: "utun3", address: IPv4Address(bits: 0x0A08_0003), isShared: false),
      NetworkInterface(name: "lo0", address: .loopback, isShared: false)
    )
    XCTAssertEqual("\(try DeviceAccess(interface: nil, of: [loopback, tunnel, wifi]).address)", "192.168.1.20")
    XCTAssertEqual("\(try DeviceAccess(interface: "utun3", of: [wifi, tunnel]).address)", "10.8.0.3")
    XCTAssertEqual("\(try DeviceAccess(interface: "10.0.0.2", of: []).address)", "10.0.0.2")
    func problem(_ interface: String?, _ interfaces: NetworkInterface...) -> String {
      do {
        return "\(try DeviceAccess(interface: interface, of: interfaces).address)"
      } catch {
        return "\(error)"
      }
    }
    XCTAssertEqual(
      problem(nil, wifi, cable),
      "this machine has several interfaces: en0 (192.168.1.20), en1 (10.0.0.2); name one with --interface")
    XCTAssertEqual(
      problem(nil, loopback),
      "this machine has no interface with an IPv4 address that a device could reach; connect it to a network")
    XCTAssertEqual(
      problem("en7", wifi), "this machine has no interface en7 with an IPv4 address; it has en0 (192.168.1.20)")
    for address in ["fe80::1%en0", "fd00::1", "::", "::1", "[2001:db8::1]"] {
      XCTAssertEqual(
        problem(address, wifi),
        "\(address) is an IPv6 address, and devices are served over IPv4 alone; this machine has en0 (192.168.1.20)")
    }
    for address in ["0.0.0.0", "255.255.255.255", "224.0.0.1"] {
      XCTAssertEqual(
        problem(address),
        "\(address) is no address of one interface; the server never listens on all of them, so name one")
    }
    for name in ["127.0.0.1", "lo0"] {
      XCTAssertEqual(
        problem(name, loopback),
        "\(name) is this machine's loopback, which the server listens on anyway; name an interface of a network")
    }
  }

  func testAddressesAreReadStrictly() {
    XCTAssertEqual(IPv4Address("192.168.1.20")?.description, "192.168.1.20")
    for text in ["1.2.3", "1.2.3.4.5", "01.2.3.4", "256.1.1.1", "1.2.3.", "::1", "localhost", "+1.2.3.4", ""] {
      XCTAssertNil(IPv4Address(text), text)
    }
  }
}

extension Socket {
  /// A socket that is being connected from one of this machine's addresses.
  fileprivate static func connecting(to address: SocketAddress, from here: IPv4Address) throws -> Socket {
    let made = Socket(descriptor: socket(AF_INET, streamType, 0))
    try made.descriptor.closeInChildrenAndNeverBlock()
    guard SocketAddress(.interface(here), port: 0).withSystemAddress({ bind(made.descriptor, $0, $1) }) == 0 else {
      made.close()
      throw SocketError.call("bind", errno: errno, address: "\(here)")
    }
    let result = address.withSystemAddress { connect(made.descriptor, $0, $1) }
    XCTAssertTrue(result == 0 || errno == EINPROGRESS)
    return made
  }
}
