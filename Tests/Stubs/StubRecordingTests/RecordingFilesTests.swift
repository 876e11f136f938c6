import Foundation
import StubModel
import TestSupport
import XCTest

@testable import StubRecording

/// The files of a recording: what changes in them, and what is said when they are damaged.
final class RecordingFilesTests: RecordingTestCase {
  private func exchange(
    _ path: String, _ headers: HeaderFields = [:], answer: HeaderFields = [:], says text: String = "",
    at seconds: Int = 0
  ) -> RecordedExchange {
    RecordedExchange(
      request: .init(method: "GET", origin: "http://api.example", path: path, headers: headers),
      answer: .init(headers: answer, body: Data(text.utf8)), date: Date(timeIntervalSince1970: Double(seconds)),
      epoch: 0)
  }

  private func write(_ exchanges: RecordedExchange...) throws { try write(exchanges) }

  private func write(_ exchanges: [RecordedExchange]) throws {
    try BackendRecording(upstreams: ["/*": "http://api.example"], exchanges: exchanges).write(to: folder)
  }

  // MARK: Stability

  func testEqualAnswersOfAPollKeepTheirTimes() throws {
    try write(exchange("/poll", says: "same", at: 0), exchange("/poll", says: "same", at: 5))
    let first = try files()
    try write(exchange("/poll", says: "same", at: 100), exchange("/poll", says: "same", at: 105))
    XCTAssertEqual(try files(), first)
  }

  /// URL loading sends them in any order, and the app's own are another in each run.
  func testOfCookiesThoseOfTheBackendAreKeptInOneOrder() throws {
    func recorded(_ cookies: String) throws -> [String: Data] {
      try write(
        exchange("/login", answer: ["Set-Cookie": "sid=session-12345; Path=/", "Set-Cookie": "tenant=tenant-12345"]),
        exchange("/me", ["Cookie": cookies]))
      return try files()
    }
    let first = try recorded("tenant=tenant-12345; run=a-1; sid=session-12345")
    XCTAssertEqual(try recorded("sid=session-12345; tenant=tenant-12345; run=b-2"), first)
    XCTAssertEqual(
      try BackendRecording(contentsOf: folder).exchanges[1].request.headers,
      ["Cookie": "sid=[redacted cookie 1]; tenant=[redacted cookie 2]"])
  }

  /// A person, or a merge, may have added it.
  func testAnExchangeThatTheOrderLacksIsRead() throws {
    try write((1...3).map { exchange("/poll", says: "\($0)") })
    let index = try text("recording.json").replacing("\"GET /poll\",\n    ", with: "", maxReplacements: 2)
    XCTAssertEqual(index.ranges(of: "GET /poll").count, 1)
    try Data(index.utf8).write(to: folder.appending(path: "recording.json"))
    let bodies = try BackendRecording(contentsOf: folder).exchanges.map {
      String(decoding: $0.answer.body, as: UTF8.self)
    }
    XCTAssertEqual(bodies, ["1", "2", "3"])
  }

