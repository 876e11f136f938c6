import Foundation
import StubModel
import TestSupport
import XCTest

@testable import StubRecording

/// Requests that are sent at the same time arrive in any order, and the files are the same.
final class ArrivalOrderTests: RecordingTestCase {
  private func exchange(
    _ method: String, _ target: String, _ headers: HeaderFields = [:], _ body: String = "", epoch: Int = 0,
    status: Int = 200, setsCookie cookie: String? = nil, says text: String = "{}"
  ) -> RecordedExchange {
    let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
    var answer: HeaderFields = ["Content-Type": "application/json"]
    if let cookie { answer["Set-Cookie"] = cookie }
    return RecordedExchange(
      request: .init(
        method: method, origin: "http://api.example", path: parts[0], query: parts.count > 1 ? parts[1] : nil,
        headers: headers, body: Data(body.utf8)),
      answer: .init(status: status, headers: answer, body: Data(text.utf8)),
      date: Date(timeIntervalSince1970: Double(Int.random(in: 0..<1_000_000))), epoch: epoch)
  }

  private func written(_ exchanges: [RecordedExchange]) throws -> [String: String] {
    try BackendRecording(upstreams: ["/*": "http://api.example"], exchanges: exchanges).write(to: folder)
    return try files().mapValues { String(decoding: $0, as: UTF8.self) }
  }

