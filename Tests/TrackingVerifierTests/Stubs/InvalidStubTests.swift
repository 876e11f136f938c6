import TestSupport
import TrackingVerifier

/// A stub that can't be installed fails the test at the line of the call, with a text that says what to do.
final class InvalidStubTests: XCTestCase {
  private let reporter = RecordingReporter()
  private let folder = FileManager.default.temporaryDirectory.appending(path: "stubs-\(UUID().uuidString)")
  private lazy var verifier = TrackingVerifier(
    with: self, configuration: .init(stubFolder: .url(folder), reporter: reporter))

  private var path: String { folder.path(percentEncoded: false) }

  override func setUpWithError() throws {
    try FileManager.default.createDirectory(at: folder.appending(path: "covers"), withIntermediateDirectories: true)
  }

  override func tearDownWithError() throws {
    try FileManager.default.removeItem(at: folder)
  }

  /// The one sentence that a call reports, at its own line.
  private func expect(
    _ sentence: String, _ call: (_ line: UInt) -> Void, line: UInt = #line
  ) {
    let reported = reporter.failures.count
    call(line)
    let failures = reporter.failures.dropFirst(reported)
    XCTAssertEqual(failures.map { words(of: $0.message.withPathsInFull) }, [words(of: sentence)], line: line)
    XCTAssertEqual(failures.map(\.location.line), [line], line: line)
    XCTAssertEqual(failures.map(\.kind), [.invalidStub], line: line)
  }

  /// The words of a sentence, however it is divided.
  private func words(of sentence: String) -> String {
    sentence.lowercased().replacing(/[:;,.]? (and |but |so )?/, with: " ").replacing(/\.$/, with: "")
  }

  func testFiles() throws {
    expect("The stub GET /a was not installed: the stub file \(path)/nothing.json doesn't exist.") {
      verifier.stub(.get, "/a", .json(file: "nothing"), line: $0)
    }
    expect("The stub GET /a was not installed: the stub file \(path)/covers is a folder.") {
      verifier.stub(.get, "/a", .file("covers"), line: $0)
    }
    expect("The stub GET /a was not installed: the stub file \(path)/../a.json is outside of its folder.") {
      verifier.stub(.get, "/a", .file("../a.json"), line: $0)
    }
    expect("The stub GET /a was not installed: the path \"/a\" names no file of the folder: end it with /*.") {
      verifier.stub(.get, "/a", .files(in: .url(folder)), line: $0)
    }
    expect("The stub GET /a/* was not installed: the stub file \(path)/none doesn't exist.") {
      verifier.stub(.get, "/a/*", .files(in: .url(folder.appending(path: "none"))), line: $0)
    }
    XCTAssertEqual(verifier.unusedStubs, [])
  }

  func testAFileAmongTheResourcesOfATargetIsFound() throws {
    let beside = "App_\(UUID().uuidString).bundle"
    // The first is where SwiftPM puts them on Linux, the others on Apple's platforms: in the test bundle and beside it.
    let bundles = ["App_AppTests.resources", "App_AppTests.bundle/Contents/Resources", "../\(beside)"]
    addTeardownBlock { [folder] in
      try FileManager.default.removeItem(at: folder.deletingLastPathComponent().appending(path: beside))
    }
    for (index, bundle) in bundles.enumerated() {
      let resources = folder.appending(path: "\(bundle)/api")
      try FileManager.default.createDirectory(at: resources, withIntermediateDirectories: true)
      let name = "api/books\(index)-\(UUID().uuidString)"
      try Data("{}".utf8).write(to: folder.appending(path: "\(bundle)/\(name).json"))
      let shown = bundle.split(separator: "/").first { $0.hasPrefix("App_") } ?? ""
      expect(
        """
        The stub GET /a was not installed: the stub file \(path)/\(name).json doesn't exist, but \(shown) has it: `stubFolder = \
        .bundle(.module)` (of a session, `folder`).
        """
      ) {
        verifier.stub(.get, "/a", .json(file: name), line: $0)
      }
    }
  }

  func testAFileInAFolderOfTheResourcesIsFound() throws {
    let name = "courses-\(UUID().uuidString)"
    for (bundle, hint) in [
      ("", "Stubs/\(name).json does"),
      (
        "App_AppTests.resources/",
        "App_AppTests.resources has it in Stubs: `stubFolder = .bundle(.module, folder: \"Stubs\")` (of a session, `folder`)"
      ),
    ] {
      let resources = folder.appending(path: "\(bundle)Stubs")
      try FileManager.default.createDirectory(at: resources, withIntermediateDirectories: true)
      try Data("{}".utf8).write(to: resources.appending(path: "\(name).json"))
      expect("The stub GET /a was not installed: the stub file \(path)/\(name).json doesn't exist, but \(hint).") {
        verifier.stub(.get, "/a", .json(file: name), line: $0)
      }
      try FileManager.default.removeItem(at: resources)
    }
  }

