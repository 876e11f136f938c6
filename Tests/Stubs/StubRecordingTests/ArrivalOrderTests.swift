import TestSupport

@testable import StubRecording

/// Requests that are sent at the same time arrive in any order, and the files are the same.
final class ArrivalOrderTests: RecordingTestCase {
  private func exchange(
    _ method: String, _ target: String, _ headers: MessageHeaders = [:], _ body: String = "", epoch: Int = 0,
    status: Int = 200, setsCookie cookie: String? = nil, says text: String = "{}"
  ) -> RecordedExchange {
    let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
    var response: MessageHeaders = ["Content-Type": "application/json"]
    if let cookie { response["Set-Cookie"] = cookie }
    return RecordedExchange(
      request: .init(
        method: method, origin: "http://api.example", path: parts[0], query: parts.count > 1 ? parts[1] : nil,
        headers: headers, body: Data(body.utf8)),
      response: .init(status: status, headers: response, body: Data(text.utf8)), epoch: epoch)
  }

  private func written(_ exchanges: [RecordedExchange]) throws -> [String: String] {
    try BackendRecording(upstreams: ["/*": "http://api.example"], exchanges: exchanges).write(to: folder)
    return try files().mapValues { String(decoding: $0, as: UTF8.self) }
  }

  private func check(_ first: [RecordedExchange], _ second: [RecordedExchange], line: UInt = #line) throws {
    let before = try written(first)
    let after = try written(second)
    for (name, text) in before { XCTAssertEqual(after[name], text, name, line: line) }
    XCTAssertEqual(Set(after.keys), Set(before.keys), line: line)
  }

  func testCookiesOfParallelRequestsKeepTheirNumbers() throws {
    let (a, b) = (
      exchange("GET", "/a", setsCookie: "session=aaaaaaaa-1"), exchange("GET", "/b", setsCookie: "session=bbbbbbbb-1")
    )
    try check([a, b], [b, a])
  }

  func testTwoLoginsAtOnceAreDistinguishedByTheirBodies() throws {
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

  func testAPollKeepsTheOrderOfItsResponses() throws {
    _ = try written(
      ["pending", "paid", "pending"].enumerated().map {
        exchange("GET", "/order", says: #"{"state":"\#($1)","token":"ttttttttt-\#($0)"}"#)
      })
    XCTAssertEqual(
      try BackendRecording(contentsOf: folder).exchanges.map { String(decoding: $0.response.body, as: UTF8.self) },
      [
        #"{"state":"pending","token":"[redacted token 1]"}"#, #"{"state":"paid","token":"[redacted token 2]"}"#,
        #"{"state":"pending","token":"[redacted token 3]"}"#,
      ])
  }

  /// Groups of requests that are sent at the same time; the tokens of a group's responses are sent by the next one.
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
        case 0: exchange("POST", "/\(path)/p\(index)", [:], #"{"secret": "\#(sent)"}"#, says: says)
        case 1: exchange("GET", "/\(path)?access_token=\(sent)&n=\(index)", says: says)
        case 2: exchange("GET", "/\(path)/a\(index)", ["Authorization": "Bearer \(sent)"], says: says)
        default: exchange("GET", "/\(path)/b\(index)", setsCookie: "session=\(next[index])", says: "[]")
        }
      }
      for var request in requests.shuffled(using: &order) {
        request.epoch = epoch
        all.append(request)
      }
      epoch += requests.count(where: \.request.changesSomething)
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
}
