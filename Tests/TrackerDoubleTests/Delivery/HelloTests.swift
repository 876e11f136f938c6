import TestSupport

@testable import TrackerDouble

/// The request by which a verifier learns that its app was launched.
final class HelloTests: DoubleTestCase {
  private func launched(_ endpoint: TrackingEndpoint) throws -> TrackerDouble {
    try XCTUnwrap(TrackerDouble(environment: endpoint.launchEnvironment, configuration: .init(), log: log))
  }

  func testADoubleSaysHelloWhenItIsMadeOnTheConnectionOfItsEvents() throws {
    let peer = try peer(respond: { _ in .response(Responses.noContent(session: "abc")) })
    let tracker = try launched(peer.endpoint(session: "abc"))
    let hello = try XCTUnwrap(peer.requests.wait { $0.count == 1 }.first)
    XCTAssertEqual(
      hello.head.replacing("\r\n", with: "\n"),
      """
      POST /tracking-session HTTP/1.1
      Host: \(peer.endpoint().url.host() == "::1" ? "[::1]" : "127.0.0.1"):\(peer.port)
      Content-Type: application/json
      Content-Length: 0
      Tracking-Session: abc
      Tracking-Launch: \(hello.launch)


      """)
    tracker.track(1...2)
    XCTAssertTrue(tracker.flush(timeout: long))
    XCTAssertEqual(peer.recorded, names(1...2))
    XCTAssertEqual(Set(peer.requests.all.map(\.launch)), [hello.launch])
    XCTAssertEqual(peer.connections.all, [1])
  }

  func testAServerThatIsNotThereYetOrRespondsBadlyHindersNothing() throws {
    let port = try freePort()
    let early = try launched(TrackingEndpoint(url: endpoint(port: port).url, session: "abc"))
    let peer = try peer(
      port: port,
      respond: {
        $0.number == 1 ? .response(Responses.status("404 Not Found")) : .response(Responses.noContent(session: "abc"))
      })
    early.track(1...1)
    _ = early.flush(timeout: long)
    let late = try launched(peer.endpoint(session: "abc"))
    peer.requests.wait { $0.count >= 2 }
    late.track(2...2)
    XCTAssertTrue(late.flush(timeout: long))
    XCTAssertEqual(lines.all.count, early.delivery.failed)
  }

  func testAnEndpointOfTheCodeMayBeAnyServerAndGetsNoHello() throws {
    let peer = try peer(respond: { _ in .response(Responses.noContent(session: "abc")) })
    let tracker = tracker(for: peer, session: "abc")
    tracker.track(1...1)
    XCTAssertTrue(tracker.flush(timeout: long))
    XCTAssertEqual(peer.requests.all.map { $0.head.prefix { $0 != "\r\n" } }, ["POST / HTTP/1.1"])
  }

  func testAHelloGoesToTheRoot() throws {
    func hello(_ url: String) throws -> String? {
      try DeliveryRoute(to: TrackingEndpoint(url: URL(string: url)!, session: "a"), isPassed: true).hello
    }
    XCTAssertEqual(try hello("http://[::1]:5000"), "/tracking-session")
    XCTAssertEqual(try hello("http://localhost:5000/-tracking/events?a=b"), "/tracking-session")
    XCTAssertNil(try DeliveryRoute(to: endpoint(port: 1), isPassed: true).hello)
  }
}
