import TestSupport
import TrackingVerifier

/// The values that are handed over to an app at launch: stubs, and the address of its backend.
final class HandOverTests: XCTestCase {
  private let reporter = RecordingReporter()
  private lazy var verifier = TrackingVerifier(with: self, configuration: .init(reporter: reporter))

  // MARK: - Stubs

  func testAFewStubsAreAVariable() throws {
    let environment = verifier.stubsEnvironment(for: [StubEndpoint(.get, "/users", .json(["posts": 5]))])
    XCTAssertEqual(environment.keys.sorted(), ["TRACKING_STUBS"])
    XCTAssertFalse(environment.values.joined().contains("="))
    let stub = try XCTUnwrap(StubsHandOver.stubs(in: environment)?.first)
    XCTAssertEqual(stub.description, "GET /users")
    XCTAssertEqual(stub.results.map(\.content), [StubResponse.json(["posts": 5]).content])
    XCTAssertEqual(verifier.stubsEnvironment(for: Users().stubs), environment)
    XCTAssertEqual(reporter.messages, [])
  }

  func testManyStubsAreAFileUntilTheStop() throws {
    let large = StubResponse.text(String(repeating: "0123456789", count: 10_000))
    let environment = verifier.stubsEnvironment(for: [StubEndpoint(.get, "/users", large)])
    XCTAssertEqual(environment.keys.sorted(), ["TRACKING_STUBS"])
    let value = try XCTUnwrap(environment["TRACKING_STUBS"])
    XCTAssertTrue(value.hasPrefix("file:/"))
    let path = String(value.dropFirst("file:".count))
    XCTAssertTrue(FileManager.default.fileExists(atPath: path))
    XCTAssertEqual(try StubsHandOver.stubs(in: environment)?.first?.results.map(\.content), [large.content])
    verifier.stop()
    XCTAssertFalse(FileManager.default.fileExists(atPath: path))
    XCTAssertEqual(reporter.messages, [])
  }

  func testStubsHandedOverInSetUpAndInTheTestAddUp() throws {
    let (users, posts) = (
      StubEndpoint(.request(.get, url: "https://api.example/users"), .ok), StubEndpoint(.get, "/posts", .ok)
    )
    let large = StubEndpoint(.get, "/large", .text(String(repeating: "0123456789", count: 10_000)))
    var environment = verifier.stubsEnvironment(for: [users])
    for (stubs, all) in [
      ([posts], [users, posts]), ([large], [users, posts, large]), ([users], [posts, large, users]),
    ] {
      environment.merge(verifier.stubsEnvironment(for: stubs)) { $1 }
      XCTAssertEqual(try StubsHandOver.stubs(in: environment)?.map(\.description), all.map(\.description))
    }
    verifier.resetStubs()
    environment.merge(verifier.stubsEnvironment(for: [posts])) { $1 }
    XCTAssertEqual(try StubsHandOver.stubs(in: environment)?.map(\.description), ["GET /posts"])
    XCTAssertEqual(reporter.messages, [])
  }

  func testALaterSeedDoesNotHideAnInvalidOne() {
    _ = verifier.stubsEnvironment(for: [StubEndpoint(.get, "/b", [])])
    XCTAssertThrowsError(try StubsHandOver.stubs(in: verifier.stubsEnvironment(for: [StubEndpoint(.get, "/a", .ok)])))
    XCTAssertEqual(reporter.kinds, [.invalidStub])
  }

  func testCodeIsNotHandedOver() {
    let stubs = [
      StubEndpoint(.get, "/a") { _ in .ok },
      StubEndpoint(.request(.get, "/a", where: .satisfying("a lucky day") { _ in true }), .ok),
      StubEndpoint(.request(.get, "/a", headers: ["X": .not(.satisfying("even") { _ in true })]), .ok),
      StubEndpoint(.request(.get, "/a", body: .json(["a": .matches(/a+/, as: "some a")])), .ok),
    ]
    for stub in stubs { _ = verifier.stubsEnvironment(for: [stub]) }
    let rest = "and code can't be handed over to another process: stub it on the verifier's server."
    XCTAssertEqual(
      reporter.sentences,
      [
        "The stub GET /a can't be handed over to the app: its answer is a closure, \(rest)",
        #"The stub GET /a where a lucky day can't be handed over to the app: its condition "a lucky day" is a closure, \#(rest)"#,
        #"The stub GET /a with X: (not even) can't be handed over to the app: its condition "even" is a closure or a Regex, \#(rest)"#,
        #"The stub GET /a with the body {"a": a text that matches some a} can't be handed over to the app: its condition "some a" is a closure or a Regex, \#(rest)"#,
      ])
  }

  func testStubsThatCannotBeUsedFailAtTheLineOfTheCall() {
    let stubs = [StubEndpoint(.get, "/a", .ok), StubEndpoint(.get, "/b", [])]
    let (unusable, line) = (verifier.stubsEnvironment(for: stubs), #line as UInt)
    XCTAssertThrowsError(try StubsHandOver.stubs(in: unusable))
    XCTAssertEqual(
      reporter.sentences,
      ["The stub GET /b can't be handed over to the app: it has no answer: add at least one result."])
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
