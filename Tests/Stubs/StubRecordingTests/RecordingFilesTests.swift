import TestSupport

@testable import StubRecording

/// The files of a recording: how they are written, and what is said when they are damaged.
final class RecordingFilesTests: RecordingTestCase {
  private let json: MessageHeaders = ["Content-Type": "application/json"]

  private func exchange(
    _ path: String, _ headers: MessageHeaders = [:], response: MessageHeaders = [:], says text: String = ""
  ) -> RecordedExchange {
    RecordedExchange(
      request: .init(method: "GET", origin: "http://api.example", path: path, headers: headers),
      response: .init(headers: response, body: Data(text.utf8)), epoch: 0)
  }

  private func write(_ exchanges: RecordedExchange...) throws { try write(exchanges) }

  private func write(_ exchanges: [RecordedExchange]) throws {
    try BackendRecording(upstreams: ["/*": "http://api.example"], exchanges: exchanges).write(to: folder)
  }

  // MARK: Content

  /// URL loading sends them in any order, and the app's own are another in each run.
  func testOfCookiesThoseOfTheBackendAreKeptInOneOrder() throws {
    func recorded(_ cookies: String) throws -> [String: Data] {
      try write(
        exchange("/login", response: ["Set-Cookie": "sid=session-12345; Path=/", "Set-Cookie": "tenant=tenant-12345"]),
        exchange("/me", ["Cookie": cookies]))
      return try files()
    }
    let first = try recorded("tenant=tenant-12345; run=a-1; sid=session-12345")
    XCTAssertEqual(try recorded("sid=session-12345; tenant=tenant-12345; run=b-2"), first)
    XCTAssertEqual(
      try BackendRecording(contentsOf: folder).exchanges[1].request.headers,
      ["Cookie": "sid=[redacted cookie 1]; tenant=[redacted cookie 2]"])
  }

