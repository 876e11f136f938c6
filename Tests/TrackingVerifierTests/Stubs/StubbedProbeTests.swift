import TestSupport
import TrackingModel
import XCTest

@testable import TrackingVerifier

/// Stubs inside an app that is a process of its own.
final class StubbedProbeTests: XCTestCase {
  private let reporter = RecordingReporter()
  private lazy var verifier = TrackingVerifier(with: self, configuration: .init(reporter: reporter))

  private func answers(_ environment: [String: String], _ urls: [String]) throws -> String {
    verifier.start()
    let probe = try ProbeProcess(environment: verifier.launchEnvironment.merging(environment) { $1 })
    for url in urls { probe.send("get \(url)") }
    return probe.finish()
  }

  func testAnAppAnswersFromTheTableThatTheTestHandsOver() throws {
    let table = verifier.stubsEnvironment(for: [
      StubEndpoint(.get, "/users", host: "api.example", [.status(503), .json(["posts": 5])]),
      StubEndpoint(.get, "/large", .text(String(repeating: "x", count: 100_000))),
    ])
    let urls = ["https://api.example/users", "https://api.example/users", "https://other.example/users"]
    XCTAssertEqual(
      try answers(table, urls),
      """
      503 \n200 {"posts":5}
      no stub answers GET other.example/users; the nearest is GET api.example/users: the host is other.example, not api.example

      """)
    verifier.stop()
    XCTAssertEqual(reporter.failures.map(\.message), [])
  }

  func testATableThatTheAppCannotReadFailsTheTest() throws {
    XCTAssertEqual(
      try answers(["TRACKING_STUBS": "?"], ["https://api.example/users"]),
      "GET api.example/users is not answered: TRACKING_STUBS is no base64url text\n")
    verifier.stop()
    XCTAssertEqual(
      reporter.messages,
      [
        """
        When the test ended, expected everything that was tracked to arrive, and nothing to be rejected

        Received, by time since the first arrival:
            #1  +0 ms  a rejected submission (422)

        The app reports a problem:
            StubbedSession: TRACKING_STUBS is no base64url text
        """
      ])
  }

  func testATableThatTheTestCannotMakeKeepsTheAppOffItsBackend() throws {
    let table = verifier.stubsEnvironment(for: [StubEndpoint(.get, "users", .ok)])
    XCTAssertEqual(
      try answers(table, ["https://api.example/users"]),
      "GET api.example/users is not answered: the test that launched this process could not make a table of stubs\n")
    XCTAssertEqual(
      reporter.sentences,
      [#"The stub GET users cannot be handed over to the app: the path "users" does not begin with a slash."#])
  }
}
