import TestSupport
import TrackerDouble
import VendorFormats

@testable import TrackingServer

/// Events in formats other than the server's own.
final class ForeignFormatTests: ServerTestCase {
  private struct Batch: Decodable {
    var messages: [String]
  }

  private struct Failure: Error, CustomStringConvertible {
    let description = "the magic number is missing"
  }

  private let broken = AcceptedFormat("Broken", .any, "/") { _ in throw Failure() }

  private func post(_ target: String, _ body: String, _ fields: String...) -> String {
    RawClient.request("POST \(target) HTTP/1.1", ["Host: localhost"] + fields, body)
  }

  private func beacons(_ server: TrackingServer) -> [String] {
    server.journal.events.map(\.event).map { event in
      let params = event.params.map { "\($0.key.stringValue)=\($0.value)" }.sorted()
      return ([event.name] + params).joined(separator: " ")
    }
  }

  // MARK: Beacons

  func testBeaconsAreEventsInEachOfTheirForms() throws {
    try withServer { server in
      try server.accept(.beacons(at: "/"))
      try server.accept(.beacons(at: "/collect/*", nameKey: "t"))
      let client = try RawClient(server)
      let form = "Content-Type: application/x-www-form-urlencoded"
      let requests = [
        post("/", "t\tload\nurl\thttp://a?b=c\n\nt\tclick\n", "Content-Type: text/plain"),
        post("/", "t\thttpRequest", form),
        post("/collect/1", "t=view&page=a+b%26c", form),
        RawClient.get("/collect/2?t=ping&empty="),
        post("/collect/3?t=query", ""),
      ]
      for request in requests {
        let response = try client.exchange(request)
        XCTAssertEqual(response.status, 200, request)
        XCTAssertEqual(response.content, "", request)
      }
      XCTAssertEqual(
        beacons(server),
        [
          #"beacon t="load" url="http://a?b=c""#, #"beacon t="click""#, #"beacon t="httpRequest""#,
          #"view page="a b&c" t="view""#, #"ping empty="" t="ping""#, #"query t="query""#,
        ])
      XCTAssertEqual(server.journal.events.map(\.connection), [1, 1, 1, 1, 1, 1])
      XCTAssertEqual(server.journal.requests, [])
    }
  }

  func testBeaconsAreComparedByTheirBytesWhichTakesNoTime() throws {
    try withServer { server in
      try server.accept(.beacons(at: "/", nameKey: "t"))
      // Hashed or compared as a Swift string, this key would take many minutes.
      let key = "a" + String(repeating: "\u{301}\u{316}", count: 200_000)
      let form = "application/x-www-form-urlencoded"
      for (body, type) in [("\(key)\tb", "text/plain"), ("\(key)=b", form), ("b=\(key)", form)] {
        XCTAssertEqual(try RawClient(server).exchange(post("/", body, "Content-Type: \(type)")).status, 200, type)
      }
      let expected: [[TrackingParam: TrackingValue]] = [
        [.custom(key: key): "b"], [.custom(key: key): "b"], ["b": .string(key)],
      ]
      XCTAssertEqual(server.journal.events.map(\.event.params), expected)
    }
  }

