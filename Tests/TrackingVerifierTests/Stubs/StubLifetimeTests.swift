import TestSupport
import TrackingServer

@testable import TrackingVerifier

/// The lifetime of stubs, and the verifier that owns them.
final class StubLifetimeTests: XCTestCase {
  private let reporter = RecordingReporter()
  private lazy var verifier = TrackingVerifier(with: self, configuration: .init(timeout: 5, reporter: reporter))

  private func status(_ verifier: TrackingVerifier, _ target: String) async throws -> Int {
    try await AppClient(verifier).send("GET", target).status
  }

  func testAStubFromBeforeTheStartResponds() async throws {
    verifier.stub(.get, "/books", .ok)
    verifier.start()
    let status = try await status(verifier, "/books")
    XCTAssertEqual(status, 200)
  }

  func testStubsRespondAfterARestart() async throws {
    verifier.start()
    verifier.stub(.get, "/books", [.status(503), .ok])
    let before = try await status(verifier, "/books")
    verifier.stop()
    verifier.start()
    let after = try await status(verifier, "/books")
    XCTAssertEqual([before, after], [503, 200])
    XCTAssertEqual(verifier.requests.map(\.status), [503, 200])
  }

  func testAResetRemovesRequestsAndAResetOfStubsRemovesStubs() async throws {
    verifier.start()
    verifier.stub(.get, "/books", .ok)
    _ = try await status(verifier, "/books")
    verifier.reset()
    XCTAssertEqual(verifier.requests, [])
    let afterReset = try await status(verifier, "/books")
    verifier.resetStubs()
    let afterResetStubs = try await status(verifier, "/books")
    XCTAssertEqual([afterReset, afterResetStubs], [200, 404])
    XCTAssertEqual(verifier.requests.map(\.number), [2, 3])
    XCTAssertEqual(verifier.unusedStubs, [])
  }

  func testVerifiersWithServersOfTheirOwnDoNotShareStubs() async throws {
    let other = TrackingVerifier(with: self, configuration: .init(reporter: reporter))
    verifier.start()
    other.start()
    verifier.stub(.get, "/books", .ok)
    let statuses = [try await status(verifier, "/books"), try await status(other, "/books")]
    XCTAssertEqual(statuses, [200, 404])
    XCTAssertEqual(other.unusedStubs, [])
  }

  func testOnASharedServerStubsGoWithTheirVerifier() async throws {
    let server = TrackingServer()
    let first = TrackingVerifier(with: self, server: server, configuration: .init(reporter: reporter))
    first.start()
    defer { server.stop() }
    let second = TrackingVerifier(with: self, server: server, configuration: .init(reporter: reporter))
    first.stub(.get, "/books", .status(201))
    first.inject(HTTPFault(.close, at: .response))
    first.respondToEvents(with: [.status(503)])
    second.stub(.get, "/books", .status(202), times: 1)
    second.stub(.get, "/orders", .ok)
    first.removeFaults()
    let both = [try await status(first, "/books"), try await status(first, "/books")]
    XCTAssertEqual(first.unusedStubs.map(\.description), [])
    XCTAssertEqual(second.unusedStubs.map(\.description), ["GET /orders"])
    first.stop()
    let left = [try await status(second, "/books"), try await status(second, "/orders")]
    XCTAssertEqual(both, [202, 201])
    XCTAssertEqual(left, [404, 200])
    let events = try await AppClient(second).send("POST", "/", #"{"name":"tapped"}"#, type: "application/json")
    XCTAssertEqual(events.status, 204)
    XCTAssertEqual(reporter.messages, [])
  }

  func testOnASharedServerEachVerifierReportsItsOwnClosures() async throws {
    let server = TrackingServer()
    defer { server.stop() }
    let first = TrackingVerifier(with: self, server: server, configuration: .init(reporter: reporter))
    let other = RecordingReporter()
    let second = TrackingVerifier(with: self, server: server, configuration: .init(reporter: other))
    first.start()
    first.stub(.get, "/books") { _ in .status(1) }
    _ = try await status(first, "/books")
    second.stop()
    first.stop()
    XCTAssertEqual(other.messages, [])
    XCTAssertEqual(
      reporter.sentences,
      [
        """
        The closure for GET /books returned no response to /books 1 isn't the status of a final response, which is from 200 to 599.
        """
      ])
  }

  func testOnASharedServerNothingThatAStubCapturedOutlivesItsTest() async throws {
    final class Captured: Sendable {}
    let server = TrackingServer()
    defer { server.stop() }
    try server.start()
    var captured: Captured? = Captured()
    weak var weakly: Captured?
    weakly = captured
    func test(_ captured: Captured) async throws -> StubTable.ID {
      // XCTest keeps a test case until its end, and with it the verifiers that it is to stop.
      let verifier = TrackingVerifier(with: .idle(), server: server, configuration: .init(reporter: reporter))
      let isWanted = RequestPredicate.satisfying("a test's") { [captured] _ in
        _ = captured; return true
      }
      let stub = verifier.stub(.request(.get, "/books", where: isWanted)) { [captured] _ in
        _ = captured; return .ok
      }
      let found = try await status(verifier, "/books")
      XCTAssertEqual(found, 200)
      verifier.stop()
      XCTAssertEqual(stub.count, 1)
      XCTAssertEqual(
        verifier.requests.map(\.description),
        [
          "GET /books -> 200 by GET /books where a test's"
        ])
      return try XCTUnwrap(stub.id)
    }
    let id = try await test(XCTUnwrap(captured))
    captured = nil
    // The thread that ran the closures releases them after the response.
    let deadline = ContinuousClock.now + .seconds(1)
    while weakly != nil, ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(1)) }
    XCTAssertNil(weakly)
    XCTAssertNil(server.stubs.usage(of: id))
  }
}