  func testAnEntityTagIsKeptIfALaterRequestReturnsIt() throws {
    let form: MessageHeaders = ["Content-Type": "application/x-www-form-urlencoded"]
    /// The tags that are left of those of two responses, the first of which a later request returns.
    func kept(_ tag: String, _ method: String, _ headers: MessageHeaders, _ body: String, isLater: Bool = true) throws
      -> [String?]
    {
      let sent = RecordedExchange(
        request: .init(
          method: method, origin: "http://api.example", path: "/save", headers: headers, body: Data(body.utf8)),
        response: .init(), epoch: 0)
      let others = [exchange("/a", response: ["ETag": tag]), exchange("/b", response: ["ETag": "\"other-tag\""])]
      try write(isLater ? others + [sent] : [sent] + others)
      let read = try BackendRecording(contentsOf: folder).exchanges
      return ["/a", "/b"].map { path in read.first { $0.request.path == path }?.response.headers["ETag"] }
    }
    for tag in ["\"a/1+2=\"", "W/\"a/1+2=\"", "a/1+2="] {
      for (method, headers, body) in [
        ("PUT", ["If-Match": "\"x\", \"a/1+2=\""], "{}"), ("GET", ["If-None-Match": "W/\"a/1+2=\""], ""),
        ("GET", ["If-Range": "\"a/1+2=\""], ""), ("PATCH", ["X-Version": "a/1+2="], ""),
        ("PUT", json, #"{"_etag":"\"a\/1+2=\""}"#), ("PUT", json, #"{"_etag":"\u0022a\u002F1\u002B2\u003D\u0022"}"#),
        ("POST", form, "n=1&etag=%22a%2f1%2B2%3D%22"),
        ("POST", ["Content-Type": "text/xml"], "<e>&quot;a/1+2=&quot;</e>"),
      ] as [(String, MessageHeaders, String)] {
        XCTAssertEqual(try kept(tag, method, headers, body), [tag, nil], "\(headers) \(body)")
        XCTAssertEqual(try kept(tag, method, headers, body, isLater: false), [nil, nil], "\(headers) \(body)")
      }
    }
    XCTAssertEqual(try kept("\"\"", "PUT", ["If-Match": "\"\""], ""), [nil, nil])
    // Equal tags of several responses, and the tags of a path that is revalidated.
    let revalidating: MessageHeaders = ["If-None-Match": "\"1\""]
    try write(
      exchange("/a", response: ["ETag": "\"same\""]),
      exchange("/save", ["If-Match": "\"same\""], response: ["ETag": "\"same\""]),
      exchange("/c", response: ["ETag": "\"1\""]), exchange("/c", revalidating, response: ["ETag": "\"2\""]))
    XCTAssertEqual(
      try BackendRecording(contentsOf: folder).exchanges.map { $0.response.headers["ETag"] },
      ["\"same\"", "\"1\"", "\"2\"", "\"same\""])
  }

  func testBodiesKeepTheirBytes() throws {
    func nested(_ depth: Int) -> String { String(repeating: "[", count: depth) + String(repeating: "]", count: depth) }
    let bodies = [
      #"{"caf\u00e9\/":1.50,"a":1e400,"a":"\/\u2028"}"#, nested(64), nested(65), "[1,]", "\u{FEFF}{}",
      String(repeating: "\u{1}", count: 40), String(repeating: "a", count: 20_000),
    ]
    try write(bodies.enumerated().map { exchange("/\($0)", says: $1) })
    XCTAssertEqual(
      try BackendRecording(contentsOf: folder).exchanges.map { String(decoding: $0.response.body, as: UTF8.self) },
      bodies
    )
    let index = try text("recording.json")
    XCTAssertTrue(index.contains(#""caf\u00e9\/": 1.50,"#), index)
    XCTAssertEqual(index.ranges(of: "\"json\": ").count, 2)
    XCTAssertEqual(index.ranges(of: "\"file\": \"bodies/").count, 2)
    try write(exchange("/0"))
    XCTAssertEqual(try files().keys.sorted(), ["recording.json"])
  }

  /// A person, or a merge, may have added it.
  func testAnExchangeWithoutAnEpochIsRead() throws {
    try write((1...3).map { exchange("/poll", says: "\($0)") })
    let index = try text("recording.json").replacing("\"epoch\": 0,", with: "", maxReplacements: 2)
    try Data(index.utf8).write(to: folder.appending(path: "recording.json"))
    let recording = try BackendRecording(contentsOf: folder)
    XCTAssertEqual(recording.exchanges.map { String(decoding: $0.response.body, as: UTF8.self) }, ["1", "2", "3"])
    XCTAssertEqual(recording.numbered.map(\.epoch), [0, 0, 0])
  }

  // MARK: Writing

  /// A recorder that is killed, or a disk that is full, may end the writing between any two steps.
  func testAWritingThatEndsAtAnyStepLeavesTheEarlierRecordingOrTheNewOne() throws {
    func recording(_ text: String, _ paths: [String]) -> BackendRecording {
      let large = String(repeating: "\u{1}", count: 40)
      return BackendRecording(
        upstreams: ["/*": "http://api.example"],
        exchanges: paths.map { exchange($0, says: large + text + $0) } + [exchange("/x", says: text)])
    }
    let (old, new) = (recording("old", ["/a", "/b"]), recording("new", ["/b", "/c", "/d"]))
    let all = RecordingFiles(new, in: folder).steps().count
    var seen: [[String]] = []
    for count in 0...(all + 4) {
      try old.write(to: folder)
      for step in RecordingFiles(new, in: folder).steps().prefix(count) { try step() }
      let read = try BackendRecording(contentsOf: folder)
      XCTAssertTrue(read == old || read == new, "after \(count) steps: \(read.exchanges.map(\.request.path))")
      if seen.last != read.exchanges.map(\.request.path) { seen.append(read.exchanges.map(\.request.path)) }
      // The next recording removes what is left.
      try new.write(to: folder)
      XCTAssertEqual(try files().count, 4)
      try FileManager.default.removeItem(at: folder)
    }
    XCTAssertEqual(seen, [["/a", "/b", "/x"], ["/b", "/c", "/d", "/x"]])
  }

  func testAWritingThatFailsLeavesTheEarlierRecording() throws {
    try write(exchange("/old", says: "old"))
    // A file in the place of the folder for bodies.
    try Data().write(to: folder.appending(path: "bodies"))
    XCTAssertThrowsError(try write(exchange("/new", says: String(repeating: "\u{1}", count: 40))))
    XCTAssertEqual(try BackendRecording(contentsOf: folder).exchanges.map(\.request.path), ["/old"])
  }

  func testAWritingThatFailsLeavesNoNewBodies() throws {
    let (old, new) = (String(repeating: "\u{1}", count: 40), String(repeating: "\u{2}", count: 40))
    try write(exchange("/old", says: old))
    let before = try files()
    // A folder in the place of what is written last.
    let index = folder.appending(path: "recording.json")
    try FileManager.default.removeItem(at: index)
    try FileManager.default.createDirectory(at: index.appending(path: "x"), withIntermediateDirectories: true)
    XCTAssertThrowsError(try write(exchange("/new", says: new), exchange("/old", says: old)))
    XCTAssertEqual(try files().keys.sorted(), before.keys.filter { $0 != "recording.json" }.sorted())
  }

  func testALinkInThePlaceOfTheFolderOfBodiesIsRefused() async throws {
    let elsewhere = folder.deletingLastPathComponent().appending(path: "elsewhere", directoryHint: .isDirectory)
    for directory in [folder, elsewhere] {
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }
    try Data("mine".utf8).write(to: elsewhere.appending(path: "0f-2a.dat"))
    let link = folder.appending(path: "bodies").path(percentEncoded: false)
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: elsewhere.path(percentEncoded: false))
    let reason = "\(link) is a link, and bodies are only written into a folder: remove it."
    XCTAssertThrowsError(try write(exchange("/new", says: String(repeating: "\u{1}", count: 40)))) {
      XCTAssertEqual("\($0)", reason)
    }
    let url = try XCTUnwrap(URL(string: "http://127.0.0.1:1"))
    let source = source("rewrite", .folder(at: folder, upstreams: ["/*": url]))
    XCTAssertThrowsError(try source.open([:], nil)) { XCTAssertEqual("\($0)", reason) }
    let left = try FileManager.default.contentsOfDirectory(atPath: elsewhere.path(percentEncoded: false))
    XCTAssertEqual(left, ["0f-2a.dat"])
  }

  func testARecordingTakesThePlaceOfOneInTheFirstFormat() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let entry = #"{"method": "GET", "path": "/books", "exchanges": []}"#
    for (name, text) in [
      "recording.json": #"{"format": 1}"#, "GET books.json": entry, "POST books%2F42.json": entry,
      "GET notes.json": "{}",
      "books.json": entry,
    ] { try Data(text.utf8).write(to: folder.appending(path: name)) }
    try write(exchange("/books"))
    XCTAssertEqual(try files().keys.sorted(), ["GET notes.json", "books.json", "recording.json"])
  }

  private let foreign = [
    "my notes.json": "not JSON", "README.md": "mine", ".gitkeep": "", ".DS_Store": "x", "GET books.json": "mine",
    "bodies/notes.txt": "mine", "bodies/.DS_Store": "x",
  ]

  func testFilesOfOthersAreNeitherReadNorRemoved() throws {
    try write(exchange("/books"), exchange("/picture", says: String(repeating: "\u{1}", count: 40)))
    for (name, text) in foreign { try Data(text.utf8).write(to: folder.appending(path: name)) }
    XCTAssertEqual(try BackendRecording(contentsOf: folder).exchanges.count, 2)
    try write(exchange("/other"))
    XCTAssertEqual(try files().keys.sorted(), (["recording.json"] + foreign.keys).sorted())
    for (name, text) in foreign { XCTAssertEqual(try self.text(name), text) }
  }

  func testAFolderWithHiddenFilesIsRecordedInto() async throws {
    let backend = try backend()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for name in [".gitkeep", ".DS_Store"] { try Data().write(to: folder.appending(path: name)) }
    try await recording(of: backend.url, mode: "once") { _ = try await $0.get("/text") }
    XCTAssertEqual(try files().keys.sorted(), [".DS_Store", ".gitkeep", "recording.json"])
  }

  /// `recording.json` is written after the bodies, so a recorder that is killed before that leaves some, and what it was about to write.
  func testWhatAKilledRecorderHasLeftGoes() async throws {
    let backend = try backend()
    let bodies = folder.appending(path: "bodies", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: bodies, withIntermediateDirectories: true)
    for name in ["bodies/.dat.nosync4f.aB3dEf", ".dat.nosync4f.gH3dEf", "bodies/0f-2a.dat"] {
      try Data("left".utf8).write(to: folder.appending(path: name))
    }
    try await recording(of: backend.url, mode: "once") { _ = try await $0.get("/text") }
    XCTAssertEqual(try files().keys.sorted(), ["recording.json"])
  }

  // MARK: Damage

  /// The message about a recording with other exchanges, or another text.
  private func error(exchanges: String? = nil, _ text: String = "") throws -> String? {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let origins = #""upstreams": {"/a": "http://a.example", "/b": "http://b.example"}"#
    let index = exchanges.map { #"{"format": 3, \#(origins), "exchanges": [\#($0)]}"# } ?? text
    try Data(index.utf8).write(to: folder.appending(path: "recording.json"))
    do {
      _ = try BackendRecording(contentsOf: folder).stubs
      return nil
    } catch {
      return "\(error)".replacing(folder.path(percentEncoded: false), with: "")
    }
  }

  func testWhatIsDamagedIsNamedWithItsPlace() throws {
    XCTAssertEqual(
      try error("{\n  <<<<<<< HEAD\n}"),
      #"recording.json isn't JSON: line 2, column 3: expected a key in quotes, found "<"."#)
    XCTAssertEqual(try error("[]"), "recording.json isn't a JSON object.")
    XCTAssertEqual(try error("{}"), #"recording.json has no "format": it isn't a recording."#)
    XCTAssertEqual(
      try error(#"{"format": 1}"#), "recording.json has format 1, and this version reads format 3: record it again.")
    let response = #""response": {"status": 200}"#
    XCTAssertEqual(
      try error(exchanges: #"{"request": {"method": "GET", "origin": "a", "path": "/"}, \#(response)}, {}"#),
      "recording.json has an exchange without the status of its response, the one with number 2.")
    XCTAssertEqual(
      try error(exchanges: #"{"request": {"method": "GET"}, \#(response)}"#),
      "recording.json has an exchange without the method and the path of its request, the one with number 1.")
    XCTAssertEqual(
      try error(exchanges: #"{"request": {"method": "GET", "path": "/"}, \#(response)}"#),
      #"recording.json has an exchange without the "origin" of its backend, the one with number 1."#)
    let request = #""request": {"method": "POST", "origin": "a", "path": "/"}"#
    for (exchange, reason) in [
      (
        #"{\#(request), "response": {"status": 200, "body": {}}}"#,
        #"a response has no member "body"; it may have "file", "headers", "json", "status", "text""#
      ),
      (
        #"{\#(request), "response": {"status": 200, "text": 7}}"#,
        #""text" must be a string or an array of strings, not a number"#
      ),
      (
        #"{\#(request), "response": {"status": 200, "json": 1, "file": "a"}}"#,
        #"a response has one body, not "json" and "file""#
      ),
      (
        #"{\#(request), "response": {"status": 200, "headers": {"A": 1}}}"#,
        #""headers" must be an object of strings or arrays of strings"#
      ),
      (#"{\#(request), "response": {"status": 200, "status": 201}}"#, #"a response has "status" twice"#),
      (#"{\#(request), "response": {"status": "200"}}"#, #""status" must be a number, not a string"#),
      (
        #"{\#(request), "respones": {"status": 200}}"#,
        #"an exchange has no member "respones"; did you mean "response"?"#
      ),
      (#"{"epoch": null, \#(request), \#(response)}"#, #""epoch" must be a number, not null"#),
      (#"{"request": [], \#(response)}"#, #""request" must be an object, not an array"#),
      ("7", "an exchange is an object, not a number"),
    ] {
      let error = try error(exchanges: exchange)?.replacing(/line 1, column [0-9]+/, with: "line 1, column N")
      XCTAssertEqual(error, "recording.json, line 1, column N: \(reason)\(reason.hasSuffix("?") ? "" : ".")")
    }
    XCTAssertEqual(
      try error("{\n  \"format\": 3,\n  \"exchange\": []\n}"),
      #"recording.json, line 3, column 15: a recording has no member "exchange"; did you mean "exchanges"?"#)
    XCTAssertEqual(try error(#"{"format": 3}"#), #"recording.json has no "exchanges"."#)
    XCTAssertNil(try error(exchanges: #"{"epoch": \#(Int.max), \#(request), \#(response)}"#))
    XCTAssertEqual(
      try error(exchanges: #"{\#(request), "response": {"status": 200, "file": "../a"}}"#),
      "recording.json names a body that can't be used: the stub file ../a is outside of its folder.")
  }
}
