import Foundation
import StubRecording
import XCTest

@testable import RecordingTools

final class HTTPArchiveTests: XCTestCase {
  private func exchange(
    _ method: String, _ path: String, query: String? = nil, headers: HeaderFields = [:], body: Data = Data(),
    status: Int = 200, answer: HeaderFields = [:], says: Data = Data(), at time: TimeInterval = 821_692_800.123,
    for duration: TimeInterval = 0.25, epoch: Int? = nil
  ) -> RecordedExchange {
    RecordedExchange(
      request: .init(
        method: method, origin: "https://api.example:8443", path: path, query: query, headers: headers, body: body),
      answer: .init(status: status, headers: answer, body: says), date: Date(timeIntervalSinceReferenceDate: time),
      duration: duration, epoch: epoch)
  }

  private let bytes = Data([0, 255, 128, 10, 13, 34, 92])

  func testWhatIsWrittenAndReadAgainIsTheSame() throws {
    var exchanges = [
      exchange("GET", "/books/a%20b", query: "q=%C3%A9+1&empty&x=", headers: ["Accept": "a", "accept": "b"]),
      exchange(
        "POST", "/login", headers: ["Content-Type": "application/json", "Cookie": "a=1; b=\"2\""],
        body: Data("{\"text\":\"\u{e9}\u{0}\u{2028}\"}".utf8), status: 201,
        answer: ["Set-Cookie": "a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT", "Set-Cookie": "b=2; Path=/", "X": ""],
        says: Data("{}".utf8)),
      exchange("PUT", "/images/1", headers: ["Content-Type": "image/png"], body: bytes, says: bytes),
      exchange("POST", "/untyped", body: Data("\u{FEFF}a=1".utf8), status: 302, answer: ["Location": "/x"]),
      exchange("DELETE", "/", query: "", status: 204, at: -1, for: 0, epoch: 3),
      exchange("HEAD", "/", status: 304, answer: ["Content-Length": "5", "ETag": "\"1\""]),
    ]
    for index in 0..<200 {
      exchanges.append(
        exchange(
          "GET", "/\(index)", at: .random(in: 700_000_000...900_000_000), for: .random(in: 0...10)))
    }
    let positions = [RedactedPosition(exchange: 1, place: "request body user", placeholder: "[redacted token 1]")]
    let archive = try HTTPArchive(data: HTTPArchive(exchanges, positions: positions).data)
    XCTAssertEqual(archive.exchanges.count, exchanges.count)
    for (read, written) in zip(archive.exchanges, exchanges) { XCTAssertEqual(read, written) }
    XCTAssertEqual(archive.positions, positions)
    XCTAssertEqual(archive.notes, [])
  }

  func testTheTextHasTheMembersOfTheFormat() throws {
    let archive = HTTPArchive([
      exchange(
        "POST", "/form", query: "page=2", headers: ["Content-Type": "text/plain", "Cookie": "a=1"],
        body: Data("x".utf8),
        answer: ["Set-Cookie": "b=2; Path=/", "Location": "/y"], says: bytes)
    ])
    let log = try JSONNode(archive.data).member("log")
    XCTAssertEqual(try log.member("version").string(), "1.2")
    XCTAssertEqual(
      try log.member("entries").elements()[0].value,
      [
        "startedDateTime": "2027-01-15T08:00:00.123Z", "time": 250, "cache": [:],
        "timings": ["blocked": -1, "dns": -1, "connect": -1, "ssl": -1, "send": 0, "wait": 250, "receive": 0],
        "request": [
          "method": "POST", "url": "https://api.example:8443/form?page=2", "httpVersion": "HTTP/1.1",
          "cookies": [["name": "a", "value": "1"]], "queryString": [["name": "page", "value": "2"]],
          "headers": [["name": "Content-Type", "value": "text/plain"], ["name": "Cookie", "value": "a=1"]],
          "postData": ["mimeType": "text/plain", "text": "x", "params": []], "headersSize": -1, "bodySize": 1,
        ],
        "response": [
          "status": 200, "statusText": "", "httpVersion": "HTTP/1.1", "cookies": [["name": "b", "value": "2"]],
          "headers": [["name": "Set-Cookie", "value": "b=2; Path=/"], ["name": "Location", "value": "/y"]],
          "content": ["mimeType": "", "size": 7, "text": "AP+ACg0iXA==", "encoding": "base64"],
          "redirectURL": "/y", "headersSize": -1, "bodySize": 7,
        ],
      ])
  }