  func testTheServersOwnEventsAreLeftToIt() throws {
    try withServer { server in
      try server.accept(.beacons(at: "/"))
      let client = try RawClient(server)
      XCTAssertEqual(try client.post(#"{"name":"a"}"#).status, 204)
      XCTAssertEqual(try client.exchange(post("/", #" [{"name":"b"}]"#)).status, 204)
      XCTAssertEqual(try client.post(#"{"name":1}"#).status, 400)
      XCTAssertEqual(server.journal.events.map(\.event.name), ["a", "b"])
      XCTAssertEqual(server.journal.rejections.count, 1)
    }
  }

  // MARK: A user's own

  func testAClosureReadsARequestOrPassesIt() throws {
    try withServer { server in
      try server.accept(
        AcceptedFormat("Batch", .post, "/v1/batch") { request in
          guard request.headers["X-Batch"] != nil else { return nil }
          return try request.json(Batch.self).messages.map { TrackingEvent(name: $0) }
        })
      try server.stub(StubEndpoint(.post, "/v1/batch", .text("stub")))
      let client = try RawClient(server)
      let body = #"{"messages":["a","b"]}"#
      XCTAssertEqual(try client.exchange(post("/v1/batch", body, "X-Batch: 1")).content, "")
      XCTAssertEqual(try client.exchange(post("/v1/batch", body)).content, "stub")
      XCTAssertEqual(try client.get("/v1/batch").status, 404)
      XCTAssertEqual(server.journal.events.map(\.event.name), ["a", "b"])
      XCTAssertEqual(server.journal.requests.map(\.status), [200, 404])
    }
  }

  func testAFormatThatThrowsLeavesTheRequestToTheOthers() throws {
    try withServer { server in
      try server.accept(broken, .beacons(at: "/"))
      let client = try RawClient(server)
      XCTAssertEqual(try client.exchange(post("/", "a\tb", "Content-Type: text/plain")).status, 200)
      let response = try client.exchange(post("/", "{}", "Content-Type: text/plain"))
      XCTAssertEqual(response.content, #"{"error":"Broken: the magic number is missing"}"# + "\n")
    }
  }

  func testAResponseThatCannotBeSentIsARejectedSubmission() throws {
    struct Shop: EventFormat {
      let name = "Shop"
      let endpoints: [RequestPattern] = [.request(.post, "/collect")]

      func submission(in request: ReceivedRequest) throws -> DecodedSubmission? {
        DecodedSubmission(items: [], response: .status(99))
      }
    }
    try withServer { server in
      try server.accept(Shop())
      let response = try RawClient(server).exchange(post("/collect", "a"))
      XCTAssertEqual(response.status, 400)
      XCTAssertEqual(
        server.journal.rejections.map(\.reason),
        ["Shop: 99 isn't the status of a final response, which is from 200 to 599"])
    }
  }

  func testAConditionInCodeRunsOnAWorker() throws {
    try withServer { server in
      try server.stub(StubEndpoint(.get, "/books", .ok))
      try server.accept(
        JSONEventFormat(
          "Shop", .post, "/collect", events: "[]",
          where: ["kind": .satisfying("uses the server") { _ in (try? RawClient(server).get("/books").status) == 200 }],
          name: "kind"))
      let client = try RawClient(server)
      XCTAssertEqual(try client.exchange(post("/collect", #"[{"kind":"a"}]"#)).status, 200)
      XCTAssertEqual(server.journal.events.map(\.event.name), ["a"])
    }
  }

  func testAClosureRunsWithoutALockOnAWorker() throws {
    try withServer { server in
      try server.accept(
        AcceptedFormat("Tracking", .post, "/track") { request in
          // Another request to the same server gets its response while this one is read, and the setup can be changed.
          let first = try RawClient(server).get("/books").content
          try server.stub(StubEndpoint(.get, "/books/2", .text("second")))
          let second = try RawClient(server).get("/books/2").content
          return [TrackingEvent(name: first), TrackingEvent(name: second), TrackingEvent(name: request.text)]
        })
      try server.stub(StubEndpoint(.get, "/books", .text("first")))
      XCTAssertEqual(try RawClient(server).exchange(post("/track", "third")).status, 200)
      XCTAssertEqual(server.journal.events.map(\.event.name), ["first", "second", "third"])
    }
  }

  func testADoublesEventsAreReadInTheServersFormatOnly() throws {
    try withServer { server in
      try server.accept(broken)
      let double = TrackerDouble(endpoint: try XCTUnwrap(server.endpoint))
      double.trackEvent(TrackingEvent(name: "a"))
      XCTAssertTrue(double.flush(timeout: RawClient.patience))
      XCTAssertEqual(server.journal.events.map(\.event.name), ["a"])
      XCTAssertEqual(server.journal.rejections, [])
    }
  }

  func testOnlyWhoKnowsTheSessionMaySendWhereItIsRequired() throws {
    try withServer(.init(session: "mine", requiresSession: true)) { server in
      try server.accept(.beacons(at: "/*"))
      try server.stub(StubEndpoint(.get, "/books", .text("books")))
      let client = try RawClient(server)
      let beacon = { (session: String...) in
        RawClient.request("GET /c?a=b HTTP/1.1", ["Host: localhost"] + session.map { "Tracking-Session: \($0)" })
      }
      XCTAssertEqual(try client.exchange(beacon()).status, 403)
      XCTAssertEqual(try client.exchange(beacon("another")).status, 403)
      XCTAssertEqual(try client.exchange(beacon("mine")).status, 200)
      XCTAssertEqual(try client.get("/books").content, "books")
      XCTAssertEqual(server.journal.events.count, 1)
      XCTAssertEqual(
        server.journal.rejections.map(\.reason),
        [
          "this server accepts events only with its Tracking-Session",
          "the Tracking-Session is of another session; was the app launched by an earlier test?",
        ])
    }
  }

  func testBeaconsGetResponsesAsEventsAre() throws {
    try withServer { server in
      try server.accept(.beacons(at: "/c"))
      try server.respondToEvents(with: .status(503), .status(500), .ok, recording: .accepted)
      let client = try RawClient(server)
      XCTAssertEqual(try (0..<3).map { try client.get("/c?n=\($0)").status }, [503, 500, 200])
      // A malformed beacon uses no response up.
      XCTAssertEqual(try client.exchange(post("/c", "none", "Content-Type: text/plain")).status, 400)
      XCTAssertEqual(beacons(server), [#"beacon n="2""#])
    }
  }

  func testFaultsForRequestsSpareBeacons() throws {
    try withServer { server in
      try server.accept(.beacons(at: "/c"))
      for position in [HTTPFault.Position.requestHead, .requestBody, .response, .afterResponse] {
        server.stubs.inject(HTTPFault(.reset, at: position), times: nil, of: server.stubs.makeOwner())
      }
      XCTAssertEqual(try RawClient(server).get("/c?n=1").status, 200)
      XCTAssertEqual(server.journal.events.count, 1)
    }
  }

  func testABrowsersPreflightRequestIsNotABeacon() throws {
    try withServer(.init(allowedOrigins: ["http://page.test"])) { server in
      try server.accept(.beacons(at: "/c"))
      let check = RawClient.request(
        "OPTIONS /c?n=1 HTTP/1.1",
        ["Host: localhost", "Origin: http://page.test", "Access-Control-Request-Method: POST"])
      XCTAssertEqual(try RawClient(server).exchange(check).status, 204)
      XCTAssertEqual(server.journal.events, [])
    }
  }

  /// Browsers send them without a preflight request.
  func testARefusedBeaconIsARejection() throws {
    try withServer(.init(allowedOrigins: ["http://page.test"])) { server in
      try server.accept(.beacons(at: "/c"))
      let client = try RawClient(server)
      let others = "Origin: http://other.test"
      XCTAssertEqual(try client.exchange(post("/c", "t=view", others, "Content-Type: text/plain")).status, 403)
      XCTAssertEqual(try client.get("/c?t=view", others).status, 403)
      XCTAssertEqual(try client.get("/c?t=view", "Sec-Fetch-Site: cross-site").status, 403)
      XCTAssertEqual(
        try client.exchange(RawClient.request("GET /c?t=view HTTP/1.1", ["Host: device.local"])).status, 403)
      assertTexts(
        server.journal.rejections.map(\.reason),
        [
          """
          the origin "http://other.test" isn't allowed; add it to allowedOrigins
          """,
          """
          the origin "http://other.test" isn't allowed; add it to allowedOrigins
          """,
          """
          pages of another site may not send requests (Sec-Fetch-Site: cross-site); add their origin to allowedOrigins
          """,
          """
          the host "device.local" is not this server; use localhost, 127.0.0.1 or [::1], or add it to allowedHosts
          """,
        ])
      XCTAssertEqual(server.journal.rejections.first?.body, Data("t=view".utf8))
      // No format reads this one.
      XCTAssertEqual(try client.get("/books", others).status, 403)
      XCTAssertEqual(server.journal.rejections.count, 4)
    }
  }

  func testBeaconsAndOtherRequestsKeepTheirOrder() throws {
    try withServer { server in
      try server.accept(.beacons(at: "/c"))
      try server.stub(StubEndpoint(.get, "/books", .text("books")))
      let client = try RawClient(server)
      try client.send(
        (0..<10).map { RawClient.get("/c?n=\($0)") + RawClient.get("/books") + RawClient.post(#"{"name":"\#($0)"}"#) }
          .joined())
      for _ in 0..<10 {
        XCTAssertEqual(try client.response().content, "")
        XCTAssertEqual(try client.response().content, "books")
        XCTAssertEqual(try client.response().status, 204)
      }
      XCTAssertEqual(server.journal.events.map(\.event.name), (0..<10).flatMap { ["beacon", "\($0)"] })
    }
  }

  func testAFormatThatIsReadAfterExpectIsNotRefusedEarly() throws {
    try withServer { server in
      try server.accept(.beacons(at: "/"))
      let client = try RawClient(server)
      let request = post("/", "a\tb", "Content-Type: text/plain", "Expect: 100-continue")
      try client.send(String(request.dropLast(3)))
      XCTAssertEqual(try client.response().status, 100)
      try client.send("a\tb")
      XCTAssertEqual(try client.response().status, 200)
    }
  }
}
