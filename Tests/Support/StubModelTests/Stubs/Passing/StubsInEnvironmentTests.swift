import TestSupport

final class StubsInEnvironmentTests: XCTestCase {
  private let root = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString) a=b%3D%25")
  /// The table that was too large for a variable.
  private var kept: Data?
  private let small = [
    StubEndpoint(
      .get, "/books/:id",
      .json(["id": 42]).with(header: "ETag", "\"==\"").with(header: "Content-Type", "application/json"), times: 1)
  ]

  override func setUpWithError() throws {
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
  }

  override func tearDownWithError() throws {
    try FileManager.default.removeItem(at: root)
  }

  private func environment(_ stubs: [StubEndpoint]) throws -> [String: String] {
    try StubsInEnvironment.environment(for: stubs.map { try PortableStub($0, folder: nil) }) { table in
      kept = table
      return "1"
    }
  }

  private func taken(from environment: [String: String]) throws -> [StubEndpoint]? {
    try StubsInEnvironment.stubs(in: environment) { $0 == "1" ? kept : nil }
  }

  private func reason(_ environment: [String: String]) -> String? {
    do {
      _ = try taken(from: environment)
      return nil
    } catch {
      return (error as? StubsInEnvironmentError)?.reason
    }
  }

  func testASmallTableTravelsInAVariable() throws {
    let environment = try environment(small)
    XCTAssertEqual(Set(environment.keys), ["TRACKING_STUBS"])
    XCTAssertEqual(try taken(from: environment), small)
  }

  func testATableOfNothingIsATable() throws {
    XCTAssertEqual(try taken(from: environment([])), [])
    XCTAssertNil(try taken(from: ["PATH": "/bin"]))
  }

  func testALargeTableIsFetched() throws {
    let large = [StubEndpoint(.get, "/", .data(Data(repeating: 7, count: 200_000), type: nil))]
    let environment = try environment(large)
    XCTAssertEqual(environment, ["TRACKING_STUBS": "fetch:1"])
    XCTAssertEqual(try taken(from: environment), large)
    let fault = try XCTUnwrap(reason(["TRACKING_STUBS": "fetch:2"]))
    XCTAssertTrue(fault.hasPrefix("the table of stubs is too large for TRACKING_STUBS, and the verifier"), fault)
    kept = Data("{}".utf8)
    let words = try XCTUnwrap(reason(environment))
    XCTAssertTrue(words.hasPrefix("the verifier's table isn't a table of stubs, or is one of another version: "), words)
  }

  func testNoValueHoldsAnEqualsSign() throws {
    // Bodies of all lengths modulo three, so that padding would show.
    for length in [0, 1, 2, 3, 4, 5, 50_000] {
      let stubs = [
        StubEndpoint(
          .get, "/a=b", .data(Data(repeating: 0xFB, count: length), type: "a/b").with(header: "Content-Type", "a/b"))
      ]
      let environment = try environment(stubs)
      for (name, value) in environment { XCTAssertFalse(value.contains("="), "\(name), \(length) bytes") }
      XCTAssertEqual(try taken(from: environment), stubs)
    }
  }

  func testAFileOfAnyOtherNameMayBeWrittenByHand() throws {
    let file = try temporaryFolder().appending(path: "stubs")
    try JSONEncoder().encode(small.map { try PortableStub($0, folder: nil) }).write(to: file)
    XCTAssertEqual(
      try taken(from: ["TRACKING_STUBS": "file:" + file.path(percentEncoded: false)]), small)
  }

  func testATableThatCannotBeReadSaysWhichAndWhy() throws {
    XCTAssertEqual(reason(["TRACKING_STUBS": "a b"]), "TRACKING_STUBS isn't base64url text")
    XCTAssertEqual(reason(["TRACKING_STUBS": "a"]), "TRACKING_STUBS isn't base64url text")
    XCTAssertEqual(
      reason(StubsInEnvironment.unusable), "the test that launched this process couldn't create a table of stubs")
    for text in ["", "aGVsbG8", "e30", "W3t9XQ"] {
      let words = try XCTUnwrap(reason(["TRACKING_STUBS": text]))
      XCTAssertTrue(
        words.hasPrefix("TRACKING_STUBS isn't a table of stubs, or is one of another version: "), words)
    }
    let missing = root.appending(path: "missing").path(percentEncoded: false)
    let words = try XCTUnwrap(reason(["TRACKING_STUBS": "file:/missing/stubs.json"]))
    XCTAssertTrue(words.hasPrefix("TRACKING_STUBS names /missing/stubs.json, which can't be read: "), words)
    XCTAssertNotNil(reason(["TRACKING_STUBS": "file:" + missing]))
    let file = try temporaryFolder().appending(path: "stubs")
    try Data("{}".utf8).write(to: file)
    let path = file.path(percentEncoded: false)
    let fileWords = try XCTUnwrap(reason(["TRACKING_STUBS": "file:" + path]))
    XCTAssertTrue(
      fileWords.hasPrefix("the file \(path) isn't a table of stubs, or is one of another version: "), fileWords)
  }

  func testFilesTravelAsTheirContent() throws {
    try Data(#"{"id":42}"#.utf8).write(to: root.appending(path: "book.json"))
    try Data("a".utf8).write(to: root.appending(path: "a.txt"))
    let folder = StubFolder.url(root)
    let stubs = [
      StubEndpoint(.get, "/book", .json(file: "book")),
      StubEndpoint(
        .get, "/a", [.file("a.txt", in: folder).with(header: "Content-Type", "b/c").delayed(by: 1), .text("x")]),
      StubEndpoint(.get, "/files/*", .files(in: folder), times: 1, name: "all"),
    ]
    let standalone = try stubs.map { try PortableStub($0, folder: folder).stub }
    try FileManager.default.removeItem(at: root.appending(path: "book.json"))
    XCTAssertEqual(
      standalone.map(\.results),
      [
        [
          StubResponse(
            headers: ["Content-Type": "application/json"], content: .data(Data(#"{"id":42}"#.utf8), type: nil))
        ],
        [
          StubResponse(headers: ["Content-Type": "b/c"], content: .data(Data("a".utf8), type: nil), delay: 1),
          StubResponse(
            headers: ["Content-Type": "text/plain; charset=utf-8"],
            content: .data(Data("x".utf8), type: "text/plain; charset=utf-8")),
        ],
        [.files(in: folder)],
      ])
    XCTAssertEqual(standalone.map(\.pattern), stubs.map(\.pattern))
    XCTAssertEqual(standalone[2], stubs[2])
    XCTAssertNoThrow(try standalone.map { try PreparedStub($0, folder: nil) })
  }

  func testWhatIsWrongWithAStubIsSaidByTheTestAndNotByTheApp() {
    XCTAssertThrowsError(try PortableStub(StubEndpoint(.get, "/", .json(file: "book")), folder: nil))
    XCTAssertThrowsError(try PortableStub(StubEndpoint(.get, "a", .ok), folder: nil)) { error in
      XCTAssertEqual("\(error)", #"the path "a" doesn't begin with a slash"#)
    }
  }
}
