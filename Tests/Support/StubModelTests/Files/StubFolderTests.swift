import TestSupport

final class StubFolderTests: XCTestCase {
  private var root = URL(filePath: "/")
  private var folder: StubFolder { .url(root.appending(path: "stubs")) }

  override func setUpWithError() throws {
    root = try temporaryFolder()
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "books"), withIntermediateDirectories: true)
    try write("secret", to: "secret.txt")
    try write(#"{"id":42}"#, to: "stubs/books/42.json")
    try write("a", to: "stubs/a b%.txt")
  }

  private func write(_ text: String, to path: String) throws {
    try Data(text.utf8).write(to: root.appending(path: path))
  }

  private func link(_ path: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: root.appending(path: path).path(percentEncoded: false), withDestinationPath: target)
  }

  private func path(_ name: String) -> String { folder.url.appending(path: name).path(percentEncoded: false) }

  private func result(_ result: StubResult, in folder: StubFolder? = nil) throws -> PreparedResult {
    try PreparedStub(StubEndpoint(.get, "/a", result), folder: folder).results[0]
  }

  private func reason(_ name: String) -> String? {
    do {
      _ = try result(.file(name, in: folder))
      return nil
    } catch {
      return "\(error)"
    }
  }

  private func content(_ name: String) -> String? {
    folder.data(ofFile: name).map { String(decoding: $0, as: UTF8.self) }
  }

  func testAFileIsReadWhenItsStubIsInstalled() throws {
    let result = try result(.json(file: "books/42", in: folder, status: 201))
    try write("changed", to: "stubs/books/42.json")
    XCTAssertEqual(result.content, .bytes(Array(#"{"id":42}"#.utf8)))
    XCTAssertEqual(result.result.status, 201)
    XCTAssertEqual(result.result.headers, ["Content-Type": "application/json"])
  }

  func testAFileWithoutAFolderIsLookedForInThatOfTheVerifier() throws {
    XCTAssertEqual(
      try result(.json(file: "books/42"), in: folder).content, .bytes(Array(#"{"id":42}"#.utf8)))
    XCTAssertThrowsError(try result(.json(file: "book"))) { error in
      XCTAssertEqual(
        "\(error)",
        "the stub file book.json has no folder: name one with `in:`, or set `stubFolder` in the configuration")
    }
  }

  func testAMediaTypeOfOnesOwnGoesBeforeThatOfTheExtension() throws {
    let result = try result(.file("books/42.json", in: folder).with(header: "content-type", "text/x"))
    XCTAssertEqual(result.result.headers, ["content-type": "text/x"])
  }

  func testAFileIsFoundUnderItsOwnName() throws {
    XCTAssertEqual(try result(.file("a b%.txt", in: folder)).content, .bytes(Array("a".utf8)))
    XCTAssertEqual(try result(.file("./books/42.json", in: folder)).content, .bytes(Array(#"{"id":42}"#.utf8)))
  }

  func testAFileThatIsNotThereIsNamedWithItsPath() {
    XCTAssertEqual(reason("book.json"), "the stub file \(path("book.json")) doesn't exist")
    XCTAssertEqual(reason("books/42"), "the stub file \(path("books/42")) doesn't exist")
    XCTAssertEqual(reason("a%20b%25.txt"), "the stub file \(path("a%20b%25.txt")) doesn't exist")
  }

  func testAFolderIsNoFile() {
    XCTAssertEqual(reason("books"), "the stub file \(path("books")) is a folder")
    XCTAssertEqual(reason(""), "the stub file \(path("")) is a folder")
    XCTAssertEqual(reason("."), "the stub file \(path(".")) is a folder")
  }

  func testAPipeIsNoFile() {
    XCTAssertEqual(mkfifo(path("pipe"), 0o600), 0)
    XCTAssertEqual(reason("pipe"), "the stub file \(path("pipe")) isn't a regular file")
    XCTAssertNil(content("pipe"))
  }

  func testAFileThatMayNotBeReadIsNamedWithItsPath() throws {
    let unreadable = try UnreadableFile()
    defer { unreadable.remove() }
    let folder = StubFolder.url(unreadable.folder)
    let path = unreadable.folder.appending(path: unreadable.name).path(percentEncoded: false)
    XCTAssertThrowsError(try result(.file(unreadable.name, in: folder))) { error in
      XCTAssertTrue("\(error)".hasPrefix("the stub file \(path) can't be read: "), "\(error)")
    }
    XCTAssertNil(folder.file(named: unreadable.name))
  }

  func testNoNameLeadsOutOfTheFolder() {
    for name in ["../secret.txt", "books/../../secret.txt", "/etc/passwd", "books/..", "a\0b"] {
      XCTAssertEqual(reason(name), "the stub file \(path(name)) is outside of its folder")
    }
  }

  func testNoNameInARequestLeadsOutOfTheFolder() {
    let names = [
      "../secret.txt", "..%2Fsecret.txt", "%2e%2e/secret.txt", "books/../../secret.txt", "books%2F..%2F..%2Fsecret.txt",
      "/etc/passwd", "%2Fetc%2Fpasswd", "..", ".", "", "/", "books", "books/", "books//42.json", "books%2F42.json",
      "books/42.json%00", "%00", "books/42.json/", "books/42", "nothing.txt",
    ]
    for name in names { XCTAssertNil(content(name), name) }
    XCTAssertEqual(content("books/42.json"), #"{"id":42}"#)
    XCTAssertEqual(content("%62ooks/42.json"), #"{"id":42}"#)
    XCTAssertEqual(content("a%20b%25.txt"), "a")
    XCTAssertEqual(folder.file(named: "books/42.json")?.type, "application/json")
  }

  func testALinkIsFollowedInsideOfTheFolderOnly() throws {
    try link("stubs/inside.json", to: "books/42.json")
    try link("stubs/shelf", to: "books")
    try link("stubs/outside.txt", to: "../secret.txt")
    try link("stubs/absolute.txt", to: root.appending(path: "secret.txt").path(percentEncoded: false))
    try link("stubs/up", to: "..")
    try link("stubs/dangling.txt", to: "nothing.txt")
    try link("stubs/twice.txt", to: "outside.txt")
    for name in ["inside.json", "shelf/42.json"] {
      XCTAssertEqual(content(name), #"{"id":42}"#)
      XCTAssertNil(reason(name))
    }
    for name in ["outside.txt", "absolute.txt", "up/secret.txt", "twice.txt"] {
      XCTAssertNil(content(name))
      XCTAssertEqual(reason(name), "the stub file \(path(name)) is a link that leads out of its folder")
    }
    XCTAssertEqual(reason("dangling.txt"), "the stub file \(path("dangling.txt")) doesn't exist")
  }

  func testAFolderThatIsALinkItselfIsOne() throws {
    try link("other", to: "stubs")
    let other = StubFolder.url(root.appending(path: "other"))
    XCTAssertEqual(other.data(ofFile: "books/42.json"), Data(#"{"id":42}"#.utf8))
  }

  func testAFolderWhoseNameBeginsAlikeIsAnother() throws {
    try FileManager.default.createDirectory(at: root.appending(path: "stubs2"), withIntermediateDirectories: true)
    try write("secret", to: "stubs2/secret.txt")
    try link("stubs/near.txt", to: "../stubs2/secret.txt")
    XCTAssertNil(content("near.txt"))
  }

  func testAFolderOfFilesHasToBeThereWhenItsStubIsInstalled() throws {
    func reason(_ name: String) -> String? {
      do {
        _ = try PreparedStub(
          StubEndpoint(.get, "/*", .files(in: .url(root.appending(path: name)))), folder: nil)
        return nil
      } catch { return "\(error)" }
    }
    XCTAssertNil(reason("stubs"))
    let missing = root.appending(path: "missing").path(percentEncoded: false)
    XCTAssertEqual(reason("missing"), "the stub file \(missing) doesn't exist")
    let file = root.appending(path: "secret.txt").path(percentEncoded: false)
    XCTAssertEqual(reason("secret.txt"), "the stub file \(file) isn't a folder")
  }

  func testTheResourcesOfABundleAreAFolder() throws {
    XCTAssertEqual(
      try result(.json(file: "StubFiles/books/42", in: .bundle(.module))).content, .bytes(Array("{\"id\":42}\n".utf8)))
    let resources = StubFolder.bundle(.module, folder: "StubFiles")
    XCTAssertEqual(try result(.file("hello.txt", in: resources)).content, .bytes(Array("hello\n".utf8)))
    XCTAssertEqual(resources.data(ofFile: "books/42.json"), Data("{\"id\":42}\n".utf8))
    XCTAssertNil(StubFolder.bundle(.module, folder: "nothing").file(named: "hello.txt"))
  }
}

extension StubFolder {
  /// The bytes of a file that a request names.
  fileprivate func data(ofFile name: String) -> Data? { file(named: name).map { $0.data(in: 0..<$0.count) } }
}
