import TestSupport
@testable import TrackingServer

/// Requests that stubs respond to, and those that none does.
final class StubServingTests: ServerTestCase {
  func testAStubRespondsWithItsStatusFieldsAndContent() throws {
    try withServer { server in
      try server.stub(
        StubEndpoint(.get, "/books/:id", .json(["id": 42], status: 201).with(header: "ETag", "\"1\"")))
      let response = try RawClient(server).get("/books/42?full=1")
      XCTAssertEqual(response.statusLine, "HTTP/1.1 201 Created")
      XCTAssertEqual(
        response.fieldsWithoutDate, ["ETag: \"1\"", "Content-Type: application/json", "Content-Length: 9"])
      XCTAssertEqual(response.content, #"{"id":42}"#)
      let request = try XCTUnwrap(server.journal.requests.first)
      XCTAssertEqual("\(request)", "GET /books/42?full=1 -> 201 by GET /books/:id")
      XCTAssertEqual(request.request.pathParams, ["id": "42"])
      XCTAssertEqual([request.connection, request.exchange, request.number], [1, 1, 1])
      XCTAssertFalse(request.isUnmatched)
    }
  }

  func testEachPartOfARequestTellsStubsApart() throws {
    try withServer { server in
      try server.stub(
        StubEndpoint(.get, "/a", .text("get")),
        StubEndpoint(.delete, "/a", .text("delete")),
        StubEndpoint(.request(.get, "/a", query: .subset(["q": "swift & co"])), .text("query")),
        StubEndpoint(.request(.get, "/a", host: "127.0.0.1"), .text("host")),
        StubEndpoint(.request(.get, "/a", headers: ["authorization": "Bearer 1"]), .text("header")),
        StubEndpoint(.request(.post, "/a", body: .jsonSubset(["user": "anna"])), .text("json")),
        StubEndpoint(.request(.post, "/a", body: .form(["user": "bob"])), .text("form")))
      let client = try RawClient(server)
      XCTAssertEqual(try client.get("/a").content, "get")
      XCTAssertEqual(try client.exchange("DELETE /a HTTP/1.1\r\nHost: localhost\r\n\r\n").content, "delete")
      XCTAssertEqual(try client.get("/a?page=1&q=swift+%26%20co").content, "query")
      XCTAssertEqual(try client.exchange("GET /a HTTP/1.1\r\nHost: 127.0.0.1:80\r\n\r\n").content, "host")
      XCTAssertEqual(try client.get("/a", "Authorization: Bearer 1").content, "header")
      let post = { (body: String) in
        try client.exchange(RawClient.request("POST /a HTTP/1.1", ["Host: localhost"], body))
      }
      XCTAssertEqual(try post(#"{ "age": 3, "user": "anna" }"#).content, "json")
      XCTAssertEqual(try post("user=bob").content, "form")
      XCTAssertEqual(try post("user=eve").status, 404)
    }
  }

  func testAPostToTheRootIsStillAnEvent() throws {
    try withServer { server in
      try server.stub(StubEndpoint(.any, "*", .text("stub")))
      let client = try RawClient(server)
      XCTAssertEqual(try client.post(#"{"name":"a"}"#).status, 204)
      XCTAssertEqual(try client.get("/").content, "stub")
      XCTAssertEqual(server.journal.events.map(\.event.name), ["a"])
    }
  }

  func testResponsesFollowOneAnotherAndTheLastOneStays() throws {
    try withServer { server in
      try server.stub(StubEndpoint(.get, "/orders", [.status(404), .text("one"), .text("two")]))
      let client = try RawClient(server)
      XCTAssertEqual(try (0..<4).map { _ in try client.get("/orders").content }, ["", "one", "two", "two"])
      XCTAssertEqual(server.journal.requests.map(\.status), [404, 200, 200, 200])
      XCTAssertEqual(server.journal.requests.map(\.exchange), [1, 2, 3, 4])
    }
  }

  func testStubsAreTakenBackByThoseWhoInstalledThem() throws {
    try withServer { server in
      let first = try server.stub(StubEndpoint(.get, "/one", .text("one")))
      let second = try server.stub(StubEndpoint(.get, "/two", .text("two")))
      let client = try RawClient(server)
      XCTAssertEqual(try client.get("/one").content, "one")
      XCTAssertEqual(server.stubs.unused(of: second).map { "\($0)" }, ["GET /two"])
      XCTAssertEqual(server.stubs.unused(of: first), [])
      server.stubs.removeAll(of: first)
      XCTAssertEqual(try client.get("/one").status, 404)
      XCTAssertEqual(try client.get("/two").content, "two")
    }
  }

  func testStubsMayChangeWhileRequestsCome() throws {
    try withServer { server in
      try onThreads(4) { index in
        let client = try RawClient(server)
        for round in 0..<25 {
          let text = "\(index).\(round)"
          let owner = try server.stub(StubEndpoint(.get, .template("/\(index)"), .text(text)))
          // An installed stub responds to the very next request.
          XCTAssertEqual(try client.get("/\(index)").content, text)
          server.stubs.removeAll(of: owner)
          XCTAssertEqual(try client.get("/\(index)").status, 404)
          server.stubs.respondToEvents(
            with: [try PreparedResponse(.status(503), folder: nil)], recording: .accepted, of: owner)
          server.stubs.removeAll(of: owner)
        }
      }
    }
  }

  func testAStubSaysItselfWhenItsResponseWasMade() throws {
    try withServer { server in
      let date = "Sat, 01 Jan 2000 00:00:00 GMT"
      try server.stub(StubEndpoint(.get, "/time", .ok.with(header: "date", date)))
      let response = try RawClient(server).get("/time")
      XCTAssertEqual(response.fields, ["date: \(date)", "Content-Length: 0"])
    }
  }
}

// MARK: - Unmatched requests

extension StubServingTests {
  func testWhatNoStubMatchesIsToldWhichOneIsNearest() throws {
    try withServer { server in
      try server.stub(
        StubEndpoint(.request(.get, "/books/:id", query: .exact(["lang": "en"])), .ok),
        StubEndpoint(.get, "/films", .ok))
      let response = try RawClient(server).get("/books/7?lang=de", "Accept: */*")
      XCTAssertEqual(response.statusLine, "HTTP/1.1 404 Not Found")
      XCTAssertEqual(
        response.content,
        #"{"differs":["lang in the query is \"de\", not \"en\""],"error":"no stub matches GET /books/7?lang=de","#
          + #""nearest":"GET /books/:id with the query lang=en"}"# + "\n")
      let request = try XCTUnwrap(server.journal.requests.first)
      XCTAssertTrue(request.isUnmatched)
      XCTAssertEqual("\(request)", "GET /books/7?lang=de -> 404, no stub matches")
      XCTAssertEqual(request.request.headers["accept"], "*/*")
    }
  }

  func testWithoutStubsItIsToldWhereEventsGo() throws {
    try withServer { server in
      let response = try RawClient(server).get("/books")
      XCTAssertEqual(
        response.content, #"{"error":"nothing is served at /books; events are posted to /"}"# + "\n")
      XCTAssertEqual(server.journal.requests.map(\.isUnmatched), [true])
    }
  }
}

// MARK: - Recorded requests

extension StubServingTests {
  func testARequestIsRecordedWithTheBeginningOfItsBody() throws {
    try withServer(.init(limits: .init(recordedBodyBytes: 4))) { server in
      try server.stub(StubEndpoint(.put, "/books", .status(204)))
      let client = try RawClient(server)
      for path in ["/books", "/films"] {
        _ = try client.exchange(RawClient.request("PUT \(path) HTTP/1.1", ["Host: localhost", "X: y"], "0123456789"))
      }
      XCTAssertEqual(server.journal.requests.map(\.request.text), ["0123", "0123"])
      XCTAssertEqual(server.journal.requests.map(\.bodySize), [10, 10])
      XCTAssertEqual(server.journal.requests.map(\.request.headers["x"]), ["y", "y"])
    }
  }

  func testNumbersGoOnWhenRequestsAreForgotten() throws {
    try withServer { server in
      let client = try RawClient(server)
      _ = try client.get("/1")
      _ = try client.get("/2")
      _ = server.journal.removeAll()
      XCTAssertEqual(server.journal.requests, [])
      _ = try client.get("/3")
      XCTAssertEqual(server.journal.requests.map(\.number), [3])
    }
  }

  func testARequestWakesWhoWaitsForIt() throws {
    try withServer { server in
      let isAwake = expectation(description: "woken")
      guard case .none = server.journal.news(from: 1, orWake: { isAwake.fulfill() }) else {
        return XCTFail("there are events")
      }
      _ = try RawClient(server).get("/books")
      wait(for: [isAwake], timeout: RawClient.patience)
    }
  }

  func testAnAppSaysWhatIsWrongWithItsLaunch() throws {
    try withServer { server in
      let session = try XCTUnwrap(server.endpoint?.session)
      let problem = "there is no scenario \"screenshot\": " + String(repeating: "name ", count: 100)
      let client = try RawClient(server)
      let report = { (fields: [String]) in
        RawClient.request("POST /tracking-problem HTTP/1.1", ["Host: localhost"] + fields, problem)
      }
      XCTAssertEqual(try client.exchange(report(["Tracking-Session: \(session)"])).status, 204)
      XCTAssertEqual(server.journal.rejections.map(\.reason), [problem])
      // From a stranger it is no more than a request.
      XCTAssertEqual(try client.exchange(report([])).status, 403)
      XCTAssertEqual(server.journal.rejections.count, 1)
      XCTAssertEqual(server.journal.requests.map(\.status), [403])
    }
  }

  func testAResponseOfANumberThatNoReportHasIsIgnored() throws {
    try withServer { server in
      let session = try XCTUnwrap(server.endpoint?.session)
      let client = try RawClient(server)
      for number in [Int.min, -1, 0, 1, 2, .max] {
        let report = RawClient.request(
          "POST /tracking-responses HTTP/1.1", ["Host: localhost", "Tracking-Session: \(session)"], "\(number)")
        XCTAssertEqual(try client.exchange(report).status, 204, "\(number)")
      }
    }
  }
}

// MARK: - HEAD

extension StubServingTests {
  func testARequestForTheHeadUsesNothingUp() throws {
    try withServer { server in
      let owner = try server.stub(StubEndpoint(.get, "/a", [.text("a"), .text("bc")], times: 2))
      let client = try RawClient(server)
      func head() throws -> String? {
        try client.send(RawClient.request("HEAD /a HTTP/1.1", ["Host: localhost"]))
        return try client.response(toHead: true).field("Content-Length")
      }
      for _ in 1...3 { XCTAssertEqual(try head(), "1") }
      XCTAssertEqual(server.stubs.usages(of: owner).map(\.unusedResponses), [2])
      XCTAssertEqual(try client.get("/a").content, "a")
      // The head is that of the next response.
      for _ in 1...3 { XCTAssertEqual(try head(), "2") }
      XCTAssertEqual(try client.get("/a").content, "bc")
      XCTAssertEqual(server.stubs.usages(of: owner).map(\.unusedResponses), [0])
      XCTAssertEqual(try client.get("/a").status, 404)
    }
  }

  func testAStubOfOneResponseIsUsedByARequestForTheHead() throws {
    try withServer { server in
      let owner = try server.stub(StubEndpoint(.get, "/a", .text("a")), StubEndpoint(.head, "/b", .ok, times: 1))
      let client = try RawClient(server)
      for path in ["/a", "/b"] {
        try client.send(RawClient.request("HEAD \(path) HTTP/1.1", ["Host: localhost"]))
        XCTAssertEqual(try client.response(toHead: true).status, 200)
      }
      XCTAssertEqual(server.stubs.usages(of: owner).map(\.count), [1, 1])
      XCTAssertEqual(server.stubs.usages(of: owner).map(\.unusedResponses), [0, 0])
      XCTAssertEqual(server.stubs.unused(of: owner).count, 0)
      // A stub of HEAD itself is used up.
      try client.send(RawClient.request("HEAD /b HTTP/1.1", ["Host: localhost"]))
      XCTAssertEqual(try client.response(toHead: true).status, 404)
    }
  }

  func testAClosureThatDeclinesARequestForTheHeadIsGivenNothingBack() throws {
    try withServer { server in
      try server.stub(.get, "/a", times: 2) { $0.method == .head ? nil : .text("a") }
      let client = try RawClient(server)
      func status(_ method: String) throws -> Int? {
        try client.send(RawClient.request("\(method) /a HTTP/1.1", ["Host: localhost"]))
        return try client.response(toHead: method == "HEAD").status
      }
      XCTAssertEqual(try ["GET", "HEAD", "HEAD", "GET", "GET"].map(status), [200, 404, 404, 200, 404])
    }
  }
}

// MARK: - Web pages

extension StubServingTests {
  private func preflight(_ target: String) -> String {
    RawClient.request(
      "OPTIONS \(target) HTTP/1.1",
      [
        "Host: localhost", "Origin: http://page.test", "Access-Control-Request-Method: PUT",
        "Access-Control-Request-Headers: x-a, content-type",
      ])
  }

  func testAPageOfAnAllowedOriginMayUseResponsesInTheApp() throws {
    try withServer(.init(allowedOrigins: ["http://page.test"])) { server in
      try server.stub(StubEndpoint(.any, "/books", .text("books"), times: 1))
      let client = try RawClient(server)
      let allowed = try client.exchange(preflight("/books"))
      XCTAssertEqual(allowed.status, 204)
      XCTAssertEqual(allowed.field("Access-Control-Allow-Methods"), "PUT")
      XCTAssertEqual(allowed.field("Access-Control-Allow-Headers"), "x-a, content-type")
      XCTAssertEqual(allowed.field("Access-Control-Allow-Origin"), "http://page.test")
      XCTAssertEqual(allowed.field("Access-Control-Allow-Credentials"), "true")
      // The preflight has not used the stub up.
      let response = try client.get("/books", "Origin: http://page.test")
      XCTAssertEqual(response.content, "books")
      XCTAssertEqual(response.field("Access-Control-Allow-Origin"), "http://page.test")
    }
  }

  func testAPageOfAnAllowedOriginMayReadTheResponsesOwnFields() throws {
    try withServer(.init(allowedOrigins: ["http://page.test"])) { server in
      let books = StubResponse.text("books").with(header: "Link", "<a>; rel=next").with(header: "X-Total", "2")
        .with(header: "Set-Cookie", "a=b").with(header: "Cache-Control", "no-store")
      try server.stub(
        StubEndpoint(.get, "/books", books), StubEndpoint(.get, "/plain", .status(204)),
        StubEndpoint(.get, "/own", .ok.with(header: "X-A", "1").with(header: "access-control-expose-headers", "X-B")))
      let client = try RawClient(server)
      // Not the fields that each page may read, nor those that none may.
      XCTAssertEqual(
        try client.get("/books", "Origin: http://page.test").field("Access-Control-Expose-Headers"), "Link, X-Total")
      XCTAssertNil(try client.get("/plain", "Origin: http://page.test").field("Access-Control-Expose-Headers"))
      XCTAssertEqual(
        try client.get("/own", "Origin: http://page.test").fieldsWithoutDate.filter {
          $0.lowercased().contains("expose")
        },
        ["access-control-expose-headers: X-B"])
      XCTAssertNil(try client.get("/books").field("Access-Control-Expose-Headers"))
      XCTAssertEqual(try client.get("/books", "Origin: http://other.test").status, 403)
    }
  }

  func testAStubThatAllowsCredentialsAllowsThemOnce() throws {
    try withServer(.init(allowedOrigins: ["http://page.test"])) { server in
      try server.stub(StubEndpoint(.get, "/a", .ok.with(header: "Access-Control-Allow-Credentials", "true")))
      try server.stub(StubEndpoint(.get, "/b", .ok.with(header: "access-control-allow-origin", "http://page.test")))
      let client = try RawClient(server)
      XCTAssertEqual(
        try client.get("/a", "Origin: http://page.test").fieldsWithoutDate,
        [
          "Access-Control-Allow-Credentials: true", "Access-Control-Allow-Origin: http://page.test", "Vary: Origin",
          "Content-Length: 0",
        ])
      // A stub that names the origin says itself what the page may do.
      XCTAssertEqual(
        try client.get("/b", "Origin: http://page.test").fieldsWithoutDate,
        ["access-control-allow-origin: http://page.test", "Content-Length: 0"])
    }
  }

  func testAStubOfOptionsRespondsToThemItself() throws {
    try withServer(.init(allowedOrigins: ["http://page.test"])) { server in
      try server.stub(
        StubEndpoint(.options, "/books", .status(204).with(header: "Access-Control-Allow-Origin", "*")))
      let response = try RawClient(server).exchange(preflight("/books"))
      XCTAssertEqual(response.fieldsWithoutDate, ["Access-Control-Allow-Origin: *"])
      XCTAssertEqual(server.journal.requests.map { "\($0)" }, ["OPTIONS /books -> 204 by OPTIONS /books"])
    }
  }

  func testPagesOfOtherOriginsUseNothingUp() throws {
    try withServer { server in
      try server.stub(StubEndpoint(.any, "/books", .text("books"), times: 1))
      let client = try RawClient(server)
      XCTAssertEqual(try client.get("/books", "Origin: http://page.test").status, 403)
      XCTAssertEqual(try client.exchange(preflight("/books")).status, 403)
      XCTAssertEqual(try client.get("/books").content, "books")
    }
  }
}
