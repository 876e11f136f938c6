import TestSupport
import TrackerDouble
import TrackingServer
import TrackingSockets

@testable import TrackingCommand

/// Requests of devices to a relay in front of a server.
///
/// The relay listens on 127.0.0.2, and devices are further loopback addresses.
final class DeviceRelayTests: XCTestCase {
  private struct Setup {
    let server: TrackingServer
    let relay: DeviceRelay
    let port: UInt16

    /// The path of the URL for devices: `/~` and the token.
    var path: String { relay.url.path }
    var token: String { String(path.dropFirst(2)) }

    func client(from address: String = "127.0.0.3") throws -> DeviceClient {
      try DeviceClient(to: IPv4Address(bits: 0x7F00_0002), port: port, from: address)
    }

    func request(
      _ target: String, method: String = "POST", host: String? = nil, _ fields: String = "",
      body: String = #"{"name":"tapped"}"#
    ) -> String {
      let type = body.isEmpty ? "" : "Content-Type: application/json\r\n"
      let head = "\(method) \(target) HTTP/1.1\r\nHost: \(host ?? "127.0.0.2:\(port)")\r\n\(type)\(fields)"
      return head + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    /// The status of the answer on a new connection; `nil` if there is none.
    func status(_ request: String, from address: String = "127.0.0.3") throws -> Int? {
      try client(from: address).status(of: request)
    }
  }

  private func relay(to port: UInt16, mostHeadBytes: Int) throws -> DeviceRelay {
    do {
      return try DeviceRelay(
        on: DeviceInterface.chosen("127.0.0.2", of: []), to: port, mostHeadBytes: mostHeadBytes)
    } catch DeviceInterfaceError.noAddress {
      throw XCTSkip("this system has 127.0.0.1 alone")
    }
  }

  /// A running server with a relay in front.
  private func withDevices(mostHeadBytes: Int = 64 * 1_024, _ body: (Setup) throws -> Void) throws {
    var configuration = TrackingServer.Configuration()
    configuration.limits.requestHead = mostHeadBytes
    configuration.allowedHosts = ["127.0.0.2"]
    let server = TrackingServer(configuration: configuration)
    try server.start()
    defer { server.stop() }
    let port = try UInt16(XCTUnwrap(server.endpoint?.url.port))
    let relay = try relay(to: port, mostHeadBytes: mostHeadBytes)
    defer { relay.stop() }
    try body(Setup(server: server, relay: relay, port: port))
  }

  func testThePrintedURLTakesEventsAndSDKsPaths() throws {
    try withDevices { setup in
      XCTAssertEqual(setup.relay.url.absoluteString, "http://127.0.0.2:\(setup.port)/~\(setup.token)")
      XCTAssertEqual(setup.token.count, 32)
      for target in [setup.path, "\(setup.path)/", "\(setup.path)?a=b"] {
        XCTAssertEqual(try setup.status(setup.request(target)), 204, target)
      }
      XCTAssertEqual(setup.server.journal.events.map(\.event.name), ["tapped", "tapped", "tapped"])
      // A request that isn't an event is recorded with the path that the app meant.
      XCTAssertEqual(try setup.status(setup.request("\(setup.path)/books?q=1", method: "GET", body: "")), 404)
      XCTAssertEqual(setup.server.journal.requests.map(\.target), ["/books?q=1"])
    }
  }

  func testAnAddressThatHasUsedTheRightPathOnceIsAdmittedWithoutIt() throws {
    try withDevices { setup in
      XCTAssertEqual(try setup.status(setup.request("/")), 404)
      XCTAssertEqual(try setup.status(setup.request("\(setup.path)/")), 204)
      XCTAssertEqual(try setup.status(setup.request("/")), 204)
      XCTAssertEqual(try setup.status(setup.request("/"), from: "127.0.0.4"), 404)
      XCTAssertEqual(setup.server.journal.events.count, 2)
    }
  }

