import Foundation
import TrackingLaunch
import TrackingServer
import XCTest

@testable import StubbedSession

/// The session with stubs, if any, that a process gets from its launch arguments and environment.
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
    try table(stubs.map { try PortableStub($0, folder: nil) })
  }

  private func table(_ stubs: [PortableStub]) throws -> [String: String] {
    try StubsInEnvironment.environment(for: stubs) { _ in "none" }
  }

  private func session(_ arguments: [String], _ environment: [String: String] = [:]) -> URLSession? {
    StubbedSession(
      scenarios: LaunchState.self, folder: .url(FileManager.default.temporaryDirectory), arguments: ["app"] + arguments,
      environment: environment)?.urlSession()
  }

  private func response(_ path: String, _ session: URLSession?) async throws -> String {
    let session = try XCTUnwrap(session)
    do {
      let (data, _) = try await session.data(from: URL(string: "https://api.example/\(path)")!)
      return String(decoding: data, as: UTF8.self)
    } catch {
      return error.localizedDescription
    }
  }

  func testNothingPassedIsNoSession() {
    XCTAssertNil(session([]))
    XCTAssertNil(session(["-TrackingURL", "http://[::1]:1"], ["TRACKING_URL": "http://[::1]:1"]))
    XCTAssertNil(StubbedSession(environment: ["PATH": "/bin"])?.urlSession())
    XCTAssertNil(StubbedSession(scenarios: LaunchState.self)?.urlSession())
  }

  func testAScenarioIsChosenByItsName() async throws {
    let debug = try await response("a", session(["-x", "-StubScenario", "debug", "-y"]))
    XCTAssertEqual(debug, "debug")
    let screenshots = try await response("a", session(LaunchState.screenshots.launchArguments))
    XCTAssertEqual(screenshots, "screenshots")
    XCTAssertEqual(LaunchState.screenshots.launchArguments, ["-StubScenario", "screenshots"])
  }

  func testAScenarioIsReadInEachFormThatTestToolsPass() async throws {
    for arguments in [
      ["--StubScenario", "debug"], ["StubScenario=debug"], ["-StubScenario=debug"], ["--StubScenario=debug"],
      ["StubScenario", "debug"], ["-StubScenario", "screenshots", "-StubScenario", "debug"],
      ["-StubScenario", "x", "StubScenario=debug"], ["-stubScenario", "x", "-StubScenario", "debug"],
    ] {
      let response = try await response("a", session(arguments))
      XCTAssertEqual(response, "debug", "\(arguments)")
    }
  }

  func testAScenarioThatIsSpeltOtherwiseFailsEveryRequest() async throws {
    for arguments in [
      ["-stubScenario", "debug"], ["-stub-scenario", "debug"], ["STUB_SCENARIO=debug"], ["-StubScenario debug"],
      [" -StubScenario", "debug"], ["-StubScenario ", "debug"], ["\"-StubScenario\"", "debug"], ["StubScenario:debug"],
      [#"{"StubScenario":"debug"}"#], ["<key>StubScenario</key><string>debug</string>"],
    ] {
      let response = try await response("a", session(arguments))
      XCTAssertEqual(
        response,
        """
        GET api.example/a gets no response: the launch argument "\(arguments[0])" isn't read; write -StubScenario and a name, \
        or StubScenario=name; there are debug, screenshots, broken
        """)
    }
    for arguments in [["-StubScenarios", "debug"], ["/tmp/StubScenario"], ["MyStubScenario=debug"]] {
      XCTAssertNil(session(arguments), "\(arguments)")
    }
  }

  func testATableIsTakenFromTheEnvironment() async throws {
    let environment = try table([StubEndpoint(.get, "/a", .text("table"))])
    let first = try await response("a", session([], environment))
    XCTAssertEqual(first, "table")
    let second = try await response("a", StubbedSession(environment: environment)?.urlSession())
    XCTAssertEqual(second, "table")
    let third = try await response(
      "a", (StubbedSession(environment: environment)?.configuration()).map { URLSession(configuration: $0) })
    XCTAssertEqual(third, "table")
  }

  func testATableThatIsTooLargeForAVariableIsFetched() async throws {
    let server = TrackingServer()
    try server.start()
    defer { server.stop() }
    let body = String(repeating: "0123456789", count: 40_000)
    let stub = try PortableStub(StubEndpoint(.get, "/a", .text(body)), folder: nil)
    let owner = server.stubs.makeOwner()
    let environment = try StubsInEnvironment.environment(for: [stub]) { server.stubs.store([UInt8]($0), of: owner) }
      .merging(XCTUnwrap(server.endpoint).launchEnvironment) { $1 }
    let first = try await response("a", session([], environment))
    XCTAssertEqual(first, body)
    let second = try await response("a", StubbedSession(environment: environment)?.urlSession())
    XCTAssertEqual(second, body)
    server.stubs.removeAll(of: owner)
    // Never the real backend.
    let third = try await response("a", session([], environment))
    XCTAssertEqual(
      third,
      """
      GET api.example/a gets no response: the table of stubs is too large for TRACKING_STUBS, and the verifier that keeps it didn't \
      send it: has its test ended, or does the launch lack other variables of `stubsEnvironment`?
      """)
  }

  func testOfAScenarioAndATableTheTableIsLater() async throws {
    let session = session(
      LaunchState.screenshots.launchArguments, try table([StubEndpoint(.get, "/a", .text("table"))]))
    let changed = try await response("a", session)
    XCTAssertEqual(changed, "table")
    let kept = try await response("b", session)
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
      (["-StubScenario"], [:], "-StubScenario is not followed by a name; there are debug, screenshots, broken"),
      (
        LaunchState.broken.launchArguments, [:],
        "the stub GET /a can't be used: the stub file \(missing) doesn't exist"
      ),
      ([], ["TRACKING_STUBS": "?"], "TRACKING_STUBS isn't base64url text"),
      (LaunchState.debug.launchArguments, ["TRACKING_STUBS": "?"], "TRACKING_STUBS isn't base64url text"),
      (
        ["-StubScenario", "screenshot"], ["TRACKING_STUBS": "?"],
        #"there is no scenario "screenshot"; there are debug, screenshots, broken"#
      ),
      (
        [], try table([PortableStub(describing: StubEndpoint(.get, "a", .ok))]),
        #"the stub GET a can't be used: the path "a" doesn't begin with a slash"#
      ),
    ]
    for row in rows {
      let response = try await response("a", session(row.arguments, row.environment))
      XCTAssertEqual(response, "GET api.example/a gets no response: \(row.reason)")
    }
  }

  func testWhatIsWrongIsLoggedAtOnce() {
    let lines = Lines()
    _ = URLSessionConfiguration.ephemeral.responding(
      from: .failure(.unknownScenario("x", known: ["a", "b"])), .fail, lines.log, nil)
    XCTAssertEqual(lines.all, [#"StubbedSession: there is no scenario "x"; there are a, b"#])
    XCTAssertEqual(StubsProblem.unknownScenario("x", known: []).text, #"there is no scenario "x"; the app has none"#)
  }

  func testOnlyAVerifierOnThisMachineIsReportedTo() {
    let endpoint = TrackingEndpoint(url: URL(string: "http://[::1]:50123")!, session: "token")
    XCTAssertNotNil(VerifierChannel([], endpoint.launchEnvironment))
    XCTAssertNotNil(VerifierChannel(endpoint.launchArguments, [:]))
    XCTAssertNil(VerifierChannel([], [:]))
    XCTAssertNil(VerifierChannel([], ["TRACKING_URL": "http://verifier.example:80"]))
    XCTAssertNil(VerifierChannel([], ["TRACKING_URL": "http://[::1]:1", "TRACKING_SESSION": "a\r\nb"]))
  }

  func testRequestsAreReportedBeforeTheyGetResponses() async throws {
    let server = TrackingServer()
    try server.start()
    defer { server.stop() }
    let stubs = [StubEndpoint(.request(.post, "/a", body: .text("x")), .text("yes", status: 201))]
    let environment = try XCTUnwrap(server.endpoint).launchEnvironment.merging(table(stubs)) { $1 }
    let session = StubbedSession(environment: environment)?.urlSession()
    var request = URLRequest(url: URL(string: "https://api.example/a?q=1")!)
    request.httpMethod = "POST"
    request.httpBody = Data("x".utf8)
    request.setValue("1", forHTTPHeaderField: "X")
    _ = try await XCTUnwrap(session).data(for: request)
    _ = try await response("b", session)
    let requests = server.journal.requests
    XCTAssertEqual(
      requests.map(\.description),
      ["POST /a?q=1 -> 201 by POST /a with the body \"x\"", "GET /b -> no response, no stub matches"])
    XCTAssertEqual(requests[0].request.headers["X"], "1")
    XCTAssertEqual(requests[0].request.text, "x")
    XCTAssertEqual(requests[0].request.host, "api.example")
    XCTAssertEqual(requests[0].request.port, 443)
    XCTAssertEqual(
      requests[1].nearestStub,
      #"POST /a with the body "x": the path is /b, not /a; the method is GET, not POST; the body is "", not "x""#)
    XCTAssertEqual(requests.map(\.isUnmatched), [false, true])
  }

  func testADelayedResponseIsSentWhenTheAppGetsIt() async throws {
    let server = TrackingServer()
    try server.start()
    defer { server.stop() }
    let stubs = [
      StubEndpoint(.get, "/slow", .text("slow").delayed(by: 0.05)), StubEndpoint(.get, "/never", .ok.delayed(by: 600)),
      StubEndpoint(.get, "/moved", .status(302).with(header: "Location", "/slow").delayed(by: 0.05)),
    ]
    let environment = try XCTUnwrap(server.endpoint).launchEnvironment.merging(table(stubs)) { $1 }
    let session = StubbedSession(environment: environment)?.urlSession()
    let open = session?.dataTask(with: try XCTUnwrap(URL(string: "https://api.example/never"))) { _, _, _ in }
    open?.resume()
    while server.journal.requests.isEmpty { await Task.yield() }
    let text = try await response("slow", session)
    XCTAssertEqual(text, "slow")
    let redirected = try await response("moved", session)
    XCTAssertEqual(redirected, "slow")
    let requests = server.journal.requests
    XCTAssertEqual(requests.map(\.target), ["/never", "/slow", "/moved", "/slow"])
    XCTAssertEqual(requests.map(\.hasResponse), [true, true, true, true])
    XCTAssertEqual(requests.map { $0.sending != nil }, [false, true, true, true])
    let times = requests.map { request in request.sending.map { $0.instant - request.arrival } ?? .zero }
    XCTAssertGreaterThanOrEqual(times[1], .milliseconds(50))
    // The session follows a redirect at once, and waits before the last response.
    XCTAssertEqual(times[2], .zero)
    XCTAssertGreaterThanOrEqual(times[3], .milliseconds(100))
    open?.cancel()
  }

  func testAStubThatRespondsInPlaceOfAnUnreadOneIsReported() async throws {
    let server = TrackingServer()
    try server.start()
    defer { server.stop() }
    let stubs = [
      StubEndpoint(.post, "/*", .ok), StubEndpoint(.request(.post, "/a", body: .json(["n": 1])), .status(201)),
    ]
    let environment = try XCTUnwrap(server.endpoint).launchEnvironment.merging(table(stubs)) { $1 }
    var request = URLRequest(url: URL(string: "https://api.example/a")!)
    request.httpMethod = "POST"
    request.httpBody = Data("[,".utf8)
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    _ = try await XCTUnwrap(StubbedSession(environment: environment)?.urlSession()).data(for: request)
    XCTAssertEqual(
      server.journal.requests.map(\.doubt),
      [
        "POST /a got its response from POST /*. The stub POST /a with the body {\"n\": 1}, which comes first, could not be compared "
          + "with it: the body can't be read as JSON: expected a value, found \",\", at [0], byte 1."
      ])
  }

  func testAVerifierThatIsGoneHoldsNothingUp() async throws {
    let server = TrackingServer()
    try server.start()
    let environment = try XCTUnwrap(server.endpoint).launchEnvironment
    server.stop()
    let start = ContinuousClock.now
    let text = try await response(
      "a",
      StubbedSession(environment: environment.merging(table([StubEndpoint(.get, "/a", .text("a"))])) { $1 })?
        .urlSession())
    XCTAssertEqual(text, "a")
    XCTAssertLessThan(ContinuousClock.now - start, .seconds(20))
  }

  func testTheReportArrives() async throws {
    let server = TrackingServer()
    try server.start()
    defer { server.stop() }
    let endpoint = try XCTUnwrap(server.endpoint)
    let session = session(["-StubScenario", "x"], endpoint.launchEnvironment)
    XCTAssertNotNil(session)
    let deadline = ContinuousClock.now + .seconds(10)
    while server.journal.rejections.isEmpty, ContinuousClock.now < deadline { await Task.yield() }
    XCTAssertEqual(
      server.journal.rejections.map(\.reason),
      [#"StubbedSession: there is no scenario "x"; there are debug, screenshots, broken"#])
  }
}