  func testBodiesKeepTheirBytes() throws {
    func nested(_ depth: Int) -> String { String(repeating: "[", count: depth) + String(repeating: "]", count: depth) }
    let bodies = [#"{"caf\u00e9\/":1.50,"a":1e400,"a":"\/\u2028"}"#, nested(128), nested(129), "[1,]", "\u{FEFF}{}"]
    try write(bodies.enumerated().map { exchange("/\($0)", says: $1) })
    XCTAssertEqual(
      try BackendRecording(contentsOf: folder).exchanges.map { String(decoding: $0.answer.body, as: UTF8.self) }, bodies
    )
    let first = try text("GET 0.json")
    XCTAssertTrue(first.contains(#""caf\u00e9\/": 1.50,"#), first)
    let areJSON = try (1...2).map { try text("GET \($0).json").contains("\"json\": [") }
    XCTAssertEqual(areJSON, [true, false])
  }

  // MARK: Secrets

  func testASecretThatIsANameIsNotAPlaceOfAnother() throws {
    try write(
      exchange(
        "/sessions", ["Authorization": "Bearer token-3f9a2c61"], answer: ["Content-Type": "application/json"],
        says: #"{"token-3f9a2c61": {"password": "hunter2"}}"#))
    XCTAssertEqual(
      try BackendRecording(contentsOf: folder).redacted,
      [
        "GET /sessions: answer body [redacted token 1].password: [redacted password 1]",
        "GET /sessions: answer body: [redacted token 1]",
        "GET /sessions: request header Authorization: [redacted token 1]",
      ])
  }

  // MARK: Files of others

  private let foreign = [
    "my notes.json": "not JSON", "README.md": "mine", ".gitkeep": "", ".DS_Store": "x", "TODO list.json": "{",
    "bodies/notes.txt": "mine", "bodies/.DS_Store": "x", "GET old/notes.json": "mine",
  ]

  private func writeForeign() throws {
    for (name, text) in foreign {
      let url = folder.appending(path: name)
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
    }
  }

  func testFilesOfOthersAreNeitherReadNorRemoved() throws {
    let binary = String(repeating: "\u{1}", count: 40)
    try write(exchange("/books"), exchange("/picture", says: binary))
    try writeForeign()
    XCTAssertEqual(try BackendRecording(contentsOf: folder).exchanges.count, 2)
    try write(exchange("/other"))
    let names = try files().keys.sorted()
    XCTAssertEqual(names, (["GET other.json", "recording.json"] + foreign.keys).sorted())
    for (name, text) in foreign { XCTAssertEqual(try self.text(name), text) }
  }

  func testAFolderWithHiddenFilesIsRecordedInto() async throws {
    let backend = try backend()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for name in [".gitkeep", ".DS_Store"] { try Data().write(to: folder.appending(path: name)) }
    try await recording(of: backend.url, mode: "once") { _ = try await $0.get("/text") }
    XCTAssertEqual(try files().keys.sorted(), [".DS_Store", ".gitkeep", "GET text.json", "recording.json"])
  }

  /// Its index is written last, so a recorder that is killed before that leaves the rest, and what it was about to write.
  func testWhatAKilledRecorderHasLeftGoes() async throws {
    let backend = try backend()
    let large = String(repeating: "\u{1}", count: 40)
    try write(exchange("/picture", says: large), exchange("/other", says: "1"))
    try FileManager.default.removeItem(at: folder.appending(path: "recording.json"))
    for name in ["bodies/.dat.nosync4f.aB3dEf", ".dat.nosync4f.gH3dEf", "bodies/0f-2a.dat"] {
      try Data("a stranger's".utf8).write(to: folder.appending(path: name))
    }
    try await recording(of: backend.url, mode: "once") { _ = try await $0.get("/text") }
    XCTAssertEqual(try files().keys.sorted(), ["GET text.json", "recording.json"])
    // Files that a recorder doesn't write are someone's.
    try FileManager.default.removeItem(at: folder.appending(path: "recording.json"))
    try Data("{}".utf8).write(to: folder.appending(path: "GET other.json"))
    let reporter = RecordingReporter()
    verifier(source("once", .folder(at: folder, upstreams: ["/*": backend.url])), reporter).stop()
    XCTAssertEqual(reporter.sentences.count, 1)
    XCTAssertTrue(
      reporter.sentences[0].contains("so it isn't a recording: choose another folder"), reporter.sentences[0])
  }

  func testAnEntryThatIsBrokenIsNamed() throws {
    XCTAssertEqual(
      try error("DELETE books.json", "{}"),
      #"DELETE books.json has no "method", "path" and "exchanges"."#)
    XCTAssertEqual(try error("my notes.json", "{}"), nil)
  }

  func testAnUnusualMethodIsReadAndItsFileIsRemovedWithIt() throws {
    func purge(_ method: String) -> RecordedExchange {
      var exchange = exchange("/cache")
      exchange.request.method = method
      return exchange
    }
    try write(purge("PURGE"), purge("purge"), purge("M-SEARCH"))
    XCTAssertEqual(
      try BackendRecording(contentsOf: folder).exchanges.map(\.request.method).sorted(), ["M-SEARCH", "PURGE", "purge"])
    try write(exchange("/books"))
    XCTAssertEqual(try files().keys.sorted(), ["GET books.json", "recording.json"])
  }

  func testNamesThatDifferOnlyInCaseAreTwoFiles() throws {
    try write(exchange("/Books", says: "1"), exchange("/books", says: "2"), exchange("/BOOKS", says: "3"))
    let names = try files().keys.filter { $0 != "recording.json" }
    XCTAssertEqual(Set(names.map { $0.lowercased() }).count, 3, "\(names)")
    XCTAssertEqual(
      try BackendRecording(contentsOf: folder).exchanges.map {
        "\($0.request.path) \(String(decoding: $0.answer.body, as: UTF8.self))"
      },
      ["/Books 1", "/books 2", "/BOOKS 3"])
    // On a file system without a difference, the old name is the new file's.
    try write(exchange("/BOOKS", says: "3"))
    XCTAssertEqual(try BackendRecording(contentsOf: folder).exchanges.map(\.request.path), ["/BOOKS"])
  }

  func testLongAndOddPathsHaveNamesThatFileSystemsTake() throws {
    let paths = [
      "/" + String(repeating: "a", count: 5_000), "/" + String(repeating: "a", count: 5_001), "/%FF%FE", "/%2e%2e/x",
      "/..", "/a//b", "/", "//", "/.hidden", "/ä", "/con", "/a%00b", "/~", "/a~b", "/a/b",
    ]
    try write(paths.map { exchange($0, says: $0) })
    XCTAssertEqual(Set(try BackendRecording(contentsOf: folder).exchanges.map(\.request.path)), Set(paths))
    let names = try files().keys
    XCTAssertEqual(names.count, paths.count + 1)
    XCTAssertTrue(names.allSatisfy { $0.utf8.count < 200 && !$0.hasPrefix(".") }, "\(names)")
  }

  // MARK: Damage

  /// The message about a recording with a file in place of one of its own files.
  private func error(_ name: String, _ text: String) throws -> String? {
    try write(exchange("/books"))
    try Data(text.utf8).write(to: folder.appending(path: name))
    do {
      _ = try BackendRecording(contentsOf: folder).stubs
      return nil
    } catch {
      return "\(error)".replacing(folder.path(percentEncoded: false), with: "")
    }
  }

  func testWhatIsNotJSONIsNamedWithItsPlace() throws {
    XCTAssertEqual(
      try error("GET books.json", "{\n  <<<<<<< HEAD\n}"),
      #"GET books.json isn't JSON: line 2, column 3: expected a key in quotes, found "<"."#)
    XCTAssertEqual(try error("recording.json", "[]"), "recording.json isn't a JSON object.")
  }

  func testABodyThatAnEarlierVersionKeptAsDeeperJSONIsRefusedWithAdvice() throws {
    try write([exchange("/a", says: "7")])
    let deep = String(repeating: "[", count: 129) + String(repeating: "]", count: 129)
    let file = try text("GET a.json")
    try Data(file.replacing(/"json": 7/, with: "\"json\": \(deep)").utf8).write(
      to: folder.appending(path: "GET a.json"))
    XCTAssertThrowsError(try BackendRecording(contentsOf: folder)) {
      XCTAssertTrue(
        "\($0)".hasSuffix(
          ": nested deeper than 132. Record it again, or move the value of \"json\" to a string in \"text\"."), "\($0)")
    }
  }

  func testOfSeveralBackendsEachExchangeNamesItsOwn() throws {
    XCTAssertEqual(
      try error("recording.json", #"{"format": 1, "upstreams": {"/a": "http://a.example", "/b": "http://b.example"}}"#),
      #"GET books.json has an exchange without the "origin" of its backend, the one with number 1."#)
  }

  func testTheLargestEpochIsRead() throws {
    let file = #"{"method": "POST", "path": "/", "exchanges": [{"epoch": \#(Int.max), "answer": {"status": 200}}]}"#
    XCTAssertNil(try error("POST ~.json", file))
  }
}