  func testAFileThatIsNotJSONIsNamedWithLineAndColumn() throws {
    try Data("{\n  \"id\": 42,\n}".utf8).write(to: folder.appending(path: "broken.json"))
    expect(
      "The stub GET /a was not installed: the stub file \(path)/broken.json can't be read as JSON: line 3, column 1: expected a key in "
        + "quotes, found \"}\"."
    ) {
      verifier.stub(.get, "/a", .json(file: "broken"), line: $0)
    }
    XCTAssertEqual(verifier.unusedStubs, [])
    // A file of any other kind may hold what it likes.
    verifier.stub(.get, "/a", .file("broken.json"))
    XCTAssertEqual(verifier.unusedStubs.map(\.description), ["GET /a"])
  }

  func testAFileThatCannotBeRead() throws {
    let unreadable = try UnreadableFile()
    defer { unreadable.remove() }
    let path = unreadable.folder.appending(path: unreadable.name).path(percentEncoded: false)
    verifier.stub(.get, "/a", .file(unreadable.name, in: .url(unreadable.folder)))
    let sentence = try XCTUnwrap(reporter.sentences.first)
    XCTAssertTrue(
      sentence.hasPrefix("The stub GET /a was not installed: the stub file \(path) can't be read: "), sentence)
    XCTAssertEqual(reporter.sentences.count, 1)
  }

  func testPaths() {
    expect("The stub GET books was not installed: the path \"books\" doesn't begin with a slash.") {
      verifier.stub(.get, "books", .ok, line: $0)
    }
    expect("The stub GET /a/:id/b/:id was not installed: the path \"/a/:id/b/:id\" has the param :id twice.") {
      verifier.stub(.get, "/a/:id/b/:id", .ok, line: $0)
    }
    expect("The stub GET /a/[/ was not installed: the path \"a/[\" isn't a valid regular expression.") {
      verifier.stub(.get, .regex("a/["), .ok, line: $0)
    }
    expect(
      """
      The stub GET /a?q=1 was not installed: the path "/a?q=1" has a query or a fragment; use `query:` for a query.
      """
    ) {
      verifier.stub(.get, "/a?q=1", .ok, line: $0)
    }
    expect(
      """
      The stub POST / was not installed: POST / receives the app's events: change their responses with \
      respondToEvents(with:), or move them to another path with `eventPath` in the server's configuration.
      """
    ) {
      verifier.stub(.post, "/", .status(503), line: $0)
    }
  }

  func testResponses() {
    expect("The stub GET /a was not installed: it has no response: add at least one.") {
      verifier.stub(.get, "/a", [], line: $0)
    }
    expect("The stub GET /a was not installed: 99 isn't the status of a final response, which is from 200 to 599.") {
      verifier.stub(.get, "/a", .status(99), line: $0)
    }
    expect("The stub GET /a was not installed: a response can't be delayed by -1.0 s.") {
      verifier.stub(.get, "/a", .ok.delayed(by: -1), line: $0)
    }
    expect("The stub GET /a was not installed: a stub must respond at least once, not 0 times.") {
      verifier.stub(.get, "/a", .ok, times: 0, line: $0)
    }
    expect("The stub GET /a was not installed: a stub must respond at least once, not -1 times.") {
      verifier.stub(.get, "/a", times: -1, line: $0) { _ in .ok }
    }
    expect(
      """
      The stub GET /a was not installed: a connection is accepted before a request arrives, so a stub can't have \
      reset at accept: use inject(_:).
      """
    ) {
      verifier.stub(.get, "/a", .fault(HTTPFault(.reset, at: .accept)), line: $0)
    }
  }

  func testAScenarioReportsEachStubThatCannotBeInstalled() {
    let (_, line) = (verifier.install(Broken()), #line as UInt)
    XCTAssertEqual(reporter.failures.count, 2)
    XCTAssertEqual(Set(reporter.lines), [line])
    XCTAssertEqual(verifier.unusedStubs.map(\.description), ["GET /c"])
  }

  func testFaultsAndResponsesToEvents() {
    expect("The fault reset at accept was not injected: it must happen at least once, not 0 times.") {
      verifier.inject(HTTPFault(.reset, at: .accept), times: 0, line: $0)
    }
    expect(
      "The response to events was not installed: 700 isn't the status of a final response, which is from 200 to 599."
    ) {
      verifier.respondToEvents(with: [.ok, .status(700)], line: $0)
    }
    expect(
      """
      The response to events was not installed: a connection is accepted before a submission arrives, so its response can't have \
      reset at accept: use inject(_:).
      """
    ) {
      verifier.respondToEvents(with: [.fault(HTTPFault(.reset, at: .accept))], line: $0)
    }
    expect("The response to events was not installed: a submission names no file of a folder.") {
      verifier.respondToEvents(with: [.files(in: .url(folder))], line: $0)
    }
  }
}

private struct Broken: StubScenario {
  var stubs: [StubEndpoint] {
    [StubEndpoint(.get, "a", .ok), StubEndpoint(.get, "/b", []), StubEndpoint(.get, "/c", .ok)]
  }
}