  func testAWrongTokenIsAnsweredTenTimesAMinuteAndThenNotAtAll() throws {
    try withDevices { setup in
      let token = setup.token
      let wrong = [
        "/", "/~", "/~/", "/~\(token.dropLast())", "/~\(token)0/", "/x~\(token)/",
        "/~\(String(token.reversed()).uppercased())/", "/books", "/~\(token.dropLast())g", "//~\(token)",
      ]
      for target in wrong { XCTAssertEqual(try setup.status(setup.request(target)), 404, target) }
      XCTAssertNil(try setup.status(setup.request("/~0")))
      // The right one comes too late for this address, and in time for another.
      XCTAssertNil(try setup.status(setup.request("/~\(token)/")))
      XCTAssertEqual(try setup.status(setup.request("/~\(token)/"), from: "127.0.0.4"), 204)
      XCTAssertEqual(setup.server.journal.events.count, 1)
      // Strangers leave nothing in the journal.
      XCTAssertEqual(setup.server.journal.requests.count + setup.server.journal.rejections.count, 0)
    }
  }

  func testAStrangerThatHoldsConnectionsLeavesRoomForDevices() throws {
    try withDevices { setup in
      let held = try (0..<80).map { _ in try setup.client() }
      XCTAssertEqual(try setup.status(setup.request("\(setup.path)/"), from: "127.0.0.4"), 204)
      // The device itself may have as many as there are.
      let connections = try (0..<40).map { _ in try setup.client(from: "127.0.0.4") }
      for connection in connections { XCTAssertEqual(connection.status(of: setup.request("/")), 204) }
      XCTAssertEqual(held.count, 80)
    }
  }

  func testAtTheLimitOfDescriptorsTheRelayDoesNotSpin() throws {
    try withDevices { setup in
      // The relay and the server have what they need for one connection.
      XCTAssertEqual(try setup.status(setup.request("\(setup.path)/")), 204)
      var taken: [Int32] = []
      defer { for descriptor in taken { close(descriptor) } }
      while case let descriptor = dup(0), descriptor >= 0 { taken.append(descriptor) }
      try close(XCTUnwrap(taken.popLast()))
      let client = try setup.client()
      client.send(setup.request("\(setup.path)/"))
      let before = clock()
      // Only time shows that nothing happens.
      _ = DispatchSemaphore(value: 0).wait(timeout: .now() + 0.6)
      XCTAssertLessThan(Double(clock() - before) / 1e6, 0.3, "seconds of CPU while nothing can happen")
      for descriptor in taken { close(descriptor) }
      taken = []
      XCTAssertEqual(client.answer()?.prefix(12), "HTTP/1.1 204")
    }
  }

  func testTheHostIsExactlyThePrintedOneAndOriginsAreRefused() throws {
    try withDevices { setup in
      let (port, path) = (setup.port, "\(setup.path)/")
      for (number, host) in [
        "localhost:\(port)", "127.0.0.1:\(port)", "127.0.0.2", "127.0.0.2:\(port - 1)", "evil.example:\(port)",
        "127.0.0.2:\(port)\r\nHost: evil.example:\(port)",
      ].enumerated() {
        XCTAssertEqual(try setup.status(setup.request(path, host: host), from: "127.0.0.\(10 + number)"), 403, host)
      }
      let absolute = "http://127.0.0.2:\(port)\(path)"
      XCTAssertEqual(try setup.status(setup.request(absolute)), 403)
      XCTAssertEqual(try setup.status(setup.request(path, "Origin: http://127.0.0.2:\(port)\r\n")), 403)
      XCTAssertEqual(try setup.status(setup.request(path)), 204)
    }
  }

  func testTheLivePageIsForLoopbackAlone() throws {
    try withDevices { setup in
      for page in ["/-tracking/", "/-tracking/feed", "/-tracking"] {
        for target in ["\(setup.path)\(page)", page] {
          XCTAssertEqual(try setup.status(setup.request(target, method: "GET", body: "")), 404, target)
        }
      }
      XCTAssertEqual(setup.server.journal.requests.count, 0)
    }
  }

  func testTheBodyOfAStrangerIsNotRead() throws {
    try withDevices { setup in
      let head = "POST / HTTP/1.1\r\nHost: 127.0.0.2:\(setup.port)\r\nContent-Length: 60000000\r\n\r\n"
      XCTAssertEqual(try setup.status(head), 404)
    }
  }

