import TestSupport

@testable import TrackerDouble

final class EndpointTests: DoubleTestCase {
  private func tracker(environment: [String: String] = [:], arguments: [String] = []) -> TrackerDouble? {
    TrackerDouble(
      environment: environment, arguments: arguments,
      configuration: .init(onFailure: { [failures] in failures.append($0) }),
      log: log)
  }

  func testThereIsNoDoubleOnlyWhenNothingWasPassed() throws {
    XCTAssertNil(TrackerDouble(environment: [:]))
    XCTAssertNil(TrackerDouble(environment: ["TRACKING": "http://[::1]:1", "PATH": "/bin"]))
    XCTAssertNil(TrackerDouble())
    XCTAssertNotNil(TrackerDouble(environment: ["TRACKING_URL": "http://[::1]:1"]))
  }

  func testAnEnvironmentHoldsURLAndSession() throws {
    let peer = try peer(respond: { .response(Responses.noContent(session: $0.field("Tracking-Session") ?? "")) })
    let tracker = try XCTUnwrap(tracker(environment: peer.endpoint(session: "abc").launchEnvironment))
    tracker.track(1...1)
    XCTAssertTrue(tracker.flush(timeout: long))
    XCTAssertEqual(peer.requests.all.filter { !$0.events.isEmpty }.map { $0.field("Tracking-Session") }, ["abc"])
  }

  func testLaunchArgumentsPassTheSame() throws {
    let peer = try peer(respond: { .response(Responses.noContent(session: $0.field("Tracking-Session") ?? "")) })
    let arguments = ["/bin/app", "-verbose"] + peer.endpoint(session: "abc").launchArguments
    let tracker = try XCTUnwrap(TrackerDouble(arguments: arguments))
    tracker.track(1...1)
    XCTAssertTrue(tracker.flush(timeout: long))
    XCTAssertEqual(peer.requests.all.filter { !$0.events.isEmpty }.map { $0.field("Tracking-Session") }, ["abc"])
  }

  func testNoEndpointBeyondThisMachineIsUsed() {
    for url in [
      "http://192.168.1.20:5000", "http://192.168.1.20:5000/~0123456789abcdef0123456789abcdef/events",
      "http://127.0.0.2:5000", "http://mac.local:5000", "http://[fe80::1]:5000",
    ] {
      for isPassed in [false, true] {
        let endpoint = TrackingEndpoint(url: URL(string: url)!)
        XCTAssertThrowsError(try DeliveryRoute(to: endpoint, isPassed: isPassed), url)
      }
    }
  }

  func testTheEnvironmentComesBeforeTheLaunchArguments() throws {
    let arguments = ["/bin/app"] + endpoint(port: 2).launchArguments
    XCTAssertNil(tracker(environment: [:], arguments: ["/bin/app"]))
    XCTAssertNotNil(tracker(arguments: arguments))
    XCTAssertEqual(notes.all, ["TrackerDouble: sends events to \(endpoint(port: 2).url)"])
    XCTAssertNotNil(tracker(environment: endpoint(port: 1).launchEnvironment, arguments: arguments))
    XCTAssertEqual(notes.all.last, "TrackerDouble: sends events to \(endpoint(port: 1).url)")
    // A malformed endpoint is one, too.
    XCTAssertNotNil(tracker(environment: ["TRACKING_URL": "8080"], arguments: arguments))
    XCTAssertEqual(lines.all.count, 1)
  }

  func testAPortWithoutAListenerIsLoggedAtOnce() throws {
    let endpoint = endpoint(port: try freePort())
    let tracker = tracker(for: endpoint)
    tracker.track(1...2)
    notes.wait { $0.count == 2 }
    XCTAssertEqual(tracker.delivery, DeliveryCounts(tracked: 2, delivered: 0, failed: 0))
    XCTAssertEqual(notes.all.first, "TrackerDouble: sends events to \(endpoint.url)")
    let note = try XCTUnwrap(notes.all.last)
    XCTAssertTrue(
      note.hasPrefix(
        "TrackerDouble: an event has not reached \(endpoint.url) yet, trying again for up to 30.0 seconds: "),
      note)
    XCTAssertTrue(note.contains("refused"), note)
    // More attempts that fail add nothing.
    XCTAssertFalse(tracker.flush(timeout: 0.06))
    XCTAssertEqual(notes.all.count, 2)
    XCTAssertEqual(lines.all, [])
  }

  func testMalformedLaunchArgumentsAreADoubleThatFailsEveryEvent() throws {
    for arguments in [
      ["-TrackingURL"], ["-TrackingURL", "8080"], ["-TrackingSession", "abc"], ["-tracking-url", "http://[::1]:1"],
    ] {
      let tracker = try XCTUnwrap(TrackerDouble(arguments: ["/bin/app"] + arguments))
      tracker.track(1...1)
      XCTAssertEqual(tracker.delivery.failed, 1)
    }
    let tracker = try XCTUnwrap(tracker(arguments: ["/bin/app", "-tracking_url", "http://[::1]:1"]))
    XCTAssertEqual(tracker.delivery.failed, 0)
    XCTAssertEqual(
      lines.all,
      [
        """
        TrackerDouble: no event will be delivered: the launch argument "-tracking_url" isn't read; write -TRACKING_URL and its \
        value, or TRACKING_URL=value, and TRACKING_SESSION likewise
        """
      ])
  }

