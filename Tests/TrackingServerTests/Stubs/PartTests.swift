import TestSupport

@testable import TrackingServer

/// Responses that depend on what the client has already, and the parts of a response that a test sets itself.
final class PartTests: ServerTestCase {
  private func withParts(_ body: (RawClient) throws -> Void) throws {
    try withServer { server in
      try server.stub(
        StubEndpoint(.get, "/data", .data(Data("0123456789".utf8))), StubEndpoint(.get, "/json", .json([1, 2, 3])),
        StubEndpoint(.get, "/own", .text("0123456789").with(header: "ETag", "\"own\"")),
        StubEndpoint(.get, "/error", .data(Data("0123456789".utf8)).with(status: 500)),
        StubEndpoint(.post, "/data", .data(Data("0123456789".utf8))))
      try body(try RawClient(server))
    }
  }

  func testARangeGetsItsPart() throws {
    try withParts { client in
      for (range, part, field) in [
        ("bytes=0-3", "0123", "bytes 0-3/10"), ("bytes=7-", "789", "bytes 7-9/10"), ("bytes=-2", "89", "bytes 8-9/10"),
        ("bytes=8-99999999999999999999", "89", "bytes 8-9/10"), ("bytes=-99", "0123456789", "bytes 0-9/10"),
      ] {
        let response = try client.get("/data", "Range: \(range)")
        XCTAssertEqual(response.statusLine, "HTTP/1.1 206 Partial Content", range)
        XCTAssertEqual(response.content, part, range)
        XCTAssertEqual(response.field("Content-Range"), field, range)
      }
      for range in ["bytes=10-", "bytes=-0", "bytes=99999999999999999999-"] {
        let response = try client.get("/data", "Range: \(range)")
        XCTAssertEqual(response.statusLine, "HTTP/1.1 416 Range Not Satisfiable", range)
        XCTAssertEqual(response.field("Content-Range"), "bytes */10", range)
        XCTAssertEqual(response.content, "", range)
      }
      // RFC 9110 14.2: what is not understood, or has several parts, may be ignored.
      for range in ["bytes=3-1", "bytes=0-1,3-4", "bytes=", "bytes=-", "items=0-1", "bytes=a-b", "0-1"] {
        let response = try client.get("/data", "Range: \(range)")
        XCTAssertEqual(response.status, 200, range)
        XCTAssertEqual(response.field("Accept-Ranges"), "bytes")
        XCTAssertEqual(response.content, "0123456789", range)
      }
      XCTAssertEqual(try client.get("/json", "Range: bytes=0-1").status, 200)
      XCTAssertEqual(try client.get("/error", "Range: bytes=0-1").status, 500)
      XCTAssertEqual(
        try client.exchange(RawClient.request("POST /data HTTP/1.1", ["Host: localhost", "Range: bytes=0-1"], ""))
          .status,
        200)
    }
  }

  func testAClientThatHasTheContentIsToldSo() throws {
    try withParts { client in
      let tag = try XCTUnwrap(client.get("/data").field("ETag"))
      for condition in [tag, "\"other\", \(tag)", "W/\(tag)", "*"] {
        let response = try client.get("/data", "If-None-Match: \(condition)")
        XCTAssertEqual(response.statusLine, "HTTP/1.1 304 Not Modified", condition)
        XCTAssertEqual(response.field("ETag"), tag)
        XCTAssertNil(response.field("Content-Length"))
      }
      XCTAssertEqual(try client.get("/data", "If-None-Match: \"other\"").status, 200)
      XCTAssertEqual(try client.get("/own", "If-None-Match: \"own\"").status, 304)
      XCTAssertEqual(try client.get("/own", "If-Range: \"own\"", "Range: bytes=0-1").status, 206)
      XCTAssertEqual(try client.get("/own", "If-Range: \"older\"", "Range: bytes=0-1").status, 200)
      // A response of the app's API has no tag that the test did not set.
      XCTAssertNil(try client.get("/json").field("ETag"))
    }
  }

  func testTheHeadIsThatOfTheWholeResponse() throws {
    try withParts { client in
      try client.send(RawClient.request("HEAD /data HTTP/1.1", ["Host: localhost", "Range: bytes=0-1"]))
      let response = try client.response(toHead: true)
      XCTAssertEqual(response.status, 200)
      XCTAssertEqual(response.field("Content-Length"), "10")
      XCTAssertEqual(try client.get("/data").content, "0123456789")
    }
  }

  func testFilesOfAFolderAreServedInPartsToo() throws {
    let folder = try temporaryFolder()
    try withServer { server in
      try Data("0123456789".utf8).write(to: folder.appending(path: "a.txt"))
      try server.stub(StubEndpoint(.get, "/files/*", .files(in: .url(folder))))
      let client = try RawClient(server)
      let tag = try XCTUnwrap(client.get("/files/a.txt").field("ETag"))
      XCTAssertEqual(try client.get("/files/a.txt", "If-None-Match: \(tag)").status, 304)
      XCTAssertEqual(try client.get("/files/a.txt", "Range: bytes=2-3").content, "23")
      // A file that has changed is another one.
      try Data("abc".utf8).write(to: folder.appending(path: "a.txt"))
      let changed = try client.get("/files/a.txt", "If-None-Match: \(tag)")
      XCTAssertEqual(changed.content, "abc")
      XCTAssertNotEqual(changed.field("ETag"), tag)
    }
  }

  func testReasonPhrasesAndSeveralCookies() throws {
    try withServer { server in
      try server.stub(
        StubEndpoint(
          .get, "/",
          StubResponse.status(503, reason: "Back at noon").with(header: "Set-Cookie", "a=1").with(
            header: "set-cookie", "b=2"
          )
          .with(header: "X", "1").with(header: "X", "2").adding(header: "X", "3")))
      let response = try RawClient(server).get("/")
      XCTAssertEqual(response.statusLine, "HTTP/1.1 503 Back at noon")
      XCTAssertEqual(
        response.fieldsWithoutDate, ["Set-Cookie: a=1", "set-cookie: b=2", "X: 2", "X: 3", "Content-Length: 0"])
      XCTAssertThrowsError(try server.stub(StubEndpoint(.get, "/", .status(200, reason: "a\r\nX: y")))) {
        XCTAssertEqual("\($0)", #"the reason "a\r\nX: y" contains a control character"#)
      }
    }
  }
}
