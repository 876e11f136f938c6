import TestSupport

/// Every part of a stub is passed as it is.
final class StubCodingTests: XCTestCase {
  private let folder = StubFolder.url(
    FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString) b=c%", directoryHint: .isDirectory))

  private func check(_ patterns: [RequestPattern]) throws {
    try check(patterns.map { StubEndpoint($0, .ok) })
  }

  private func check(_ results: [StubResponse]) throws {
    try check(results.map { StubEndpoint(.get, "/*", $0) })
  }

  private func check(_ stubs: [StubEndpoint]) throws {
    for stub in stubs {
      let data = try JSONEncoder().encode(PortableStub(stub, folder: folder))
      XCTAssertEqual(try JSONDecoder().decode(PortableStub.self, from: data).stub, stub)
    }
  }

  func testEveryPathComesBack() throws {
    try check([.request(.get, "/a/:b/*"), .request(.get, .regex(#"/a\.[0-9]+"#)), .request(.get, "/")])
  }

  func testEveryMethodComesBack() throws {
    let methods = [ReceivedRequest.Method.get, .head, .post, .put, .patch, .delete, .options, "REPORT", .any]
    try check(methods.map { .request($0, "/") })
    try check([RequestPattern.request(.get, "/").with(sentMethod: "patch")])
  }

  func testEveryConditionComesBack() throws {
    let queries: [QueryCondition?] = [
      nil, .subset([:]), .exact([:]), .exact(["a": "=&"]), .subset(["": ""]),
      .exactItems(["a": "1", "b": "2", "a": "3"]),
    ]
    try check(queries.map { .request(.get, "/", query: $0) })
    let bodies: [BodyCondition?] = [
      .multipart(["title": "Walden", "cover": .file(named: .hasSuffix(".png"), type: "image/png")]),
      nil, .exact(Data([0, 255])), .exact(Data()), .text("\u{0}\u{1f4d6}"), .json(nil),
      .json(["a": [1, 1.5, true, nil, "x", .equal(to: UInt64.max)]]), .jsonSubset([:]),
      .form(["a": "1"]), .formSubset([:]),
    ]
    try check(bodies.map { .request(.post, "/", body: $0) })
    try check([
      .request(.post, "/", host: .hasSuffix(".example"), headers: ["E": .present], cookies: ["c": .not("1")]),
      .request(.get, url: "https://api.example:8443/users?page=2"),
    ])
  }

  func testEveryCombinationComesBack() throws {
    let (a, b) = (RequestPattern.request(.get, "/a/:id"), RequestPattern.request(.any, "/*", headers: ["B": "1"]))
    try check([a.and(b), a.or(b), a.not(), a.and(b.not()).or(b.and(a))])
  }

  func testEveryNumberOfResponsesComesBack() throws {
    for times in [nil, 1, 3] {
      try check([StubEndpoint(.get, "/", .ok, times: times)])
    }
  }

  func testEveryFaultComesBack() throws {
    let faults = HTTPFault.Position.allCases.filter { $0 != .accept }.flatMap { position in
      HTTPFault.Effect.allCases.map { HTTPFault($0, at: position) }
    }
    XCTAssertEqual(faults.count, 25)
    try check(faults.map { StubResponse.fault($0) })
  }

  func testEveryPartOfAResponseComesBack() throws {
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder.url) }
    try check([
      .ok, .error(.notConnectedToInternet), .error(.cannotFindHost), .files(in: folder), .ok.body(after: 2),
      .data(Data([0, 255]), type: nil), .data(Data(), type: "a/b").with(header: "Content-Type", "c/d"),
      .status(404, reason: "Gone for good"),
      StubResponse(
        status: 404, headers: ["Set-Cookie": "a=1", "set-cookie": "b=2"], content: .empty, delay: 0.1,
        dribble: StubResponse.Dribble(over: 1.5, pieces: 3), fault: HTTPFault(.close, at: .response),
        errorCode: .timedOut
      ),
    ])
  }

  func testAStubComesBackWhole() throws {
    var stub = StubEndpoint(
      .request(
        .post, .regex("/a"), host: "b.example", query: .subset(["c": "d"]), headers: ["E": "f"], body: .text("g")),
      [.ok, .status(404)], times: 1, name: "h")
    stub.options.epoch = 2
    stub.results[0].nextEpoch = 3
    try check([stub])
  }

  func testTheFuzzersSeedIsAStub() throws {
    let seed = URL(fileURLWithPath: #filePath).appending(path: "../../../../../../Fuzzing/seeds/stub/stub").standardized
    let body = try String(contentsOf: seed, encoding: .utf8).split(separator: "\n\n", maxSplits: 1)[1]
    let stub = try JSONDecoder().decode(PortableStub.self, from: Data(body.utf8)).stub
    XCTAssertNil(stub.pattern.problem)
    XCTAssertEqual(stub.results.count, 3)
  }

  func testCodeGatesAndStreamsDoNotTravel() {
    let stubs = [
      StubEndpoint(.get, "/") { _ in .ok }, StubEndpoint(.get, "/", .ok.held(by: StubGate())),
      StubEndpoint(.get, "/", .ok.body(after: StubGate())),
      StubEndpoint(.get, "/", StubResponse(content: .stream(ByIdentity(StubStream())))),
      StubEndpoint(
        RequestPattern.request(.get, "/").and(.request(.any, "/", where: .satisfying("a") { _ in true })), .ok),
    ]
    for stub in stubs { XCTAssertThrowsError(try PortableStub(stub, folder: nil), "\(stub)") }
  }
}