  /// That a second recording changes nothing, and that a first one is the same but for times and the order of arrival.
  private func check(_ first: [RecordedExchange], _ second: [RecordedExchange], line: UInt = #line) throws {
    let before = try written(first)
    let after = try written(second)
    for (name, text) in before { XCTAssertEqual(after[name], text, name, line: line) }
    XCTAssertEqual(Set(after.keys), Set(before.keys), line: line)
    try FileManager.default.removeItem(at: folder)
    let anew = try written(second)
    func timeless(_ text: String?) -> String? { text?.replacing(/"recordedAt": "[^"]+"/, with: "") }
    for (name, text) in before where name != "recording.json" {
      XCTAssertEqual(timeless(anew[name]), timeless(text), name, line: line)
    }
    try FileManager.default.removeItem(at: folder)
  }

  func testCookiesOfParallelRequestsKeepTheirNumbers() throws {
    let (a, b) = (
      exchange("GET", "/a", setsCookie: "session=aaaaaaaa-1"), exchange("GET", "/b", setsCookie: "session=bbbbbbbb-1")
    )
    try check([a, b], [b, a])
  }

  func testEqualRequestsAreToldApartByWhereTheirSecretsAreUsed() throws {
    func flow(_ first: String, _ second: String) -> [RecordedExchange] {
      [
        exchange("GET", "/session", says: #"{"token": "\#(first)"}"#),
        exchange("GET", "/session", says: #"{"token": "\#(second)"}"#),
        exchange("GET", "/z", ["Authorization": "Bearer ttttttttt-1"]),
        exchange("GET", "/y", ["Authorization": "Bearer ttttttttt-2"]),
      ]
    }
    try check(flow("ttttttttt-1", "ttttttttt-2"), flow("ttttttttt-2", "ttttttttt-1"))
  }

  func testTwoLoginsAtOnceAreToldApartByTheirBodies() throws {
    func login(_ user: String) -> RecordedExchange {
      exchange(
        "POST", "/login?nonce_token=\(user)-nonce-1", ["Content-Type": "application/json"],
        #"{"user": "\#(user)", "password": "password-of-\#(user)"}"#, says: #"{"token": "token-of-\#(user)"}"#)
    }
    try check([login("anna"), login("bert"), login("carl")], [login("carl"), login("anna"), login("bert")])
  }

  func testNumbersInJSONDoNotDependOnArrival() throws {
    func session(_ path: String, _ number: Int) -> RecordedExchange {
      exchange("GET", path, says: #"{"token": \#(number)}"#)
    }
    try check([session("/a", 123_456), session("/b", 654_321)], [session("/b", 654_321), session("/a", 123_456)])
  }

  func testPartsThatAreFetchedAtOnceKeepTheirOrder() throws {
    func part(_ range: String) -> RecordedExchange {
      exchange("GET", "/file", ["Range": "bytes=\(range)"], status: 206, says: range)
    }
    try check([part("0-9"), part("10-19"), part("20-29")], [part("20-29"), part("0-9"), part("10-19")])
  }

  func testAPollKeepsTheOrderOfItsAnswers() throws {
    _ = try written(
      ["pending", "paid", "pending"].enumerated().map {
        exchange("GET", "/order", says: #"{"state":"\#($1)","token":"ttttttttt-\#($0)"}"#)
      })
    XCTAssertEqual(
      try BackendRecording(contentsOf: folder).exchanges.map { String(decoding: $0.answer.body, as: UTF8.self) },
      [
        #"{"state":"pending","token":"[redacted token 2]"}"#, #"{"state":"paid","token":"[redacted token 1]"}"#,
        #"{"state":"pending","token":"[redacted token 3]"}"#,
      ])
  }

  func testARequestBesideAChangeKeepsItsEpochIfItsAnswerIsTheSame() throws {
    func flow(_ epoch: Int, _ items: String) -> [RecordedExchange] {
      [
        exchange("GET", "/settings", epoch: epoch, says: #"{"theme":"dark"}"#),
        exchange("POST", "/cart", epoch: 0, says: "1"), exchange("GET", "/cart", epoch: 1, says: items),
      ]
    }
    let first = try written(flow(0, "[1]"))
    XCTAssertEqual(try written(flow(1, "[1]")), first)
    XCTAssertEqual(try written(flow(0, "[1]").reversed()), first)
    // With another request it is another flow.
    let other = try written(flow(1, "[1]") + [exchange("GET", "/more", epoch: 1)])
    XCTAssertTrue(other["GET settings.json"]?.contains("\"epoch\": 1") == true)
  }

  func testAnAnswerThatDependsOnTheEpochIsRecordedInItsOwn() throws {
    func flow(_ epoch: Int) -> [RecordedExchange] {
      [
        exchange("GET", "/cart", epoch: 0, says: "[]"), exchange("POST", "/cart", epoch: 0, says: "1"),
        exchange("GET", "/cart", epoch: epoch, says: "[1]"),
      ]
    }
    _ = try written(flow(1))
    _ = try written(flow(0))
    XCTAssertEqual(
      try BackendRecording(contentsOf: folder).exchanges.filter { $0.request.method == "GET" }.map(\.epoch), [0, 0])
  }

  /// Groups of requests that are sent at the same time; the tokens of a group's answers are sent by the next one.
  private func flow(_ seed: UInt64, run: Int) -> [RecordedExchange] {
    var (shape, order) = (SeededGenerator(seed: seed), SeededGenerator(seed: seed &* 31 &+ UInt64(run)))
    var tokens = ["token-zero-of-\(run)"]
    var (all, epoch): ([RecordedExchange], Int) = ([], 0)
    for group in 0..<3 {
      var next: [String] = []
      let requests = (0..<4).map { index in
        let (sent, path) = (tokens.randomElement(using: &shape) ?? "", Int.random(in: 0..<3, using: &shape))
        let kind = Int.random(in: 0..<4, using: &shape)
        next.append("token-\(group)-\(index)-of-\(run)")
        let says = #"{"token": "\#(next[index])"}"#
        return switch kind {
        case 0: exchange("POST", "/\(path)", [:], #"{"secret": "\#(sent)"}"#, says: says)
        case 1: exchange("GET", "/\(path)?access_token=\(sent)&n=\(index)", says: says)
        case 2: exchange("GET", "/\(path)/a\(index)", ["Authorization": "Bearer \(sent)"], says: says)
        default: exchange("GET", "/\(path)/b\(index)", setsCookie: "session=\(next[index])", says: "[]")
        }
      }
      for var request in requests.shuffled(using: &order) {
        request.epoch = epoch
        if request.request.changesSomething { epoch += 1 }
        all.append(request)
      }
      tokens = next
    }
    return all
  }

  func testAnyOrderOfArrivalGivesTheSameFiles() throws {
    for seed in RandomCases.seeds(200) {
      let before = try written(flow(UInt64(seed), run: 1))
      let after = try written(flow(UInt64(seed), run: 2))
      XCTAssertEqual(after.keys.sorted(), before.keys.sorted())
      for (name, text) in before where after[name] != text {
        return XCTFail("seed \(seed), \(name): \(after[name] ?? "") instead of \(text)")
      }
      try FileManager.default.removeItem(at: folder)
    }
  }

  func testANewSecretChangesNoOtherNumber() throws {
    func login(_ path: String) -> RecordedExchange { exchange("GET", path, says: #"{"token": "token-of-\#(path)"}"#) }
    let first = try written([login("/d"), login("/b")])
    let second = try written([login("/a"), login("/b"), login("/c"), login("/d")])
    for name in ["GET d.json", "GET b.json"] { XCTAssertEqual(second[name], first[name]) }
    XCTAssertEqual(
      try BackendRecording(contentsOf: folder).redacted,
      [
        "GET /a: answer body token: [redacted token 3]", "GET /b: answer body token: [redacted token 1]",
        "GET /c: answer body token: [redacted token 4]", "GET /d: answer body token: [redacted token 2]",
      ])
    // One that has gone leaves its number to a new one.
    let third = try written([login("/d"), login("/e")])
    XCTAssertEqual(third["GET d.json"], first["GET d.json"])
    XCTAssertEqual(
      try BackendRecording(contentsOf: folder).redacted,
      ["GET /d: answer body token: [redacted token 2]", "GET /e: answer body token: [redacted token 1]"])
  }

  func testANewRequestMovesNoOtherLineOfTheOrder() throws {
    _ = try written(["/d", "/a", "/c", "/b"].map { exchange("GET", $0) })
    let after = try written(["/a", "/new", "/b", "/c", "/d"].map { exchange("GET", $0) })
    let order = try XCTUnwrap(after["recording.json"]?.split(separator: "\"order\": ").last)
    XCTAssertEqual(order.matches(of: /\/[a-z]+/).map { String($0.output) }, ["/d", "/a", "/new", "/c", "/b"])
  }
}
