import Foundation
import TrackingServer
import XCTest

@testable import StubbedSession

/// What a process was launched with decides whether it has a session with stubs, and which.
final class LaunchTests: XCTestCase {
  private enum LaunchState: String, CaseIterable, StubScenario {
    case debug, screenshots, broken

    var stubs: [StubEndpoint] {
      switch self {
      case .debug: [StubEndpoint(.get, "/a", .text("debug"))]
      case .screenshots: [StubEndpoint(.get, "/a", .text("screenshots")), StubEndpoint(.get, "/b", .text("b"))]
      case .broken: [StubEndpoint(.get, "/a", .json(file: "nothing"))]
      }
    }
  }

  private func table(_ stubs: [StubEndpoint]) throws -> [String: String] {
    try StubsHandOver.environment(for: stubs) { throw CocoaError(.fileWriteUnknown) }
  }

  private func session(_ arguments: [String], _ environment: [String: String] = [:]) -> URLSession? {
    StubbedSession.urlSession(
      scenarios: LaunchState.self, folder: .url(FileManager.default.temporaryDirectory),
      arguments: ["app"] + arguments, environment: environment)
  }

  private func answer(_ path: String, _ session: URLSession?) async throws -> String {
    let session = try XCTUnwrap(session)
    do {
      let (data, _) = try await session.data(from: URL(string: "https://api.example/\(path)")!)
      return String(decoding: data, as: UTF8.self)
    } catch {
      return error.localizedDescription
    }
  }

  func testNothingHandedOverIsNoSession() {
    XCTAssertNil(session([]))
    XCTAssertNil(session(["-TrackingURL", "http://[::1]:1"], ["TRACKING_URL": "http://[::1]:1"]))
    XCTAssertNil(StubbedSession.urlSession(environment: ["PATH": "/bin"]))
    XCTAssertNil(StubbedSession.urlSession(scenarios: LaunchState.self))
  }

  func testAScenarioIsChosenByItsName() async throws {
    let debug = try await answer("a", session(["-x", "-StubScenario", "debug", "-y"]))
    XCTAssertEqual(debug, "debug")
    let screenshots = try await answer("a", session(LaunchState.screenshots.launchArguments))
    XCTAssertEqual(screenshots, "screenshots")
    XCTAssertEqual(LaunchState.screenshots.launchArguments, ["-StubScenario", "screenshots"])
  }

  func testATableIsTakenFromTheEnvironment() async throws {
    let environment = try table([StubEndpoint(.get, "/a", .text("table"))])
    let first = try await answer("a", session([], environment))
    XCTAssertEqual(first, "table")
    let second = try await answer("a", StubbedSession.urlSession(environment: environment))
    XCTAssertEqual(second, "table")
    let third = try await answer(
      "a", StubbedSession.configuration(environment: environment).map { URLSession(configuration: $0) })
    XCTAssertEqual(third, "table")
  }

  func testOfAScenarioAndATableTheTableIsLater() async throws {
    let session = session(
      LaunchState.screenshots.launchArguments, try table([StubEndpoint(.get, "/a", .text("table"))]))
    let changed = try await answer("a", session)
    XCTAssertEqual(changed, "table")
    let kept = try await answer("b", session)
    XCTAssertEqual(kept, "b")
  }

  func testWhatCannotBeUsedFailsEveryRequestWithTheReason() async throws {
    let missing = FileManager.default.temporaryDirectory.appending(path: "nothing.json").path(percentEncoded: false)
    let rows: [(arguments: [String], environment: [String: String], reason: String)] = [
      (
        ["-StubScenario", "screenshot"], [:],
        #"there is no scenario "screenshot"; there are debug, screenshots, broken"#
      ),
      (["-StubScenario", ""], [:], #"there is no scenario ""; there are debug, screenshots, broken"#),
      (["-StubScenario"], [:], "-StubScenario stands without a name; there are debug, screenshots, broken"),
      (
        LaunchState.broken.launchArguments, [:],
        "the stub GET /a cannot be used: the stub file \(missing) does not exist"
      ),
      ([], ["TRACKING_STUBS": "?"], "TRACKING_STUBS is no base64url text"),
      (LaunchState.debug.launchArguments, ["TRACKING_STUBS": "?"], "TRACKING_STUBS is no base64url text"),
      (
        ["-StubScenario", "screenshot"], ["TRACKING_STUBS": "?"],
        #"there is no scenario "screenshot"; there are debug, screenshots, broken"#
      ),
      (
        [], try table([StubEndpoint(.get, "a", .ok)]),
        #"the stub GET a cannot be used: the path "a" does not begin with a slash"#
      ),
    ]
    for row in rows {
      let answer = try await answer("a", session(row.arguments, row.environment))
      XCTAssertEqual(answer, "GET api.example/a is not answered: \(row.reason)")
    }
  }

  func testWhatIsWrongIsLoggedAtOnce() {
    let lines = Lines()
    _ = URLSessionConfiguration.ephemeral.answering(
      from: .failure(.unknownScenario("x", known: ["a", "b"])), .fail, lines.log, nil)
    XCTAssertEqual(lines.all, [#"StubbedSession: there is no scenario "x"; there are a, b"#])
    XCTAssertEqual(StubsProblem.unknownScenario("x", known: []).text, #"there is no scenario "x"; there are none"#)
  }

  func testAProblemIsReportedByAPostWithTheSession() throws {
    let endpoint = TrackingEndpoint(url: URL(string: "http://[::1]:50123")!, session: "token")
    for report in [ProblemReport([], endpoint.environment), ProblemReport(endpoint.launchArguments, [:])] {
      XCTAssertEqual(
        report?.request("wh\u{e4}t"),
        """
        POST /tracking-problem HTTP/1.1\r
        Host: localhost\r
        Connection: close\r
        Content-Type: text/plain; charset=utf-8\r
        Content-Length: 5\r
        Tracking-Session: token\r
        \r
        wh\u{e4}t
        """)
    }
    let forged = TrackingEndpoint(url: URL(string: "http://[::1]:50123")!, session: "a\r\nEvil: b")
    XCTAssertEqual(ProblemReport([], forged.environment)?.request("").contains("Evil"), false)
    XCTAssertNil(ProblemReport([], [:]))
    XCTAssertNil(ProblemReport([], ["TRACKING_URL": "http://verifier.example:80"]))
  }

  func testAReportThatNoServerTakesIsGivenUp() throws {
    let server = TrackingServer()
    try server.start()
    let endpoint = try XCTUnwrap(server.endpoint)
    server.stop()
    let group = DispatchGroup()
    try XCTUnwrap(ProblemReport([], endpoint.environment)).send("why", group)
    XCTAssertEqual(group.wait(timeout: .now() + 30), .success)
  }

  func testTheReportArrives() async throws {
    let server = TrackingServer()
    try server.start()
    defer { server.stop() }
    let endpoint = try XCTUnwrap(server.endpoint)
    let session = session(["-StubScenario", "x"], endpoint.environment)
    XCTAssertNotNil(session)
    let deadline = ContinuousClock.now + .seconds(10)
    while server.journal.rejections.isEmpty, ContinuousClock.now < deadline { await Task.yield() }
    XCTAssertEqual(
      server.journal.rejections.map(\.reason),
      [#"StubbedSession: there is no scenario "x"; there are debug, screenshots, broken"#])
  }
}