  func testAMalformedHeadCountsAsWrongAndDoesNotReachTheServer() throws {
    try withDevices { setup in
      let host = "Host: 127.0.0.2:\(setup.port)"
      let malformed = [
        "no request\r\n\r\n", "GET \(setup.path) HTTP/1.1\n\(host)\r\n\r\n",
        "GET \(setup.path) HTTP/2.0\r\n\(host)\r\n\r\n",
        "GET \(setup.path) HTTP/1.1\r\n\(host)\r\nOrigin : http://a\r\n\r\n",
        "GET \(setup.path) HTTP/1.1\r\n\(host)\r\n Origin: http://a\r\n\r\n",
        "GET \(setup.path) HTTP/1.1\r\n\(host)\r\nX: \r1\r\n\r\n", "GET  \(setup.path) HTTP/1.1\r\n\(host)\r\n\r\n",
        "\r\nGET \(setup.path) HTTP/1.1\r\n\(host)\r\n\r\n", "GET \(setup.path) HTTP/1.1\r\n\(host)\r\n: 1\r\n\r\n",
        "\u{16}\u{3}\u{1}\r\n\r\n",
      ]
      for text in malformed { XCTAssertEqual(try setup.status(text), 400, text) }
      XCTAssertNil(try setup.status(setup.request("/")))
      XCTAssertEqual(setup.server.journal.rejections.count + setup.server.journal.requests.count, 0)
    }
  }

  func testAHeadAboveTheServersLimitGetsTheServersAnswer() throws {
    for (fill, status) in [("X: ", 431), ("", 414)] {
      try withDevices { setup in
        let text = String(repeating: "a", count: 100_000)
        let request =
          fill.isEmpty ? setup.request("\(setup.path)/\(text)") : setup.request(setup.path, "\(fill)\(text)\r\n")
        let devices = try setup.client()
        devices.send(request)
        let server = try DeviceClient(to: .loopback, port: setup.port)
        server.send(request)
        let answer = try XCTUnwrap(devices.answer())
        XCTAssertEqual(answer.prefix(12), "HTTP/1.1 \(status)")
        let bodies = [answer, try XCTUnwrap(server.answer())].map { $0.components(separatedBy: "\r\n\r\n").last }
        XCTAssertEqual(bodies[0], bodies[1])
      }
    }
  }

  func testAHeadThatTheServerAllowsIsPassedOn() throws {
    try withDevices(mostHeadBytes: 200_000) { setup in
      let field = "X: \(String(repeating: "a", count: 100_000))\r\n"
      XCTAssertEqual(try setup.status(setup.request(setup.path, field)), 204)
      XCTAssertEqual(setup.server.journal.events.count, 1)
    }
  }

  func testARequestBehindTheFirstOneIsNotPassedOn() throws {
    try withDevices { setup in
      let client = try setup.client()
      client.send(setup.request(setup.path) + setup.request("/-tracking/", method: "GET", body: ""))
      let answer = try XCTUnwrap(client.answer())
      XCTAssertEqual(answer.components(separatedBy: "HTTP/1.1 ").count, 2, answer)
      XCTAssertTrue(answer.contains("Connection: close\r\n"), answer)
      XCTAssertEqual(setup.server.journal.events.count, 1)
      XCTAssertEqual(setup.server.journal.requests.count, 0)
    }
  }

  func testALargeBodyArrivesWhole() throws {
    try withDevices { setup in
      let body = #"{"name":"tapped","params":{"text":"\#(String(repeating: "é", count: 1_000_000))"}}"#
      let client = try setup.client()
      let request = setup.request("\(setup.path)/", body: body)
      Thread { client.send(request) }.start()
      XCTAssertEqual(client.answer()?.hasPrefix("HTTP/1.1 204 "), true)
      let text = try XCTUnwrap(setup.server.journal.events.first?.event.params["text"])
      XCTAssertEqual(text, .string(String(repeating: "é", count: 1_000_000)))
    }
  }

  func testAnAppThatTheURLWasHandedToDelivers() throws {
    try withDevices { setup in
      let session = try XCTUnwrap(setup.server.endpoint?.session)
      let double = try XCTUnwrap(
        TrackerDouble(environment: TrackingEndpoint(url: setup.relay.url, session: session).launchEnvironment))
      for number in 1...3 { double.trackEvent(TrackingEvent(name: "on_a_device_\(number)")) }
      XCTAssertTrue(double.flush(timeout: 20))
      XCTAssertEqual(
        setup.server.journal.events.map(\.event.name), ["on_a_device_1", "on_a_device_2", "on_a_device_3"])
    }
  }

  func testAStoppedRelayListensNoMore() throws {
    var port: UInt16 = 0
    try withDevices { setup in
      port = setup.port
      XCTAssertEqual(try setup.status(setup.request(setup.path)), 204)
    }
    XCTAssertThrowsError(try DeviceClient(to: IPv4Address(bits: 0x7F00_0002), port: port))
  }
}