  func testAMalformedEndpointIsADoubleThatFailsEveryEventAndSaysWhy() throws {
    let rows: [([String: String], String)] = [
      (["TRACKING_SESSION": "abc"], "TRACKING_SESSION was passed without TRACKING_URL"),
      (["TRACKING_URL": ""], "TRACKING_URL isn't an http URL with a host: \"\""),
      (["TRACKING_URL": "8080"], "TRACKING_URL isn't an http URL with a host: \"8080\""),
      (["TRACKING_URL": "https://[::1]:1"], "TRACKING_URL isn't an http URL with a host: \"https://[::1]:1\""),
      (["TRACKING_URL": "file:///tmp"], "TRACKING_URL isn't an http URL with a host: \"file:///tmp\""),
      (["TRACKING_URL": "http://"], "TRACKING_URL isn't an http URL with a host: \"http://\""),
      (
        ["TRACKING_URL": "http://example.com"],
        "events can be sent only to this machine (::1, 127.0.0.1 or localhost), not to http://example.com"
      ),
      (
        ["TRACKING_URL": "http://127.0.0.1.example.com:1"],
        "events can be sent only to this machine (::1, 127.0.0.1 or localhost), not to http://127.0.0.1.example.com:1"
      ),
      (
        ["TRACKING_URL": "http://0.0.0.0:1"],
        "events can be sent only to this machine (::1, 127.0.0.1 or localhost), not to http://0.0.0.0:1"
      ),
      (["TRACKING_URL": "http://[::1]:0"], "http://[::1]:0 has an invalid port"),
      (["TRACKING_URL": "http://[::1]:65536"], "http://[::1]:65536 has an invalid port"),
      (["TRACKING_URL": "http://me:secret@[::1]:1"], "credentials can't be sent, but http://...@::1 has some"),
      (
        ["TRACKING_URL": "http://[::1]:1", "TRACKING_SESSION": ""],
        "the session token is empty or has characters other than visible ASCII"
      ),
      (
        ["TRACKING_URL": "http://[::1]:1", "TRACKING_SESSION": "a\r\nHost: evil"],
        "the session token is empty or has characters other than visible ASCII"
      ),
    ]
    for (number, (environment, reason)) in rows.enumerated() {
      let tracker = try XCTUnwrap(tracker(environment: environment), "\(environment)")
      XCTAssertEqual(lines.all.count, number + 1, "before any event, and once")
      XCTAssertEqual(lines.all.last, "TrackerDouble: no event will be delivered: \(reason)")
      let reported = failures.all.map(\.count).reduce(0, +)
      tracker.track(1...3)
      XCTAssertEqual(tracker.delivery, DeliveryCounts(tracked: 3, delivered: 0, failed: 3))
      XCTAssertFalse(tracker.flush(timeout: 3_600))
      failures.wait { $0.map(\.count).reduce(0, +) == reported + 3 }
      XCTAssertEqual(failures.all.last?.reason, reason)
      XCTAssertEqual(lines.all.count, number + 1)
    }
  }

  func testAnEndpointOfAnotherMachineOrSchemeIsRefused() throws {
    let rows = [
      ("http://10.0.0.1:8080", "events can be sent only to this machine (::1, 127.0.0.1 or localhost), not to %@"),
      ("https://localhost:8080", "events can be sent only over http, not to %@"),
      ("localhost:8080", "events can be sent only over http, not to %@"),
      ("/", "events can be sent only over http, not to %@"),
    ]
    for (number, (url, reason)) in rows.enumerated() {
      let tracker = tracker(for: TrackingEndpoint(url: URL(string: url)!))
      tracker.track(1...1)
      XCTAssertFalse(tracker.flush(timeout: long))
      XCTAssertEqual(tracker.delivery.failed, 1)
      XCTAssertEqual(lines.all.count, number + 1)
      XCTAssertEqual(
        lines.all.last, "TrackerDouble: no event will be delivered: \(reason.replacing("%@", with: url))")
    }
  }

  func testTheRouteNamesAddressesInTheOrderInWhichToTryThem() throws {
    func route(_ url: String) throws -> [String] {
      let route = try DeliveryRoute(to: TrackingEndpoint(url: URL(string: url)!))
      return [route.host, route.target] + route.addresses.map(\.description)
    }
    XCTAssertEqual(try route("http://[::1]:8080"), ["[::1]:8080", "/", "[::1]:8080"])
    XCTAssertEqual(try route("http://127.0.0.1:8080/"), ["127.0.0.1:8080", "/", "127.0.0.1:8080"])
    XCTAssertEqual(try route("http://localhost:80/x"), ["localhost:80", "/x", "[::1]:80", "127.0.0.1:80"])
    XCTAssertEqual(try route("HTTP://LOCALHOST"), ["localhost", "/", "[::1]:80", "127.0.0.1:80"])
    XCTAssertEqual(try route("http://[::1]?a#b"), ["[::1]", "/?a", "[::1]:80"])
  }
}
