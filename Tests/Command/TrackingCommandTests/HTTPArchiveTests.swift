import TestSupport
import StubRecording

@testable import TrackingCommand

final class HTTPArchiveTests: XCTestCase {
  private func entry(_ url: String, _ response: String = #""status":200"#, method: String = "GET") -> String {
    #"{"request":{"method":"\#(method)","url":"\#(url)"},"response":{\#(response)}}"#
  }

  private func archive(_ entries: String...) throws -> HTTPArchive {
    try HTTPArchive(data: Data(#"{"log":{"entries":[\#(entries.joined(separator: ","))]}}"#.utf8))
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
          body: Data("{}".utf8))))
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

  func testAnEntryThatFailedIsLeftOutAndNamed() throws {
    let sizeless = #""status":200,"content":{"size":-1}"#
    let archive = try archive(
      entry("http://a.example/1", #""status":200,"_failureText":"net::ERR_ABORTED""#),
      entry("http://a.example/2", #""status":0,"_error":"net::ERR_FAILED""#),
      entry("http://a.example/3").replacing("}}", with: #"},"_failureText":"cancelled"}"#),
      entry("http://a.example/4", sizeless), entry("http://a.example/5", sizeless, method: "HEAD"),
      entry("http://a.example/6", #""status":302,"content":{"size":-1}"#),
      entry("http://a.example/7", #""status":204,"content":{"size":-1}"#))
    XCTAssertEqual(
      archive.notes,
      [
        "log.entries[0]: it failed: net::ERR_ABORTED; the entry is left out",
        "log.entries[1]: it failed: net::ERR_FAILED; the entry is left out",
        "log.entries[2]: it failed: cancelled; the entry is left out",
        "log.entries[3]: its body didn't arrive (size -1); the entry is left out",
      ])
    XCTAssertEqual(archive.exchanges.map(\.request.path), ["/5", "/6", "/7"])
  }

  /// As Playwright's `routeFromHAR({update: true})` writes them.
  func testBodiesInFilesBesideTheArchiveAreRead() throws {
    let folder = try temporaryFolder()
    try Data([0, 255]).write(to: folder.appendingPathComponent("5c0f.png"))
    let entries = ["5c0f.png", "../5c0f.png", "/etc/hostname", "..", "none.json"].map {
      entry("http://a.example/image", #""status":200,"content":{"size":2,"_file":"\#($0)"}"#)
    }
    let file = folder.appendingPathComponent("session.har")
    let post = #"{"request":{"method":"POST","url":"http://a.example/","postData":{"_file":"5c0f.png"}},"#
    let all = entries + [post + #""response":{"status":200}}"#]
    try Data(#"{"log":{"entries":[\#(all.joined(separator: ","))]}}"#.utf8).write(to: file)
    let archive = try HTTPArchive(contentsOf: file)
    XCTAssertEqual(archive.exchanges.map(\.answer.body), [Data([0, 255]), Data()])
    XCTAssertEqual(archive.exchanges.last?.request.body, Data([0, 255]))
    XCTAssertEqual(
      archive.notes,
      [
        #"session.har:1: log.entries[1].response.content._file: "../5c0f.png" isn't the name of a file beside the archive; the entry is left out"#,
        #"session.har:1: log.entries[2].response.content._file: "/etc/hostname" isn't the name of a file beside the archive; the entry is left out"#,
        #"session.har:1: log.entries[3].response.content._file: ".." isn't the name of a file beside the archive; the entry is left out"#,
        "session.har:1: log.entries[4].response.content._file: the file none.json beside the archive can't be read; the entry is left out",
      ])
  }

  func testTwoPortsOfOneHostAreTwoBackends() throws {
    var notes: [String] = []
    let recording = try archive(
      entry("http://a.example:8080/"), entry("http://a.example:9090/"), entry("http://b.example/"),
      entry("http://b.example:81/")
    ).recording(&notes)
    XCTAssertEqual(
      recording.upstreams,
      [
        "/*": "http://a.example:8080", "a.example-9090.localhost": "http://a.example:9090",
        "b.example": "http://b.example", "b.example-81.localhost": "http://b.example:81",
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
    ] {
      let archive = try HTTPArchive(data: Data(text.utf8))
      XCTAssertEqual(archive.notes, ["\(message); the entry is left out"], text)
      XCTAssertEqual(archive.exchanges.map(\.request.path), ["/good"], text)
    }
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
    let moved = #""status":301,"headers":[{"name":"Location","value":"https://"#
    let archive = try archive(
      entry("http://a.example/", moved + #"a.example/"}]"#), entry("https://a.example/"),
      entry("http://a.example/plain"), entry("http://b.example/", moved + #"b.example/x"}]"#))
    var notes: [String] = []
    let recording = archive.recording(&notes)
    XCTAssertEqual(notes, ["GET /: left out: it is a redirect to https, and a replay has one URL for both"])
    XCTAssertEqual(
      recording.exchanges.map { "\($0.request.origin)\($0.request.path) \($0.answer.status)" },
      ["https://a.example/ 200", "https://a.example/plain 200", "http://b.example/ 301"])
    XCTAssertEqual(recording.upstreams, ["/*": "https://a.example", "b.example": "http://b.example"])
  }

  func testTheFileIsNamedInItsErrors() throws {
    let url = try temporaryFolder().appending(path: "bad.har")
    try Data("{}".utf8).write(to: url)
    XCTAssertThrowsError(try HTTPArchive(contentsOf: url)) {
      XCTAssertEqual("\($0)", "\(url.lastPathComponent):1: the member \"log\" is missing")
    }
  }
}
