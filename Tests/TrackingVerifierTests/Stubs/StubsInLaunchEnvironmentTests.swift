import TestSupport
import TrackingLaunch
import TrackingServer
import TrackingVerifier

/// The values that are passed to an app at launch: stubs, and the address of its backend.
final class StubsInLaunchEnvironmentTests: XCTestCase {
  private let reporter = RecordingReporter()
  private lazy var verifier = TrackingVerifier(with: self, configuration: .init(reporter: reporter))

  // MARK: - Stubs

  func testAFewStubsAreAVariable() throws {
    let environment = verifier.stubsEnvironment(for: [StubEndpoint(.get, "/users", .json(["posts": 5]))])
    XCTAssertEqual(environment.keys.sorted(), ["TRACKING_STUBS"])
    XCTAssertFalse(environment.values.joined().contains("="))
    let stub = try XCTUnwrap(taken(from: environment)?.first)
    XCTAssertEqual(stub.description, "GET /users")
    XCTAssertEqual(stub.results.map(\.content), [StubResponse.json(["posts": 5]).content])
    XCTAssertEqual(verifier.stubsEnvironment(for: Users().stubs), environment)
    XCTAssertEqual(reporter.messages, [])
  }

  func testManyStubsStayWithTheVerifierUntilItStops() throws {
    let server = TrackingServer()
    try server.start()
    defer { server.stop() }
    let large = StubEndpoint(.get, "/users", .text(String(repeating: "0123456789", count: 40_000)))
    let (verifier, other) = (
      TrackingVerifier(with: self, server: server, configuration: .init(reporter: reporter)),
      TrackingVerifier(with: self, server: server, configuration: .init(reporter: reporter))
    )
    let environment = verifier.stubsEnvironment(for: [large])
    XCTAssertEqual(environment.keys.sorted(), ["TRACKING_SESSION", "TRACKING_STUBS", "TRACKING_URL"])
    XCTAssertFalse(environment.values.joined().contains("="))
    XCTAssertEqual(environment.merging(verifier.launchEnvironment) { $1 }, environment)
    let another = other.stubsEnvironment(for: [large])
    // A later table and a reset change nothing for an app that has been launched.
    verifier.resetStubs()
    _ = verifier.stubsEnvironment(for: [StubEndpoint(.get, "/a", .ok), large])
    XCTAssertEqual(try taken(from: environment)?.first?.results.map(\.content), large.results.map(\.content))
    verifier.stop()
    XCTAssertThrowsError(try taken(from: environment)) { error in
      XCTAssertEqual(
        (error as? StubsInEnvironmentError)?.reason,
        """
        the table of stubs is too large for TRACKING_STUBS, and the verifier that keeps it didn't send it: has its test ended, or \
        does the launch lack other variables of `stubsEnvironment`?
        """)
    }
    XCTAssertEqual(try taken(from: another)?.count, 1)
    XCTAssertEqual(reporter.messages, [])
  }

  func testATableIsSentToItsOwnSessionAlone() throws {
    let large = StubEndpoint(.get, "/users", .text(String(repeating: "0123456789", count: 40_000)))
    var environment = verifier.stubsEnvironment(for: [large])
    environment["TRACKING_SESSION"] = "another"
    XCTAssertThrowsError(try taken(from: environment))
    environment["TRACKING_SESSION"] = nil
    XCTAssertThrowsError(try taken(from: environment))
    environment["TRACKING_URL"] = nil
    XCTAssertThrowsError(try taken(from: environment))
  }

  /// The stubs that an app takes from its environment.
  private func taken(from environment: [String: String]) throws -> [StubEndpoint]? {
    try StubsInEnvironment.stubs(in: environment) { VerifierChannel([], environment)?.table(named: $0) }
  }

