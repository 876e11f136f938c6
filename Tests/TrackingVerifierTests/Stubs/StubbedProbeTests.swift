import TestSupport

@testable import TrackingVerifier

/// Stubs inside an app that is a separate process.
final class StubbedProbeTests: XCTestCase {
  private let reporter = RecordingReporter()
  private lazy var verifier = TrackingVerifier(with: self, configuration: .init(reporter: reporter))

  private func responses(_ environment: [String: String], _ urls: [String], by command: String = "get") throws -> String
  {
    verifier.start()
    let probe = try ProbeProcess(environment: verifier.launchEnvironment.merging(environment) { $1 })
    if command == "shared" { probe.send("register") }
    for url in urls { probe.send("\(command) \(url)") }
    return probe.finish()
  }

  func testAnAppRespondsFromTheTableThatTheTestPasses() throws {
    let table = verifier.stubsEnvironment(for: [
      StubEndpoint(.request(.get, "/users", host: "api.example"), [.status(503), .json(["posts": 5])]),
      StubEndpoint(.get, "/large", .text(String(repeating: "x", count: 100_000))),
    ])
    let urls = ["https://api.example/users", "https://api.example/users", "https://other.example/users"]
    assertText(
      try responses(table, urls),
      """
      503 \n200 {"posts":5}
      no stub matches GET other.example/users; the nearest is GET api.example/users: the host is other.example, not api.example

      """)
    verifier.stop()
    XCTAssertEqual(reporter.failures.map(\.message), [])
  }

  func testTheTestSeesTheRequestsOfTheAppsSession() throws {
    let table = verifier.stubsEnvironment(for: [
      StubEndpoint(.request(.get, "/users", host: "api.example"), .json(["posts": 5]))
    ])
    _ = try responses(table, ["https://api.example/users?page=2", "https://api.example/user"])
    verifier.wait(for: .request(.get, "/users", query: ["page": "2"]))
    XCTAssertEqual(
      verifier.requests.map(\.description),
      ["GET /users?page=2 -> 200 by GET api.example/users", "GET /user -> no response, no stub matches"])
    XCTAssertEqual(
      verifier.unmatchedRequests.map(\.nearestStub), ["GET api.example/users: the path is /user, not /users"])
    XCTAssertFalse(verifier.outcome(of: .noUnmatchedRequests).passed)
    XCTAssertEqual(reporter.messages, [])
  }

  func testTheSharedSessionRespondsOnceItIsRegistered() throws {
    let table = verifier.stubsEnvironment(for: [StubEndpoint(.get, "/users", [.status(503), .text("shared")])])
    XCTAssertEqual(
      try responses(table, ["https://api.example/users", "https://api.example/users"], by: "shared"),
      "503 \n200 shared\n"
    )
    XCTAssertEqual(verifier.requests.map(\.status), [503, 200])
  }

  func testATableThatTheAppCannotReadFailsTheTest() throws {
    XCTAssertEqual(
      try responses(["TRACKING_STUBS": "?"], ["https://api.example/users"]),
      "GET api.example/users gets no response: TRACKING_STUBS isn't base64url text\n")
    verifier.stop()
    assertTexts(
      reporter.messages,
      [
        """
        1 submission was rejected (422): StubbedSession: TRACKING_STUBS isn't base64url text

        Received, by time since the first arrival:
            #1  +0 ms  a rejected submission (422)

        The app reports a problem:
            StubbedSession: TRACKING_STUBS isn't base64url text
        """
      ])
  }

  func testATableThatTheTestCannotMakeKeepsTheAppOffItsBackend() throws {
    let table = verifier.stubsEnvironment(for: [StubEndpoint(.get, "users", .ok)])
    XCTAssertEqual(
      try responses(table, ["https://api.example/users"]),
      "GET api.example/users gets no response: the test that launched this process couldn't create a table of stubs\n")
    XCTAssertEqual(
      reporter.sentences,
      [#"The stub GET users can't be passed to the app: the path "users" doesn't begin with a slash."#])
  }
}
