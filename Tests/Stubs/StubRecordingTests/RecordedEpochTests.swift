import StubbedSession
import TestSupport
import TrackingServer
import TrackingVerifier

@testable import StubRecording

/// The choice among several recorded responses to a request.
final class RecordedEpochTests: RecordingTestCase {
  private func exchange(_ method: String, _ path: String, says text: String, epoch: Int? = nil) -> RecordedExchange {
    RecordedExchange(
      request: .init(method: method, origin: "http://api.example", path: path),
      response: .init(status: method == "POST" ? 201 : 200, body: Data(text.utf8)), epoch: epoch)
  }

  /// A replay of a recording.
  private func replay(_ exchanges: [RecordedExchange]) throws -> (verifier: TrackingVerifier, client: Client) {
    try BackendRecording(upstreams: ["/*": "http://api.example"], exchanges: exchanges).write(to: folder)
    let verifier = verifier(source(nil, .folder(at: folder)))
    return (verifier, Client(verifier.baseURL))
  }

  /// A cart before and after each of two requests that fill it.
  private var cart: [RecordedExchange] {
    [
      exchange("GET", "/cart", says: "[]"), exchange("POST", "/cart", says: "first"),
      exchange("GET", "/cart", says: "[1]"), exchange("POST", "/cart", says: "second"),
      exchange("GET", "/cart", says: "[1,2]"),
    ]
  }

  func testAResponseFollowsWhatWasChangedBeforeItAlsoAfterAReset() async throws {
    let (verifier, client) = try replay(cart)
    for _ in 0..<2 {
      var bodies: [String] = []
      for method in ["GET", "POST", "GET", "POST", "GET"] { bodies.append(try await client.send(method, "/cart").body) }
      XCTAssertEqual(bodies, ["[]", "first", "[1]", "second", "[1,2]"])
      verifier.reset()
    }
    verifier.stop()
  }

  func testHundredsOfChangesEachLeadToTheNextResponse() async throws {
    let (verifier, client) = try replay(
      (0..<200).flatMap { [exchange("GET", "/count", says: "\($0)"), exchange("POST", "/count", says: "ok")] })
    for index in 0..<200 {
      let count = try await client.get("/count").body
      guard count == "\(index)" else { return XCTFail("\(count) instead of \(index)") }
      try await client.send("POST", "/count")
    }
    verifier.stop()
  }

  func testRequestsBesideAChangeGetResponsesWhicheverArrivesFirst() async throws {
    let (verifier, client) = try replay(
      [
        exchange("GET", "/a", says: "a", epoch: 0), exchange("POST", "/cart", says: "first", epoch: 0),
        exchange("GET", "/b", says: "b", epoch: 1), exchange("GET", "/late", says: "late", epoch: 3),
      ])
    for _ in 0..<20 {
      let bodies = try await withThrowingTaskGroup(of: String.self) { group in
        for (method, path) in [("GET", "/a"), ("POST", "/cart"), ("GET", "/b"), ("GET", "/late")] {
          group.addTask { try await client.send(method, path).body }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      XCTAssertEqual(bodies.sorted(), ["a", "b", "first", "late"])
      verifier.reset()
    }
    verifier.stop()
  }

  /// Browsers send `patch` as it was written (Fetch 2.2.1).
  func testAMethodIsReplayedAsItWasSent() async throws {
    let methods = ["PATCH", "patch", "DELTE"]
    let (verifier, client) = try replay(methods.map { exchange($0, "/cart", says: "\($0)") })
    for method in methods.reversed() {
      let body = try await client.send(method, "/cart").body
      XCTAssertEqual(body, method)
    }
    verifier.stop()
  }

  // MARK: Stubs of the test

  private func bodies(_ client: Client) async throws -> [String] {
    var bodies: [String] = []
    for method in ["GET", "POST", "GET", "POST", "GET"] { bodies.append(try await client.send(method, "/cart").body) }
    return bodies
  }

  func testAStubOfTheTestChangesNothingInTheRecording() async throws {
    let (verifier, client) = try replay(cart)
    verifier.stub(.post, "/cart", .text("stub", status: 201), times: 1)
    let seen = try await bodies(client)
    XCTAssertEqual(seen, ["[]", "stub", "[]", "first", "[1]"])
    verifier.stop()
  }

  func testAScenarioOfARecordingGoesByTheSameRule() async throws {
    try BackendRecording(upstreams: ["/*": "http://api.example"], exchanges: cart).write(to: folder)
    let verifier = TrackingVerifier(with: self, configuration: .init(reporter: RecordingReporter()))
    verifier.start()
    verifier.install(RecordedScenario(contentsOf: folder))
    verifier.stub(.post, "/cart", .text("stub", status: 201), times: 1)
    let seen = try await bodies(Client(verifier.baseURL))
    XCTAssertEqual(seen, ["[]", "stub", "[]", "first", "[1]"])
    verifier.stop()
  }

  /// A timer decides how often such an app logs.
  func testAnAppThatLogsMoreOrLessOftenThanRecordedSeesTheSameStates() async throws {
    let flow = [
      exchange("POST", "/log", says: "ok"), exchange("GET", "/cart", says: "[]"),
      exchange("POST", "/cart", says: "first"), exchange("GET", "/cart", says: "[1]"),
    ]
    for logs in 0...3 {
      let (verifier, client) = try replay(flow)
      for _ in 0..<logs { try await client.send("POST", "/log") }
      var bodies: [String] = []
      for method in ["GET", "POST", "GET"] { bodies.append(try await client.send(method, "/cart").body) }
      XCTAssertEqual(bodies, ["[]", "first", "[1]"], "\(logs) times")
      verifier.stop()
    }
  }
}