  func testStubsPassedInSetUpAndInTheTestAddUp() throws {
    let (users, posts) = (
      StubEndpoint(.request(.get, url: "https://api.example/users"), .ok), StubEndpoint(.get, "/posts", .ok)
    )
    let large = StubEndpoint(.get, "/large", .text(String(repeating: "0123456789", count: 40_000)))
    var environment = verifier.stubsEnvironment(for: [users])
    for (stubs, all) in [
      ([posts], [users, posts]), ([large], [users, posts, large]), ([users], [posts, large, users]),
    ] {
      environment.merge(verifier.stubsEnvironment(for: stubs)) { $1 }
      XCTAssertEqual(try taken(from: environment)?.map(\.description), all.map(\.description))
    }
    verifier.resetStubs()
    environment.merge(verifier.stubsEnvironment(for: [posts])) { $1 }
    XCTAssertEqual(try taken(from: environment)?.map(\.description), ["GET /posts"])
    XCTAssertEqual(reporter.messages, [])
  }

  func testALaterSeedDoesNotHideAnInvalidOne() {
    _ = verifier.stubsEnvironment(for: [StubEndpoint(.get, "/b", [])])
    XCTAssertThrowsError(try taken(from: verifier.stubsEnvironment(for: [StubEndpoint(.get, "/a", .ok)])))
    XCTAssertEqual(reporter.kinds, [.invalidStub])
  }

  func testCodeIsNotPassed() {
    let stubs = [
      StubEndpoint(.get, "/a") { _ in .ok },
      StubEndpoint(.request(.get, "/a", where: .satisfying("a lucky day") { _ in true }), .ok),
      StubEndpoint(.request(.get, "/a", headers: ["X": .not(.satisfying("even") { _ in true })]), .ok),
      StubEndpoint(.request(.get, "/a", body: .json(["a": .matches(/a+/, as: "some a")])), .ok),
    ]
    for stub in stubs { _ = verifier.stubsEnvironment(for: [stub]) }
    XCTAssertEqual(
      reporter.messages.compactMap { $0.split(separator: "\n").first },
      [
        "The stub GET /a can't be passed to the app: its response is a closure, and code can't be passed to another process",
        #"The stub GET /a where a lucky day can't be passed to the app: its condition "a lucky day" is a closure"#,
        #"The stub GET /a with X: (not even) can't be passed to the app: its condition "even" is a closure or a Regex"#,
        #"The stub GET /a with the body {"a": a text that matches some a} can't be passed to the app"#,
      ])
    XCTAssertTrue(reporter.sentences.allSatisfy { $0.lowercased().hasSuffix("stub it on the verifier's server.") })
  }

  func testStubsThatCannotBeUsedFailAtTheLineOfTheCall() {
    let stubs = [StubEndpoint(.get, "/a", .ok), StubEndpoint(.get, "/b", [])]
    let (unusable, line) = (verifier.stubsEnvironment(for: stubs), #line as UInt)
    XCTAssertThrowsError(try taken(from: unusable))
    XCTAssertEqual(
      reporter.sentences,
      ["The stub GET /b can't be passed to the app: it has no response: add at least one."])
    XCTAssertEqual(reporter.kinds, [.invalidStub])
    XCTAssertEqual(reporter.lines, [line])
  }

  // MARK: - The address of the backend

  func testThePortAndTheURLUnderCustomNames() throws {
    let verifier = TrackingVerifier(
      with: self, configuration: .init(endpointVariables: ["SERVER_PORT": .port, "-reportingURL": .url, "-p": .port]))
    verifier.start()
    let port = try XCTUnwrap(verifier.endpoint.url.port)
    XCTAssertEqual(verifier.baseURL.absoluteString, "http://localhost:\(port)")
    XCTAssertEqual(
      verifier.launchEnvironment, verifier.endpoint.launchEnvironment.merging(["SERVER_PORT": "\(port)"]) { $1 })
    XCTAssertEqual(
      verifier.launchArguments,
      verifier.endpoint.launchArguments + ["-p", "\(port)", "-reportingURL", "http://localhost:\(port)"])
  }
}

private struct Users: StubScenario {
  var stubs: [StubEndpoint] { [StubEndpoint(.get, "/users", .json(["posts": 5]))] }
}
