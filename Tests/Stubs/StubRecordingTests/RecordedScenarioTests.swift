import Foundation
import StubbedSession
import TestSupport
import TrackingServer
import TrackingVerifier
import XCTest

@testable import StubRecording
@testable import StubReplay

/// A recording as stubs: in any test, and inside an app.
final class RecordedScenarioTests: RecordingTestCase {
  private func exchange(
    _ method: String, _ target: String, _ body: String = "", _ headers: HeaderFields = [:], epoch: Int? = nil,
    status: Int = 200, answer: String = "{}", _ fields: HeaderFields = ["Content-Type": "application/json"]
  ) -> RecordedExchange {
    let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
    return RecordedExchange(
      request: .init(
        method: method, origin: "http://api.example", path: parts[0], query: parts.count > 1 ? parts[1] : nil,
        headers: headers, body: Data(body.utf8)),
      answer: .init(status: status, headers: fields, body: Data(answer.utf8)), epoch: epoch)
  }

  private func stubs(_ exchanges: RecordedExchange...) -> [String] {
    BackendRecording(upstreams: ["/*": "http://api.example"], exchanges: exchanges).stubs.map {
      "\($0) -> \($0.results.count)"
    }
  }

  func testAStubHasAsFewConditionsAsTheRecordingAllows() {
    let json: HeaderFields = ["Content-Type": "application/json"]
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
        "GET /a without a query -> 1", "POST /one without a query -> 1",
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

  /// An app sends the value that it was built with, also inside of a URL, or the placeholder that it was answered with.
  func testARedactedValueIsItsPlaceholderOrAnyValueHoweverOftenItIsEncoded() {
    func url(_ times: Int) -> String {
      String(
        decoding: PercentEncoding.encoded(Array("/b?token=%5Bredacted%20token%201%5D".utf8), times: times),
        as: UTF8.self)
    }
    XCTAssertEqual(
      stubs(
        exchange("GET", "/one?u=\(url(1))"), exchange("GET", "/two?u=\(url(2))"), exchange("GET", "/go/\(url(1))/on"),
        exchange("POST", "/log", #"{"u":"\#(url(0))"}"#), exchange("POST", "/log", #"{"n":1}"#)),
      [
        "GET /one with the query u=(any value) -> 1",
        "GET /one with the query u=/b?token=%5Bredacted%20token%201%5D -> 1",
        "GET /two with the query u=(any value) -> 1",
        "GET /two with the query u=%2Fb%3Ftoken%3D%255Bredacted%2520token%25201%255D -> 1",
        "GET /go/:any/on without a query -> 1",
        "GET /go/%2Fb%3Ftoken%3D%255Bredacted%2520token%25201%255D/on without a query -> 1",
        "POST /log without a query with the body {\"u\": any value} -> 1",
        "POST /log without a query with the body {\"u\": \"/b?token=%5Bredacted%20token%201%5D\"} -> 1",
        "POST /log without a query with the body {\"n\": 1} -> 1",
      ])
  }

  func testAnswersFollowTheEpochAndEqualRequestsAreASequence() {
    XCTAssertEqual(
      stubs(
        exchange("GET", "/cart", answer: "[]"), exchange("GET", "/cart", answer: "[]"),
        exchange("POST", "/cart", answer: "1"), exchange("GET", "/cart", answer: "[1]"),
        exchange("POST", "/cart", answer: "2"), exchange("GET", "/cart", answer: "[1]"),
        exchange("GET", "/cart", answer: "[1,2]"), exchange("GET", "/late", answer: "0")),
      [
        "GET /cart without a query -> 1", "GET /cart without a query after 1 change -> 1",
        "GET /cart without a query after 2 changes -> 2", "POST /cart without a query -> 2",
        "GET /late without a query -> 1",
      ])
  }

  func testALaterAnswerComesBeforeA304ToTheSameValidator() throws {
    let validator: HeaderFields = ["If-None-Match": "\"v1\""]
    let recording = BackendRecording(exchanges: [
      exchange("GET", "/cart", answer: "old"), exchange("GET", "/cart", "", validator, status: 304, answer: ""),
      exchange("POST", "/cart", status: 204, answer: ""), exchange("GET", "/cart", "", validator, answer: "new"),
    ])
    func answers(_ requests: (method: String, headers: HeaderFields)...) throws -> [String] {
      var table = StubTable()
      for stub in recording.stubs { table.install(try PreparedStub(stub, folder: nil)) }
      return requests.map {
        let result = table.take(HTTPRequest(method: .init(rawValue: $0.method), path: "/cart", headers: $0.headers))?
          .result
        return "\(result?.result.status ?? 0) \(String(decoding: result?.bytes ?? [], as: UTF8.self))"
      }
    }
    XCTAssertEqual(
      try answers(("GET", [:]), ("GET", validator), ("POST", [:]), ("GET", validator)),
      ["200 old", "304 ", "204 ", "200 new"])
    // With an empty cache.
    XCTAssertEqual(
      try answers(("GET", [:]), ("GET", [:]), ("POST", [:]), ("GET", [:])), ["200 old", "200 old", "204 ", "200 new"])
  }

  /// Asks the stubs of a recording that is written and read; each request may use the answers before it.
  private func replay(
    _ exchanges: [RecordedExchange], _ requests: [(_ answers: [String]) -> HTTPRequest]
  ) throws -> [String] {
    try BackendRecording(upstreams: ["/*": "http://api.example"], exchanges: exchanges).write(to: folder)
    var table = StubTable()
    for stub in try BackendRecording(contentsOf: folder).stubs { table.install(try PreparedStub(stub, folder: nil)) }
    var answers: [String] = []
    for request in requests {
      let result = table.take(request(answers))?.result
      answers.append(result.map { String(decoding: $0.bytes, as: UTF8.self) } ?? "404")
    }
    return answers
  }

  /// Their tokens are placeholders, which the replay has handed out, so it knows whose they are.
  func testEachOfTwoUsersGetsTheirOwnAnswersInAnyOrder() throws {
    let json: HeaderFields = ["Content-Type": "application/json"]
    let form: HeaderFields = ["Content-Type": "application/x-www-form-urlencoded"]
    let users = ["anna", "ben", "cleo"]
    func login(_ user: String) -> RecordedExchange {
      exchange("POST", "/login", #"{"user":"\#(user)"}"#, json, answer: #"{"token":"\#(user)-token-1234"}"#)
    }
    typealias Ask = (_ token: String) -> RecordedExchange
    let asks: [(String, Ask)] = [
      ("Authorization", { self.exchange("GET", "/me", "", ["Authorization": "Bearer \($0)"]) }),
      ("a field of the backend's own", { self.exchange("GET", "/me", "", ["X-Auth-Token": $0]) }),
      ("a cookie", { self.exchange("GET", "/me", "", ["Cookie": "theme=dark; sid=\($0); seen=\($0.count)"]) }),
      ("a query item", { self.exchange("GET", "/me?access_token=\($0)") }),
      ("a form field", { self.exchange("POST", "/me", "access_token=\($0)&n=1", form) }),
    ]
    for (name, ask) in asks {
      var exchanges = users.map(login)
      for user in users {
        var answered = ask("\(user)-token-1234")
        answered.answer.body = Data(user.utf8)
        exchanges.append(answered)
      }
      func request(_ exchange: RecordedExchange) -> HTTPRequest {
        HTTPRequest(
          method: .init(rawValue: exchange.request.method), path: exchange.request.path,
          queryText: exchange.request.query?.replacing("[", with: "%5B").replacing(" ", with: "%20"),
          headers: exchange.request.headers, body: exchange.request.body)
      }
      let order = ["cleo", "anna", "ben"]
      let answers = try replay(
        exchanges,
        order.map { user in { _ in request(login(user)) } }
          + order.indices.map { index in
            { answers in
              let token = answers[index].firstMatch(of: /"token":"(.+)"/).map { String($0.1) } ?? ""
              return request(ask(token))
            }
          })
      XCTAssertEqual(Array(answers.suffix(3)), order, name)
      // With a token of its own an app gets an answer, too.
      let other = try replay(exchanges, [{ _ in request(ask("other-token-5678")) }])
      XCTAssertTrue(users.contains(other[0]), "\(name): \(other)")
    }
  }

  func testDetailsByANumericSessionAreFoundInAnyOrder() throws {
    for first in [100_001, 1_000_001, 10_000_001, 1_000_000_001] {
      let numbers = [first, first + 1, first + 2]
      let list = numbers.map { #"{"session_id":\#($0)}"# }.joined(separator: ",")
      func asked(_ number: Int) -> [(method: String, path: String, query: String?, body: String)] {
        [
          ("GET", "/items/\(number)", nil, ""), ("GET", "/find", "session_id=\(number)", ""),
          ("POST", "/read", nil, #"{"session_id":\#(number)}"#),
        ]
      }
      var exchanges = [exchange("GET", "/items", answer: "[\(list)]")]
      for (index, number) in numbers.enumerated() {
        for (method, path, query, body) in asked(number) {
          exchanges.append(
            exchange(
              method, path + (query.map { "?\($0)" } ?? ""), body, epoch: 0,
              answer: "\(method) \(path.prefix(5)) \(index)"))
        }
      }
      let order = [2, 0, 1]
      let answers = try replay(
        exchanges,
        [{ _ in HTTPRequest(method: "GET", path: "/items") }]
          + order.flatMap { index in
            (0..<3).map { way in
              { answers in
                let numbers = answers[0].matches(of: /"session_id":(\d+)/).map { Int($0.1) ?? 0 }
                let ask = asked(numbers[index])[way]
                return HTTPRequest(
                  method: .init(rawValue: ask.method), path: ask.path, queryText: ask.query, body: Data(ask.body.utf8))
              }
            }
          })
      XCTAssertEqual(
        Array(answers.dropFirst()), order.flatMap { ["GET /item \($0)", "GET /find \($0)", "POST /read \($0)"] },
        "\(first)")
    }
  }

  private func written(_ exchanges: RecordedExchange...) throws -> RecordedScenario {
    try BackendRecording(upstreams: ["/*": "http://api.example"], exchanges: exchanges).write(to: folder)
    return RecordedScenario("checkout", in: .url(folder.deletingLastPathComponent().deletingLastPathComponent()))
  }

  func testItIsInstalledInAnyTestAndEachTestBeginsAnew() async throws {
    let scenario = try written(
      exchange("GET", "/cart", answer: #"{"items":[],"next":"{base}/cart/2"}"#), exchange("PUT", "/cart", status: 204),
      exchange("GET", "/cart", answer: #"{"items":[1]}"#))
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
      sentence.hasPrefix("The stub recording \"checkuot\" was not installed: \(path) can't be read: "), sentence)
    _ = try written(exchange("GET", "/cart"))
    let file = folder.appending(path: "GET cart.json")
    try Data(#"{"method": "GET", "path": "/cart", "exchanges": [{"answer": {}}]}"#.utf8).write(to: file)
    XCTAssertThrowsError(try BackendRecording(contentsOf: folder)) { error in
      XCTAssertEqual(
        "\(error)",
        "\(file.path(percentEncoded: false)) has an exchange without the status of its answer, the one with number 1.")
    }
    try Data(#"{"format": 2}"#.utf8).write(to: folder.appending(path: "recording.json"))
    XCTAssertThrowsError(try BackendRecording(contentsOf: folder)) { error in
      XCTAssertTrue("\(error)".hasSuffix("has format 2, and this version reads format 1."), "\(error)")
    }
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
      exchange("GET", "/books?page=1", answer: #"{"next":"{base}/books?page=2"}"#),
      exchange("POST", "/books", status: 201),
      exchange("GET", "/books?page=1", answer: "[]"))
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
    let scenario = try written(exchange("GET", "/exact", answer: text))
    guard case .data(let data, _)? = scenario.stubs.first?.results.first?.content else {
      return XCTFail("no content")
    }
    XCTAssertEqual(String(decoding: data, as: UTF8.self), text)
  }
}