  /// Browsers write names of HTTP/2, bodies that are already decoded, parameters without a text, and entries without an answer.
  func testAnArchiveOfABrowserIsReadAndItsGapsAreNamed() throws {
    let text = #"""
      {"log": {"version": "1.2", "creator": {"name": "WebInspector"}, "pages": [], "entries": [
        {"startedDateTime": "2026-11-22T11:00:00.5+01:00", "time": 12.5,
         "request": {"method": "POST", "url": "https://Anna:pw@API.example/login?a=1#top", "httpVersion": "h2",
          "headers": [{"name": ":method", "value": "POST"}, {"name": "host", "value": "x"}, {"name": "accept", "value": "*/*"}],
          "postData": {"mimeType": "application/x-www-form-urlencoded", "params": [{"name": "user", "value": "a b+c"}]}},
         "response": {"status": 200, "headers": [{"name": "content-encoding", "value": "br"},
           {"name": "content-length", "value": "9999"}, {"name": "set-cookie", "value": "a=1\nb=2"}],
          "content": {"size": 2, "mimeType": "application/json", "text": "{}"}}},
        {"request": {"method": "GET", "url": "data:image/png;base64,AA"}, "response": {"status": 200}},
        {"request": {"method": "GET", "url": "wss://api.example/socket"}, "response": {"status": 101}},
        {"request": {"method": "GET", "url": "http://api.example"}, "response": {"status": 0}},
        {"request": {"method": "GET", "url": "http://api.example"}, "response": {"status": 200, "content": {"size": 70}}},
        {"request": {"method": "GET", "url": "https://api.example/socket"}, "response": {"status": 101}}
      ]}}
      """#
    let archive = try HTTPArchive(data: Data([0xEF, 0xBB, 0xBF] + text.utf8))
    XCTAssertEqual(archive.exchanges.count, 2)
    XCTAssertEqual(
      archive.exchanges[0],
      RecordedExchange(
        request: .init(
          method: "POST", origin: "https://api.example", path: "/login", query: "a=1",
          headers: ["accept": "*/*", "Content-Type": "application/x-www-form-urlencoded"],
          body: Data("user=a%20b%2Bc".utf8)),
        answer: .init(
          headers: ["set-cookie": "a=1", "set-cookie": "b=2", "Content-Type": "application/json"],
          body: Data("{}".utf8)),
        date: Date(timeIntervalSince1970: 1_795_341_600.5), duration: 0.0125))
    XCTAssertEqual(archive.exchanges[1].request.path, "/")
    XCTAssertEqual(
      archive.notes,
      [
        "log.entries[1]: its URL isn't one of http or https", "log.entries[2]: its URL isn't one of http or https",
        "log.entries[3]: it has no final answer (status 0)",
        "log.entries[4]: the file doesn't hold the body of 70 bytes, so it is empty",
        "log.entries[5]: it has no final answer (status 101)",
      ])
  }

  func testASizeThatNoBodyHasIsNamedAsItIs() throws {
    let text = #"""
      {"log": {"entries": [{"request": {"method": "GET", "url": "http://a.b/"},
        "response": {"status": 200, "content": {"size": 1e300}}}]}}
      """#
    XCTAssertEqual(
      try HTTPArchive(data: Data(text.utf8)).notes,
      ["log.entries[0]: the file doesn't hold the body of 1e+300 bytes, so it is empty"])
  }

  func testABadArchiveIsRefusedWithThePlace() {
    for (text, message) in [
      ("", "line 1, column 1: expected a value, found the end of the text"),
      (
        "{\"log\":\n {\"entries\": [{]}}", "line 2, column 16: expected a key in quotes, found \"]\", at log.entries[0]"
      ),
      ("[]", "expected an object, found an array"), ("{}", "the member \"log\" is missing"),
      (
        #"{"log":{"version":"2.0","entries":[]}}"#,
        "log.version: version 2.0 isn't known; versions 1.1 and 1.2 are read"
      ),
      (#"{"log":{"entries":7}}"#, "log.entries: expected an array, found a number"),
    ] {
      XCTAssertThrowsError(try HTTPArchive(data: Data(text.utf8)), text) { XCTAssertEqual("\($0)", message) }
    }
  }

  func testProblemsOfAFileNameItsLine() throws {
    let file = "session.har"
    let text = """
      {"log": {"entries": [
        {"request": {"method": "GET", "url": "http://a.b/"}, "response": {
          "status": "ok"}},
        {"request": {"method": "GET", "url": "data:,"}}
      ]}}
      """
    XCTAssertEqual(
      try HTTPArchive(data: Data(text.utf8), file: file).notes,
      [
        "session.har:3: log.entries[0].response.status: expected an integer, found a string; the entry is left out",
        "session.har:4: log.entries[1]: its URL isn't one of http or https",
      ])
    for (text, message) in [
      ("{\"log\":\n {\"entries\": [{]}}", #"session.har:2: log.entries[0]: expected a key in quotes, found "]""#),
      ("\u{FEFF}{\"log\":\n{\"entries\":\n7}}", "session.har:3: log.entries: expected an array, found a number"),
    ] {
      XCTAssertThrowsError(try HTTPArchive(data: Data(text.utf8), file: file)) { XCTAssertEqual("\($0)", message) }
    }
  }

  /// One odd value must not cost the others.
  func testABadEntryIsLeftOutWithThePlace() throws {
    let good = #"{"request":{"method":"GET","url":"http://a.example/good"},"response":{"status":200}}"#
    func entry(_ text: String) -> String { #"{"log":{"entries":[\#(text),\#(good)]}}"# }
    let get = #""request":{"method":"GET","url":"http://a.example/"}"#
    for (text, message) in [
      (entry(#"{"request":{"method":"GET"}}"#), "log.entries[0].request: the member \"url\" is missing"),
      (
        entry(#"{"request":{"method":1,"url":"http://a/"}}"#),
        "log.entries[0].request.method: expected a string, found a number"
      ),
      (
        entry(#"{"request":{"method":"GET","url":"nowhere"}}"#),
        "log.entries[0].request.url: expected a URL, found \"nowhere\""
      ),
      (entry(#"{"request":{"method":"GET","url":"http:///a"}}"#), "log.entries[0].request.url: the URL has no host"),
      (entry("{\(get)}"), "log.entries[0]: the member \"response\" is missing"),
      (
        entry("{\(get),\"response\":{\"status\":\"ok\"}}"),
        "log.entries[0].response.status: expected an integer, found a string"
      ),
      (
        entry("{\(get),\"response\":{\"status\":200,\"content\":{\"text\":\"%\",\"encoding\":\"gzip\"}}}"),
        "log.entries[0].response.content.encoding: the encoding \"gzip\" isn't known; base64 is"
      ),
      (
        entry("{\(get),\"response\":{\"status\":200,\"headers\":[{}]}}"),
        "log.entries[0].response.headers[0]: the member \"name\" is missing"
      ),
      (
        entry("{\"startedDateTime\":\"today\",\(get),\"response\":{\"status\":200}}"),
        "log.entries[0].startedDateTime: expected a date like 2026-11-22T10:00:00.000Z, found \"today\""
      ),
    ] {
      let archive = try HTTPArchive(data: Data(text.utf8))
      XCTAssertEqual(archive.notes, ["\(message); the entry is left out"], text)
      XCTAssertEqual(archive.exchanges.map(\.request.path), ["/good"], text)
    }
  }

  func testAnArchiveOfSecretsIsRedactedLikeAnyRecording() throws {
    let login = exchange("POST", "/login", body: Data(#"{"password":"hunter-2-hunter"}"#.utf8))
    let redacted = SecretRedaction().redacted(try HTTPArchive(data: HTTPArchive([login]).data).exchanges)
    let data = HTTPArchive(redacted.exchanges, positions: redacted.positions).data
    XCTAssertEqual(redacted.leaks, [])
    XCTAssertEqual(
      try JSONNode(data).member("log").member("entries").elements()[0].member("_redacted").value,
      [["place": "request body password", "placeholder": "[redacted password 1]"]])
  }

  func testValuesThatSomeToolsWriteInAnotherFormAreRead() throws {
    let text = #"""
      {"log":{"entries":[{
        "request":{"method":"POST","url":"http://a.example/","headers":[{"name":"Accept","value":["a","b"]}],
          "postData":{"mimeType":"text/plain","params":[{"name":"q","value":{"n":1}}]}},
        "response":{"status":200,"headers":[{"name":"Set-Cookie","value":["a=1","b=2"]}]}}]}}
      """#
    let archive = try HTTPArchive(data: Data(text.utf8))
    XCTAssertEqual(archive.notes, [])
    let exchange = try XCTUnwrap(archive.exchanges.first)
    XCTAssertEqual(exchange.request.headers, ["Accept": "a", "Accept": "b", "Content-Type": "text/plain"])
    XCTAssertEqual(String(decoding: exchange.request.body, as: UTF8.self), "q=%7B%22n%22:%201%7D")
    XCTAssertEqual(exchange.answer.headers, ["Set-Cookie": "a=1", "Set-Cookie": "b=2"])
  }

  /// In a replay, a redirect to the same URL would lead to itself.
  func testARedirectToTheSameHostWithHTTPSIsLeftOut() throws {
    func exchange(_ origin: String, _ path: String, _ answer: RecordedExchange.Answer) -> RecordedExchange {
      RecordedExchange(request: .init(method: "GET", origin: origin, path: path), answer: answer)
    }
    let archive = HTTPArchive([
      exchange("http://a.example", "/", .init(status: 301, headers: ["Location": "https://a.example/"])),
      exchange("https://a.example", "/", .init(body: Data("page".utf8))),
      exchange("http://a.example", "/plain", .init(body: Data("plain".utf8))),
      exchange("http://b.example", "/", .init(status: 301, headers: ["Location": "https://b.example/x"])),
    ])
    var notes: [String] = []
    let recording = archive.recording(&notes)
    XCTAssertEqual(notes, ["GET /: left out: it is a redirect to https, and a replay has one URL for both"])
    XCTAssertEqual(
      recording.exchanges.map { "\($0.request.origin)\($0.request.path) \($0.answer.status)" },
      ["https://a.example/ 200", "https://a.example/plain 200", "http://b.example/ 301"])
    XCTAssertEqual(recording.upstreams, ["/*": "https://a.example", "b.example": "http://b.example"])
  }

  func testARecordingIsTheSameAfterItWasAnArchive() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("archive-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let login = exchange(
      "POST", "/login", headers: ["Content-Type": "application/json"],
      body: Data(#"{"password":"hunter-2-hunter"}"#.utf8),
      answer: ["Content-Type": "application/json"], says: Data(#"{"token":"token-0-token"}"#.utf8), epoch: 0)
    let page = exchange(
      "GET", "/page", query: "token=token-0-token", answer: ["Location": "{base}/x"], epoch: 1)
    try BackendRecording(upstreams: ["/*": login.request.origin], exchanges: [login, page]).write(to: folder)
    let recording = try BackendRecording(contentsOf: folder)
    let data = HTTPArchive(recording).data
    var notes: [String] = []
    let again = try HTTPArchive(data: data).recording(&notes)
    XCTAssertEqual(notes, [])
    XCTAssertEqual(again.exchanges.map(\.request), recording.exchanges.map(\.request))
    XCTAssertEqual(again.exchanges.map(\.answer), recording.exchanges.map(\.answer))
    XCTAssertEqual(Set(again.redacted), Set(recording.redacted))
  }

  func testTheFileIsNamedInItsErrors() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("bad-\(UUID().uuidString).har")
    try Data("{}".utf8).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    XCTAssertThrowsError(try HTTPArchive(contentsOf: url)) {
      XCTAssertEqual("\($0)", "\(url.lastPathComponent):1: the member \"log\" is missing")
    }
  }
}
