import TestSupport
import TrackerDouble
import TrackingSockets

@testable import TrackingServer

/// The path that events are posted to, closures that respond to submissions, and the recording of submissions.
final class EventPathTests: ServerTestCase {
  func testEventsMayGoElsewhereSoThatTheRootBelongsToTheBackend() throws {
    try withServer(TrackingServer.Configuration(eventPath: "/-tracking/events")) { server in
      try server.stub(StubEndpoint(.post, "/", .json(["data": nil])))
      let endpoint = try XCTUnwrap(server.endpoint)
      XCTAssertEqual(endpoint.url.path, "/-tracking/events")
      let tracker = try XCTUnwrap(TrackerDouble(environment: endpoint.launchEnvironment))
      tracker.trackEvent(TrackingEvent(name: "a"))
      XCTAssertTrue(tracker.flush(timeout: RawClient.patience))
      let client = try RawClient(server)
      let response = try client.exchange(
        RawClient.request("POST / HTTP/1.1", ["Host: localhost"], #"{"query":"{ books { id } }"}"#))
      XCTAssertEqual(response.content, #"{"data":null}"#)
      XCTAssertEqual(
        try client.exchange(RawClient.request("POST /-tracking/events HTTP/1.1", ["Host: localhost"], "{")).status, 400)
      XCTAssertEqual(server.journal.events.map(\.event.name), ["a"])
      XCTAssertEqual(server.journal.rejections.count, 1)
      XCTAssertTrue(try client.get("/x").content.contains("nearest"))
    }
  }

  func testAServerWithoutAnEventPathHasNoEventEndpoint() throws {
    try withServer(TrackingServer.Configuration(eventPath: nil)) { server in
      XCTAssertEqual(server.endpoint?.url.path, "")
      let call = RawClient.request(
        "POST / HTTP/1.1", ["Host: localhost", "Content-Type: application/json"], #"{"jsonrpc":"2.0"}"#)
      let withoutResponse = try RawClient(server).exchange(call)
      XCTAssertEqual(withoutResponse.status, 404)
      XCTAssertEqual(withoutResponse.content, #"{"error":"nothing is served at /"}"# + "\n")
      try server.stub(StubEndpoint(.post, "/", .json(["result": 1])))
      XCTAssertEqual(try RawClient(server).exchange(call).content, #"{"result":1}"#)
      XCTAssertEqual(server.journal.rejections, [])
      XCTAssertEqual(server.journal.requests.map(\.status), [404, 200])
    }
  }

  func testAPathThatIsNoneIsRefusedAtTheStart() {
    for path in ["", "events", "/a b", "/a?b", "/a/../b", "/é"] {
      XCTAssertThrowsError(try TrackingServer(configuration: .init(eventPath: path)).start(), path) { error in
        XCTAssertEqual((error as? TrackingServerError)?.reason, .invalidEventPath(path))
      }
    }
  }

  func testAClosureRespondsToASubmissionByWhatItHolds() throws {
    struct Full: LocalizedError { var errorDescription: String? { "the disk is full" } }
    try withServer { server in
      let bodies = Locked<[String]>([])
      server.stubs.respondToEvents(
        with: [
          .closure(
            { submission in
              bodies.withLock { $0.append("\(submission.request.headers["X"] ?? "") \(submission.request.text)") }
              switch submission.events.first?.name {
              case "purchase": return .status(503)
              case "broken": throw Full()
              default: return nil
              }
            }, folder: nil)
        ], recording: .accepted, of: server.stubs.makeOwner())
      let client = try RawClient(server)
      XCTAssertEqual(try client.post(#"{"name":"a"}"#, "X: y").status, 204)
      XCTAssertEqual(try client.post(#"{"name":"purchase"}"#).status, 503)
      let response = try client.post(#"{"name":"broken"}"#)
      XCTAssertEqual(response.status, 500)
      XCTAssertEqual(
        response.content,
        #"{"error":"the closure that responds to events returned no response: the disk is full"}"# + "\n")
      XCTAssertEqual(server.journal.events.map(\.event.name), ["a"])
      XCTAssertEqual(
        bodies.withLock { $0 }, [#"y {"name":"a"}"#, #" {"name":"purchase"}"#, #" {"name":"broken"}"#])
    }
  }

  func testAcceptedSubmissionsAreKeptWhereThatIsWanted() throws {
    try withServer(TrackingServer.Configuration(recordsSubmissions: true)) { server in
      XCTAssertEqual(try RawClient(server).post(#"{"name":"a"}"#, "X: y").status, 204)
      let request = try XCTUnwrap(server.journal.requests.first)
      XCTAssertEqual("\(request)", "POST / -> 204")
      XCTAssertEqual(request.request.headers["X"], "y")
      XCTAssertEqual(request.request.text, #"{"name":"a"}"#)
    }
  }
}
