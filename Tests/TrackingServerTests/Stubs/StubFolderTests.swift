import TestSupport

@testable import TrackingServer

/// Files of a folder, which no request can leave.
final class StubFolderTests: ServerTestCase {
  private var root: URL!
  private var folder: URL { root.appending(path: "folder") }

  override func setUpWithError() throws {
    root = try temporaryFolder()
    try FileManager.default.createDirectory(
      at: folder.appending(path: "in ner"), withIntermediateDirectories: true)
    try write("secret", root.appending(path: "secret.txt"))
    try write("a", folder.appending(path: "a.txt"))
    try write("b", folder.appending(path: "in ner/b.json"))
    try FileManager.default.createDirectory(
      at: root.appending(path: "folder2"), withIntermediateDirectories: true)
    try write("secret", root.appending(path: "folder2/c.txt"))
    for (name, target) in [("inside", "a.txt"), ("outside", "../secret.txt"), ("up", ".."), ("beside", "../folder2")] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.appending(path: name).path, withDestinationPath: target)
    }
  }

  private func write(_ text: String, _ url: URL) throws {
    try text.write(to: url, atomically: true, encoding: .utf8)
  }

  private func withFiles(_ body: (TrackingServer, RawClient) throws -> Void) throws {
    try withServer { server in
      try server.stub(StubEndpoint(.get, "/files/*", .files(in: .url(folder))))
      try body(server, RawClient(server))
    }
  }

  func testFilesAreServedWithTheirMediaType() throws {
    try withFiles { _, client in
      let expected = [
        ("a.txt", "a", "text/plain; charset=utf-8"), ("in%20ner/b.json", "b", "application/json"),
        ("%61.txt", "a", "text/plain; charset=utf-8"), ("inside", "a", "application/octet-stream"),
      ]
      for (name, content, type) in expected {
        let response = try client.get("/files/\(name)?v=1")
        XCTAssertEqual(response.content, content, name)
        XCTAssertEqual(response.field("Content-Type"), type, name)
      }
    }
  }

  func testNoNameLeadsOutOfTheFolder() throws {
    try withFiles { server, client in
      let names = [
        "../secret.txt", "%2e%2e/secret.txt", ".%2E/secret.txt", "..%2fsecret.txt", "in%20ner/../../secret.txt",
        "in%20ner%2f..%2f..%2fsecret.txt", "outside", "up/secret.txt", "beside/c.txt", "%2f..%2fsecret.txt",
        "a.txt%00", "%00", "a.txt/", "/a.txt", "in%20ner", "in%20ner/", "missing", "..", "%2e",
        "%c0%ae%c0%ae/secret.txt",
        root.appending(path: "secret.txt").path,
      ]
      for name in names {
        let response = try client.get("/files/\(name)")
        XCTAssertEqual(response.status, 404, name)
        XCTAssertNotEqual(response.content, "secret", name)
      }
      XCTAssertEqual(server.journal.requests.count { $0.stub != nil && $0.status == 404 }, names.count)
    }
  }

  func testAMissingFileIsNamed() throws {
    try withFiles { _, client in
      XCTAssertEqual(
        try client.get("/files/missing.png").content,
        #"{"error":"the folder of GET /files/* has no file missing.png"}"# + "\n")
    }
  }

  func testALargeFileIsServedWhole() throws {
    let content = String(repeating: "0123456789", count: 1_000_000)
    try write(content, folder.appending(path: "large.txt"))
    try withFiles { _, client in
      try client.send(RawClient.get("/files/large.txt", ["Connection: close"]))
      let text = try client.readToEnd()
      XCTAssertTrue(text.contains("Content-Length: 10000000\r\n"))
      XCTAssertTrue(text.hasSuffix("\r\n\r\n" + content))
    }
  }

  /// A file of 4 TiB, which no process can read whole; nearly all of it takes no room on the disk.
  private func writeEnormousFile() throws {
    let file = folder.appending(path: "enormous.bin")
    try write("head", file)
    let handle = try FileHandle(forWritingTo: file)
    defer { try? handle.close() }
    try handle.truncate(atOffset: 4 << 40)
    try handle.seek(toOffset: 4 << 40 - 2)
    try handle.write(contentsOf: Data("yz".utf8))
  }

  func testAPartOfAFileIsReadAlone() throws {
    try writeEnormousFile()
    try withFiles { server, client in
      let last = try client.get("/files/enormous.bin", "Range: bytes=-2")
      XCTAssertEqual(last.status, 206)
      XCTAssertEqual(last.content, "yz")
      XCTAssertEqual(last.field("Content-Range"), "bytes 4398046511102-4398046511103/4398046511104")
      XCTAssertEqual(try client.get("/files/enormous.bin", "Range: bytes=0-3").content, "head")
      let tag = try XCTUnwrap(last.field("ETag"))
      XCTAssertEqual(try client.get("/files/enormous.bin", "If-None-Match: \(tag)").status, 304)
      try client.send(RawClient.request("HEAD /files/enormous.bin HTTP/1.1", ["Host: localhost"]))
      XCTAssertEqual(try client.response(toHead: true).field("Content-Length"), "4398046511104")
      XCTAssertEqual(
        server.journal.requests.map(\.status), [206, 206, 304, 200])
    }
  }

  func testAPartOfAFileThatAClosureNamesIsReadAlone() throws {
    try writeEnormousFile()
    try withFiles { server, client in
      let folder = folder
      try server.stub(.get, "/closure") { _ in .file("enormous.bin", in: .url(folder), status: 200) }
      let last = try client.get("/closure", "Range: bytes=-2")
      XCTAssertEqual(last.status, 206)
      XCTAssertEqual(last.content, "yz")
      XCTAssertEqual(last.field("Content-Type"), "application/octet-stream")
    }
  }

  func testAFileIsReadAsItIsSent() throws {
    try writeEnormousFile()
    try withFiles { server, client in
      try client.send(RawClient.get("/files/enormous.bin"))
      // More than the sockets hold.
      XCTAssertEqual(try client.readToEnd(atMost: 32 << 20).end, .none)
      client.reset()
      XCTAssertEqual(try RawClient(server).get("/files/a.txt").content, "a")
    }
  }

  func testAFileThatShrinksWhileItIsSentEndsTheConnection() throws {
    let file = folder.appending(path: "shrinking.bin")
    try write("head", file)
    let handle = try FileHandle(forWritingTo: file)
    defer { try? handle.close() }
    try handle.truncate(atOffset: 64 << 20)
    try withFiles { server, client in
      try client.send(RawClient.get("/files/shrinking.bin"))
      _ = try client.readToEnd(atMost: 1 << 10)
      try handle.truncate(atOffset: 1 << 10)
      XCTAssertLessThan(try client.readToEnd().utf8.count, 64 << 20)
      XCTAssertEqual(try RawClient(server).get("/files/a.txt").content, "a")
    }
  }

  func testAFileOfAnySizeHasItsFaultAndItsPieces() throws {
    let content = String((0..<200_000).map { "0123456789"[String.Index(utf16Offset: $0 % 10, in: "0123456789")] })
    try write(content, folder.appending(path: "large.txt"))
    try withServer { server in
      let files = StubResponse.files(in: .url(folder))
      try server.stub(
        StubEndpoint(.get, "/pieces/*", files.dribbled(over: 0.001, pieces: 3)),
        StubEndpoint(.get, "/half/*", files.failing(HTTPFault(.close, at: .responseBody))))
      XCTAssertEqual(try RawClient(server).get("/pieces/large.txt").content, content)
      let client = try RawClient(server)
      try client.send(RawClient.get("/half/large.txt"))
      XCTAssertTrue(try client.readToEnd().hasSuffix("\r\n\r\n" + content.prefix(100_000)))
    }
  }

  func testAFileIsReadAnewForEachRequest() throws {
    try withFiles { _, client in
      XCTAssertEqual(try client.get("/files/a.txt").content, "a")
      try write("changed", folder.appending(path: "a.txt"))
      XCTAssertEqual(try client.get("/files/a.txt").content, "changed")
    }
  }
}
