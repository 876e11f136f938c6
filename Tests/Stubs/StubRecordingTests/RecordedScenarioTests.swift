import StubbedSession
import TestSupport
import TrackingServer
import TrackingVerifier

@testable import StubRecording
@testable import StubReplay

/// A recording as stubs: in any test, and inside an app.
final class RecordedScenarioTests: RecordingTestCase {
  private func exchange(
    _ method: String, _ target: String, _ body: String = "", _ headers: MessageHeaders = [:], epoch: Int? = nil,
    status: Int = 200, response: String = "{}", _ fields: MessageHeaders = ["Content-Type": "application/json"]
  ) -> RecordedExchange {
    let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
    return RecordedExchange(
      request: .init(
        method: method, origin: "http://api.example", path: parts[0], query: parts.count > 1 ? parts[1] : nil,
        headers: headers, body: Data(body.utf8)),
      response: .init(status: status, headers: fields, body: Data(response.utf8)), epoch: epoch)
  }

  private func stubs(_ exchanges: RecordedExchange...) -> [String] {
    BackendRecording(upstreams: ["/*": "http://api.example"], exchanges: exchanges).stubs.map {
      "\($0) -> \($0.results.count)"
    }
  }

  func testAStubHasAsFewConditionsAsTheRecordingAllows() {
    let json: MessageHeaders = ["Content-Type": "application/json"]
    XCTAssertEqual(
      stubs(
        exchange("GET", "/a", "", ["Accept-Language": "de", "Accept": "text/html"]),
        exchange("POST", "/one", #"{"id": 1}"#, json),
        exchange("POST", "/two", #"{"id": 1}"#, json), exchange("POST", "/two", #"{"id": 2}"#, json),
        exchange("GET", "/words", "", ["Accept-Language": "de"]),
        exchange("GET", "/words", "", ["Accept-Language": "en"]),
        exchange("GET", "/part", "", ["Range": "bytes=0-1"], status: 206),
        exchange("GET", "/same", "", ["If-None-Match": "\"1\""], status: 304),
        exchange("GET", "/find?q=a&page={any}")),
      [
        "GET /a without a query -> 1", "POST /one without a query with the body {\"id\": 1} -> 1",
        "POST /two without a query with the body {\"id\": 1} -> 1",
        "POST /two without a query with the body {\"id\": 2} -> 1",
        "GET /words without a query with Accept-Language: de -> 1",
        "GET /words without a query with Accept-Language: en -> 1",
        "GET /part without a query with Range: bytes=0-1 -> 1",
        "GET /same without a query with If-None-Match: \"1\" -> 1",
        "GET /find with the query page=(any value)&q=a -> 1",
      ])
  }

  /// A test may poll, and each exchange must not be compared with all others.
  func testStubsOfManyExchangesWithOnePathTakeLinearTime() {
    func time(_ count: Int) -> Duration {
      let posts = (0..<count).map { exchange("POST", "/one", #"{"id": \#($0)}"#) }
      return ContinuousClock().measure { XCTAssertEqual(BackendRecording(exchanges: posts).stubs.count, count) }
    }
    // Four times as much may take ten times as long on a busy machine.
    XCTAssertTrue((0..<5).contains { _ in time(1_000) / time(250) < 10 })
  }

  func testResponsesFollowTheEpochAndEqualRequestsAreASequence() {
    XCTAssertEqual(
      stubs(
        exchange("GET", "/cart", response: "[]"), exchange("GET", "/cart", response: "[]"),
        exchange("POST", "/cart", response: "1"), exchange("GET", "/cart", response: "[1]"),
        exchange("POST", "/cart", response: "2"), exchange("GET", "/cart", response: "[1]"),
        exchange("GET", "/cart", response: "[1,2]"), exchange("GET", "/late", response: "0")),
      [
        "GET /cart without a query -> 1", "GET /cart without a query after 1 change -> 1",
        "GET /cart without a query after 2 changes -> 2", "POST /cart without a query -> 2",
        "GET /late without a query -> 1",
      ])
  }

  func testALaterResponseComesBeforeA304ToTheSameValidator() throws {
    let validator: MessageHeaders = ["If-None-Match": "\"v1\""]
    let recording = BackendRecording(exchanges: [
      exchange("GET", "/cart", response: "old"), exchange("GET", "/cart", "", validator, status: 304, response: ""),
      exchange("POST", "/cart", status: 204, response: ""), exchange("GET", "/cart", "", validator, response: "new"),
    ])
    func responses(_ requests: (method: String, headers: MessageHeaders)...) throws -> [String] {
      var table = StubTable()
      for stub in recording.stubs { table.install(try PreparedStub(stub, folder: nil)) }
      return requests.map {
        let result = table.take(
          ReceivedRequest(method: .init(rawValue: $0.method), path: "/cart", headers: $0.headers))?
          .result
        return "\(result?.result.status ?? 0) \(String(decoding: result?.bytes ?? [], as: UTF8.self))"
      }
    }
    XCTAssertEqual(
      try responses(("GET", [:]), ("GET", validator), ("POST", [:]), ("GET", validator)),
      ["200 old", "304 ", "204 ", "200 new"])
    // With an empty cache.
    XCTAssertEqual(
      try responses(("GET", [:]), ("GET", [:]), ("POST", [:]), ("GET", [:])), ["200 old", "200 old", "204 ", "200 new"])
  }

  /// Sends requests to the stubs of a recording that is written and read; each may use the responses before it.
  private func replay(
    _ exchanges: [RecordedExchange], _ requests: [(_ responses: [String]) -> ReceivedRequest]
  ) throws -> [String] {
    try BackendRecording(upstreams: ["/*": "http://api.example"], exchanges: exchanges).write(to: folder)
    var table = StubTable()
    for stub in try BackendRecording(contentsOf: folder).stubs { table.install(try PreparedStub(stub, folder: nil)) }
    var responses: [String] = []
    for request in requests {
      let result = table.take(request(responses))?.result
      responses.append(result.map { String(decoding: $0.bytes, as: UTF8.self) } ?? "404")
    }
    return responses
  }

  // MARK: Bodies and queries

  private func form(_ items: String) -> ReceivedRequest {
    ReceivedRequest(
      method: "POST", path: "/form", headers: ["Content-Type": "application/x-www-form-urlencoded"],
      body: Data(items.utf8))
  }

  func testItemsWithARepeatedNameAreComparedInOrderAndARedactedOneIsAnyValue() throws {
    let urlencoded: MessageHeaders = ["Content-Type": "application/x-www-form-urlencoded"]
    let queries = ["tag=a&tag=b", "tag=b&tag=a", "tag=a"]
    let exchanges = queries.flatMap {
      [
        exchange("GET", "/find?api_key=key-of-the-app&\($0)", response: $0),
        exchange("POST", "/form", $0, urlencoded, response: $0),
      ]
    }
    func find(_ query: String) -> ReceivedRequest { ReceivedRequest(method: "GET", path: "/find", queryText: query) }
    let recorded = queries.reversed().flatMap { [find("\($0)&api_key=another-key"), form($0)] }
    let others = [find("tag=a&tag=c&api_key=1"), find("api_key=1"), find("tag=a&tag=b"), form("tag=a&tag=b&tag=a")]
    let responses = try replay(exchanges, (recorded + others).map { request in { _ in request } })
    XCTAssertEqual(responses, queries.reversed().flatMap { [$0, $0] } + ["404", "404", "404", "404"])
  }

  // MARK: Scenarios

  private func written(_ exchanges: RecordedExchange...) throws -> RecordedScenario {
    try BackendRecording(upstreams: ["/*": "http://api.example"], exchanges: exchanges).write(to: folder)
    return RecordedScenario("checkout", in: .url(folder.deletingLastPathComponent().deletingLastPathComponent()))
  }

  func testItIsInstalledInAnyTestAndEachTestBeginsAnew() async throws {
    let scenario = try written(
      exchange("GET", "/cart", response: #"{"items":[],"next":"{base}/cart/2"}"#),
      exchange("PUT", "/cart", status: 204),
      exchange("GET", "/cart", response: #"{"items":[1]}"#))
    for _ in 0..<2 {
      let reporter = RecordingReporter()
      let verifier = TrackingVerifier(with: self, configuration: .init(reporter: reporter))
      verifier.start()
      verifier.install(scenario)
      let client = Client(verifier.baseURL)
      let before = try await client.get("/cart")
      let put = try await client.send("PUT", "/cart", "{}")
      let after = try await client.get("/cart")
      XCTAssertEqual(before.body, #"{"items":[],"next":"{base}/cart/2"}"#)
      XCTAssertEqual(put.status, 204)
      XCTAssertEqual(after.body, #"{"items":[1]}"#)
      verifier.stop()
      XCTAssertEqual(reporter.sentences, [])
    }
  }

  func testARecordingThatCannotBeReadIsRefusedWithTheFile() throws {
    let reporter = RecordingReporter()
    let verifier = TrackingVerifier(with: self, configuration: .init(reporter: reporter))
    verifier.install(RecordedScenario("checkuot"))
    let path = RecordedScenario("checkuot").folder.appending(path: "recording.json").path(percentEncoded: false)
    XCTAssertTrue(path.hasSuffix("Tests/Stubs/StubRecordingTests/Recordings/checkuot/recording.json"), path)
    let sentence = try XCTUnwrap(reporter.sentences.first)
    XCTAssertTrue(
      sentence.hasPrefix("The stub recording \"checkuot\" was not installed: \(path.prefix(10))"), sentence)
    XCTAssertTrue(sentence.contains(" can't be read "), sentence)
    XCTAssertTrue(sentence.hasSuffix("In full: \(path)"), sentence)
  }

  func testARefusalOfARecordingEndsWithOnePeriod() throws {
    let folder = try temporaryFolder().appending(path: "Recordings/old", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(#"{"format": 1}"#.utf8).write(to: folder.appending(path: "recording.json"))
    let reporter = RecordingReporter()
    let verifier = TrackingVerifier(with: self, configuration: .init(reporter: reporter))
    verifier.install(RecordedScenario(contentsOf: folder))
    let sentence = try XCTUnwrap(reporter.messages.first)
    XCTAssertTrue(sentence.contains("record it again."), sentence)
    XCTAssertFalse(sentence.contains(".."), sentence)
  }

  private enum LaunchState: String, CaseIterable, StubScenario {
    case checkout
    @TaskLocal static var resources: StubFolder?
    var stubs: [StubEndpoint] { RecordedScenario(rawValue, in: Self.resources).stubs }
  }

  func testABundleHasRecordingsByTheirNames() throws {
    _ = try written(exchange("GET", "/cart"))
    let resources = StubFolder.url(folder.deletingLastPathComponent().deletingLastPathComponent())
    let other = resources.url.appending(path: "Recordings/notes", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
    XCTAssertEqual(BundledRecording.all(in: resources).map(\.rawValue), ["checkout"])
    XCTAssertNil(BundledRecording("notes", in: resources))
    XCTAssertNil(BundledRecording("../Recordings/checkout", in: resources))
    XCTAssertNil(BundledRecording(rawValue: "checkout"), "the test runner's resources have no recordings")
  }

  func testAnAppReplaysItByItsNameAndByTheTable() async throws {
    let scenario = try written(
      exchange("GET", "/books?page=1", response: #"{"next":"{base}/books?page=2"}"#),
      exchange("POST", "/books", status: 201),
      exchange("GET", "/books?page=1", response: "[]"))
    let resources = folder.deletingLastPathComponent().deletingLastPathComponent()
    let byName = LaunchState.$resources.withValue(.url(resources)) {
      StubbedSession(scenarios: LaunchState.self, arguments: ["app", "-StubScenario", "checkout"], environment: [:])?
        .urlSession()
    }
    let verifier = TrackingVerifier(with: self, configuration: .init(reporter: RecordingReporter()))
    let byTable = StubbedSession(environment: verifier.stubsEnvironment(for: scenario.stubs))?.urlSession()
    for session in [byName, byTable] {
      let session = try XCTUnwrap(session)
      func text(_ method: String, _ path: String) async throws -> String {
        var request = URLRequest(url: try XCTUnwrap(URL(string: "https://api.example\(path)")))
        request.httpMethod = method
        return String(decoding: try await session.data(for: request).0, as: UTF8.self)
      }
      let first = try await text("GET", "/books?page=1")
      XCTAssertEqual(first, #"{"next":"https://api.example/books?page=2"}"#)
      _ = try await text("POST", "/books")
      let second = try await text("GET", "/books?page=1")
      XCTAssertEqual(second, "[]")
      session.invalidateAndCancel()
    }
  }

  func testABodyKeepsItsNumbersAndItsOrder() throws {
    let text = #"{"z":1.0,"a":[1e3,190071992547409931.75,[]],"é":"\u00e9 / \"{base}\"","e":{}}"#
    let scenario = try written(exchange("GET", "/exact", response: text))
    guard case .data(let data, _)? = scenario.stubs.first?.results.first?.content else {
      return XCTFail("no content")
    }
    XCTAssertEqual(String(decoding: data, as: UTF8.self), text)
  }
}
