import TestSupport

@testable import TrackingServer

/// The server's responses to valid and invalid requests, read from a socket.
final class HandlerTests: ServerTestCase {
  func testAnAcceptedSubmissionGetsNothingButADate() throws {
    try withServer { server in
      let response = try RawClient(server).post(#"{"name":"a","params":{"screen":"main"}}"#)
      XCTAssertEqual(response.statusLine, "HTTP/1.1 204 No Content")
      XCTAssertEqual(response.fieldsWithoutDate, [])
      XCTAssertEqual(response.content, "")
      XCTAssertEqual(server.journal.events.map(\.event), [TrackingEvent(name: "a", params: ["screen": "main"])])
      XCTAssertEqual(server.journal.requests, [])
      XCTAssertEqual(server.journal.rejections, [])
    }
  }

  func testTheDateIsTheTimeInTheFormOfHTTP() throws {
    try withServer { server in
      let date = try XCTUnwrap(RawClient(server).post("[]").field("Date"))
      let formatter = DateFormatter()
      formatter.locale = Locale(identifier: "en_US_POSIX")
      formatter.timeZone = TimeZone(secondsFromGMT: 0)
      formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
      let time = try XCTUnwrap(formatter.date(from: date), date)
      XCTAssertEqual(formatter.string(from: time), date)
      XCTAssertEqual(time.timeIntervalSinceNow, 0, accuracy: 60)
    }
  }

  func testAContentTypeMayBeMissingOrHaveParameters() throws {
    try withServer { server in
      for type in ["Content-Type: application/json; charset=utf-8", "content-type: Application/JSON", "X: y"] {
        let response = try RawClient(server).exchange(
          RawClient.request("POST / HTTP/1.1", ["Host: localhost", type], #"{"name":"a"}"#))
        XCTAssertEqual(response.status, 204, type)
      }
    }
  }

  func testWhatIsNoEventIsRefusedWithPathAndOffset() throws {
    try withServer { server in
      let client = try RawClient(server)
      let response = try client.post(
        #"{"name":"a","params":{"price":}}"#, "Tracking-Launch: p.1", "Tracking-Sequence: 1")
      XCTAssertEqual(response.statusLine, "HTTP/1.1 400 Bad Request")
      XCTAssertEqual(response.fieldsWithoutDate, ["Content-Type: application/json", "Content-Length: 76"])
      XCTAssertEqual(
        response.content,
        #"{"error":"expected a value, found \"}\"","offset":30,"path":"params.price"}"# + "\n")
      let rejection = try XCTUnwrap(server.journal.rejections.first)
      XCTAssertEqual("\(rejection)", #"400: params.price: expected a value, found "}""#)
      XCTAssertEqual(rejection.offset, 30)
      XCTAssertEqual(String(decoding: rejection.body, as: UTF8.self), #"{"name":"a","params":{"price":}}"#)
      XCTAssertEqual(rejection.bodySize, 32)
      XCTAssertEqual(rejection.launch, "p.1")
      XCTAssertEqual(rejection.connection, 1)
      // The same connection stays open.
      XCTAssertEqual(try client.post(#"{"name":"a"}"#).status, 204)
    }
  }

  func testAnArrayWithOneBadEventRecordsNothing() throws {
    try withServer { server in
      let response = try RawClient(server).post(#"[{"name":"a"},{"name":1}]"#)
      XCTAssertEqual(response.status, 400)
      XCTAssertEqual(
        response.content,
        #"{"error":"an event's name must be a string, found \"1\"","offset":22,"path":"[1].name"}"# + "\n")
      XCTAssertEqual(server.journal.events, [])
      XCTAssertEqual(server.journal.rejections.count, 1)
    }
  }

  func testTheBodyOfARejectionIsCutAndItsSizeKept() throws {
    try withServer(.init(limits: .init(rejectedBodyBytes: 10))) { server in
      try RawClient(server).post(String(repeating: "x", count: 1_000))
      XCTAssertEqual(server.journal.rejections.map(\.body), [Data("xxxxxxxxxx".utf8)])
      XCTAssertEqual(server.journal.rejections.map(\.bodySize), [1_000])
    }
  }

  // MARK: 403

  func testAForeignHostIsRefusedAndAnAllowedOneIsNot() throws {
    try withServer(.init(allowedHosts: ["Device.local"])) { server in
      let port = server.endpoint!.url.port!
      for host in [
        "localhost", "LocalHost:\(port)", "127.0.0.1", "127.0.0.1:1", "[::1]", "[::1]:\(port)", "device.LOCAL",
      ] {
        XCTAssertEqual(try status(server, "POST / HTTP/1.1", ["Host: \(host)"]), 204, host)
      }
      for host in ["example.com", "localhost.example.com", "127.0.0.2", "[::2]", "localhost.", "0.0.0.0", "::1", ""] {
        let status = try status(server, "POST / HTTP/1.1", ["Host: \(host)"])
        XCTAssertEqual(status, host == "::1" ? 400 : 403, host)
      }
      let response = try exchange(server, "POST / HTTP/1.1", ["Host: example.com:\(port)"])
      XCTAssertEqual(response.statusLine, "HTTP/1.1 403 Forbidden")
      XCTAssertEqual(
        response.content,
        #"{"error":"the host \"example.com\" is not this server; use localhost, 127.0.0.1 or [::1], or add it to "#
          + "allowedHosts\"}\n")
      // RFC 9112 3.2.2: the target's authority goes before the Host field.
      XCTAssertEqual(try status(server, "POST http://example.com/ HTTP/1.1", ["Host: localhost"]), 403)
      // An HTTP/1.0 client without Host isn't a browser.
      XCTAssertEqual(try status(server, "POST / HTTP/1.0", []), 204)
    }
  }

  func testAForeignOriginIsRefusedAndAnAllowedOneMayReadTheResponse() throws {
    try withServer(.init(allowedOrigins: ["http://localhost:3000", "null"])) { server in
      let allowed = try exchange(server, "POST / HTTP/1.1", ["Host: localhost", "Origin: http://localhost:3000"])
      XCTAssertEqual(allowed.status, 204)
      XCTAssertEqual(
        allowed.fieldsWithoutDate,
        [
          "Access-Control-Allow-Origin: http://localhost:3000", "Vary: Origin",
          "Access-Control-Allow-Credentials: true",
        ])
      XCTAssertEqual(
        try exchange(server, "POST / HTTP/1.1", ["Host: localhost", "Origin: null"]).field(
          "Access-Control-Allow-Origin"),
        "null")
      // A refusal, too, is for the page to read.
      let refusal = try exchange(server, "GET / HTTP/1.1", ["Host: localhost", "Origin: http://localhost:3000"])
      XCTAssertEqual(refusal.status, 405)
      XCTAssertEqual(refusal.field("Access-Control-Allow-Origin"), "http://localhost:3000")

      for origin in ["http://localhost:3001", "https://localhost:3000", "http://localhost:3000.evil.com", ""] {
        let response = try exchange(server, "POST / HTTP/1.1", ["Host: localhost", "Origin: \(origin)"])
        XCTAssertEqual(response.statusLine, "HTTP/1.1 403 Forbidden", origin)
        XCTAssertNil(response.field("Access-Control-Allow-Origin"))
        XCTAssertNil(response.field("Access-Control-Allow-Credentials"))
        XCTAssertEqual(
          response.content,
          "{\"error\":\"the origin \\\"\(origin)\\\" isn't allowed; add it to allowedOrigins\"}\n")
      }
      XCTAssertEqual(server.journal.rejections.map(\.status), [403, 403, 403, 403])
    }
  }

  func testAnAllowedOriginIsReadAsBrowsersSendIt() throws {
    let allowed = ["http://localhost:80", "HTTPS://Shop.Example:443", "http://127.0.0.1:*", "capacitor://localhost"]
    try withServer(.init(allowedOrigins: allowed)) { server in
      func status(_ origin: String, _ field: String = "Origin") throws -> Int {
        try self.status(
          server, "POST / HTTP/1.1", ["Host: localhost", "Sec-Fetch-Site: cross-site", "\(field): \(origin)"])
      }
      for origin in [
        "http://localhost", "https://shop.example", "http://127.0.0.1", "http://127.0.0.1:3000",
        "http://127.0.0.1:65535",
        "capacitor://localhost",
      ] {
        XCTAssertEqual(try status(origin), 204, origin)
        XCTAssertEqual(try status("\(origin)/page", "Referer"), 204, origin)
      }
      for origin in [
        "http://localhost:3000", "https://localhost", "http://shop.example", "https://127.0.0.1:3000",
        "http://127.0.0.1:",
        "http://127.0.0.1.evil.test", "http://127.0.0.1:80.evil.test", "http://127.0.0.1:3000@evil.test",
      ] {
        XCTAssertEqual(try status(origin), 403, origin)
        XCTAssertEqual(try status("\(origin)/page", "Referer"), 403, origin)
      }
    }
  }

  func testAPageThatWasLoadedFromTheServerIsNotForeign() throws {
    try withServer { server in
      for (host, origin) in [
        ("localhost:8080", "http://localhost:8080"), ("127.0.0.1", "http://127.0.0.1"), ("[::1]:1", "http://[::1]:1"),
        ("LOCALHOST:8080", "http://localhost:8080"),
      ] {
        XCTAssertEqual(try status(server, "POST / HTTP/1.1", ["Host: \(host)", "Origin: \(origin)"]), 204, host)
      }
      for (host, origin) in [
        ("localhost:8080", "http://localhost"), ("localhost:8080", "https://localhost:8080"),
        ("localhost:8080", "http://127.0.0.1:8080"), ("evil.test", "http://evil.test"),
      ] {
        XCTAssertEqual(try status(server, "POST / HTTP/1.1", ["Host: \(host)", "Origin: \(origin)"]), 403, origin)
      }
    }
  }

  func testAPageOfAnotherSiteMayOpenTheServerAndLoadNothingFromIt() throws {
    try withServer(.init(allowedOrigins: ["https://staging.test", "https://Kiosk.test"])) { server in
      try server.stub(StubEndpoint(.get, "/matomo.php", .status(204)))
      func status(_ fields: String...) throws -> Int {
        let fields = ["Host: localhost", "Sec-Fetch-Site: cross-site"] + fields
        return try RawClient(server).exchange(RawClient.request("GET /matomo.php HTTP/1.1", fields)).status
      }
      XCTAssertEqual(try status("Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"), 204)
      for mode in ["no-cors", "cors", "websocket"] {
        XCTAssertEqual(try status("Sec-Fetch-Mode: \(mode)", "Sec-Fetch-Dest: image"), 403, mode)
      }
      // A page that embeds the response navigates, too.
      for embedder in ["iframe", "frame", "object", "embed"] {
        XCTAssertEqual(try status("Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: \(embedder)"), 403, embedder)
      }
      // Images of an allowed page have no Origin.
      XCTAssertEqual(try status("Referer: https://staging.test/"), 204)
      XCTAssertEqual(try status("Origin: https://staging.test"), 204)
      XCTAssertEqual(try status("Referer: https://Kiosk.test"), 204)
      // Equal to the allowed origin as a Swift string.
      for sign in ["Referer", "Origin"] { XCTAssertEqual(try status("\(sign): https://\u{212A}iosk.test"), 403) }
      XCTAssertEqual(try status("Referer: https://\u{212A}iosk.test/page"), 403)
      XCTAssertEqual(try status("Referer: https://staging.test.evil/"), 403)
      assertText(
        server.journal.requests.last?.refusal,
        """
        pages of another site may not send requests (Sec-Fetch-Site: cross-site); add their origin to allowedOrigins
        """)
      let page = ["Host: localhost", "Sec-Fetch-Site: same-origin", "Sec-Fetch-Mode: no-cors"]
      XCTAssertEqual(
        try RawClient(server).exchange(RawClient.request("GET /matomo.php HTTP/1.1", page)).status, 204)
    }
  }

  func testAPreflightOfAnAllowedOriginGetsItsResponse() throws {
    try withServer(.init(allowedOrigins: ["http://localhost:3000"])) { server in
      let fields = ["Host: localhost", "Origin: http://localhost:3000", "Access-Control-Request-Method: POST"]
      let response = try RawClient(server).exchange(RawClient.request("OPTIONS / HTTP/1.1", fields))
      XCTAssertEqual(response.statusLine, "HTTP/1.1 204 No Content")
      XCTAssertEqual(
        response.fieldsWithoutDate,
        [
          "Allow: OPTIONS, POST", "Access-Control-Allow-Methods: POST",
          "Access-Control-Allow-Headers: Content-Type, Tracking-Session, Tracking-Launch, Tracking-Sequence",
          "Access-Control-Max-Age: 600", "Access-Control-Allow-Origin: http://localhost:3000", "Vary: Origin",
          "Access-Control-Allow-Credentials: true",
        ])
      let privateNetwork = try RawClient(server).exchange(
        RawClient.request("OPTIONS / HTTP/1.1", fields + ["Access-Control-Request-Private-Network: true"]))
      XCTAssertEqual(privateNetwork.field("Access-Control-Allow-Private-Network"), "true")
      let foreign = try RawClient(server).exchange(
        RawClient.request(
          "OPTIONS / HTTP/1.1", ["Host: localhost", "Origin: http://evil.com", "Access-Control-Request-Method: POST"]))
      XCTAssertEqual(foreign.status, 403)
      XCTAssertNil(foreign.field("Access-Control-Allow-Methods"))
      XCTAssertEqual(
        server.journal.requests.map { "\($0.method) \($0.target) \($0.status ?? 0)" },
        ["OPTIONS / 204", "OPTIONS / 204", "OPTIONS / 403"])
    }
  }

  /// Its page sends nothing after that, so the refusal is all that a test can learn.
  func testARefusedPreflightIsARejection() throws {
    try withServer(.init(allowedOrigins: ["http://localhost:3000"])) { server in
      let client = try RawClient(server)
      func preflight(_ target: String, _ fields: String...) throws -> Int? {
        try client.exchange(
          RawClient.request("OPTIONS \(target) HTTP/1.1", fields + ["Access-Control-Request-Method: POST"])
        ).status
      }
      let reason = #"the origin "http://evil.com" isn't allowed; add it to allowedOrigins"#
      for target in ["/", "/v1/b", "/books"] {
        XCTAssertEqual(try preflight(target, "Host: localhost", "Origin: http://evil.com"), 403)
        XCTAssertEqual(server.journal.rejections.last?.description, "403: \(reason)", target)
        XCTAssertEqual(server.journal.requests.last?.isRejectedSubmission, true, target)
      }
      // Also of an allowed page that uses another name of the server.
      XCTAssertEqual(try preflight("/", "Host: device.local", "Origin: http://localhost:3000"), 403)
      XCTAssertEqual(server.journal.rejections.count, 4)
      // A page that requests the server's own pages sends no events.
      XCTAssertEqual(try preflight("/-tracking/v1/marks", "Host: localhost", "Origin: http://evil.com"), 403)
      XCTAssertEqual(server.journal.rejections.count, 4)
      XCTAssertEqual(server.journal.requests.count, 4)
    }
  }

  func testTheSessionIsToldToThoseWhoKnowIt() throws {
    try withServer(.init(session: "s-1")) { server in
      let client = try RawClient(server)
      XCTAssertEqual(try client.post("[]", "Tracking-Session: s-1").fieldsWithoutDate, ["Tracking-Session: s-1"])
      XCTAssertEqual(try client.post("x", "Tracking-Session: s-1").field("Tracking-Session"), "s-1")
      XCTAssertNil(try client.post("[]").field("Tracking-Session"))
      for wrong in ["s-2", "S-1", "s-1x", "", "s"] {
        let response = try client.post("[]", "Tracking-Session: \(wrong)")
        XCTAssertEqual(response.statusLine, "HTTP/1.1 403 Forbidden", wrong)
        XCTAssertNil(response.field("Tracking-Session"))
        XCTAssertEqual(
          response.content,
          #"{"error":"the Tracking-Session is of another session; was the app launched by an earlier test?"}"# + "\n")
      }
    }
  }

  func testASessionMayBeRequired() throws {
    try withServer(.init(session: "s-1", requiresSession: true)) { server in
      let client = try RawClient(server)
      let response = try client.post(#"{"name":"a"}"#)
      XCTAssertEqual(response.status, 403)
      XCTAssertEqual(response.content, "{\"error\":\"this server accepts events only with its Tracking-Session\"}\n")
      XCTAssertEqual(server.journal.events, [])
      XCTAssertEqual(try client.post(#"{"name":"a"}"#, "Tracking-Session: s-1").status, 204)
      XCTAssertEqual(server.journal.events.count, 1)
    }
  }

  // MARK: Other refusals

  func testWhatIsNotServedIsNotFound() throws {
    try withServer { server in
      let response = try exchange(server, "POST /events HTTP/1.1", ["Host: localhost"])
      XCTAssertEqual(response.statusLine, "HTTP/1.1 404 Not Found")
      XCTAssertEqual(response.content, "{\"error\":\"nothing is served at /events; events are posted to /\"}\n")
      XCTAssertEqual(try status(server, "GET /favicon.ico HTTP/1.1", ["Host: localhost"]), 404)
      let long = try exchange(server, "GET /\(String(repeating: "x", count: 1_000)) HTTP/1.1", ["Host: localhost"])
      XCTAssertEqual(
        long.content,
        "{\"error\":\"nothing is served at /\(String(repeating: "x", count: 199))\u{2026}; events are posted to /\"}\n")
      XCTAssertEqual(server.journal.rejections, [])
      let request = try XCTUnwrap(server.journal.requests.first)
      XCTAssertEqual(
        "\(request.method) \(request.target) \(request.status ?? 0) \(request.connection) \(request.exchange)",
        "POST /events 404 1 1")
    }
  }

  func testOtherMethodsAreNotAllowedAndUnknownOnesNotImplemented() throws {
    try withServer { server in
      for method in ["GET", "PUT", "PATCH", "DELETE", "TRACE"] {
        let response = try exchange(server, "\(method) / HTTP/1.1", ["Host: localhost"])
        XCTAssertEqual(response.statusLine, "HTTP/1.1 405 Method Not Allowed")
        XCTAssertEqual(response.field("Allow"), "OPTIONS, POST")
        XCTAssertEqual(response.content, "{\"error\":\"events are sent by POST, not by \(method)\"}\n")
      }
      let response = try exchange(server, "post / HTTP/1.1", ["Host: localhost"])
      XCTAssertEqual(response.statusLine, "HTTP/1.1 501 Not Implemented")
      XCTAssertEqual(
        response.content, "{\"error\":\"the method post isn't supported; events are sent by POST\"}\n")
    }
  }

  func testAPostWithoutLengthIsRefused() throws {
    try withServer { server in
      let response = try RawClient(server).exchange(RawClient.request("POST / HTTP/1.1", ["Host: localhost"]))
      XCTAssertEqual(response.statusLine, "HTTP/1.1 411 Length Required")
      XCTAssertEqual(
        response.content, "{\"error\":\"the request has neither Content-Length nor a chunked body\"}\n")
    }
  }

  func testAnotherMediaTypeOrCodingIsRefused() throws {
    try withServer { server in
      let text = try RawClient(server).exchange(
        RawClient.request("POST / HTTP/1.1", ["Host: localhost", "Content-Type: text/plain"], "[]"))
      XCTAssertEqual(text.statusLine, "HTTP/1.1 415 Unsupported Media Type")
      XCTAssertEqual(
        text.content,
        "{\"error\":\"events are sent as Content-Type: application/json, not as text/plain; accept(_:) takes other formats\"}\n"
      )
      for coding in ["br", "zstd", "compress", "gzip, gzip"] {
        let coded = try RawClient(server).post("[]", "Content-Encoding: \(coding)")
        XCTAssertEqual(coded.statusLine, "HTTP/1.1 415 Unsupported Media Type")
        XCTAssertEqual(coded.field("Accept-Encoding"), "gzip, deflate, identity")
        XCTAssertEqual(
          coded.content,
          "{\"error\":\"the body is coded as \(coding), which isn't supported; set the sender's compression to gzip, "
            + "or switch it off\"}\n")
      }
      XCTAssertEqual(try RawClient(server).post("[]", "Content-Encoding: Identity").status, 204)
    }
  }

  func testTextOfAnAllowedPageIsReadAsJSON() throws {
    let server = TrackingServer(configuration: .init(allowedOrigins: ["https://shop.example"]))
    try server.start()
    defer { server.stop() }
    func status(_ origin: String?, _ body: String = #"{"name":"left"}"#) throws -> Int {
      let fields =
        ["Host: localhost", "Content-Type: text/plain;charset=UTF-8"] + (origin.map { ["Origin: \($0)"] } ?? [])
      return try RawClient(server).exchange(RawClient.request("POST / HTTP/1.1", fields, body)).status
    }
    XCTAssertEqual(try status("https://shop.example"), 204)
    // A page that the server itself has served has the host name that the request uses, without a port here.
    XCTAssertEqual(try status("http://localhost"), 204)
    XCTAssertEqual(server.journal.events.map(\.event.name), ["left", "left"])
    XCTAssertEqual(try status(nil), 415)
    XCTAssertEqual(try status("https://other.example"), 403)
    XCTAssertEqual(try status("https://shop.example", "left"), 400)
    XCTAssertEqual(server.journal.events.count, 2)
  }

  func testLaunchAndSequenceBelongTogetherAndCountFromOne() throws {
    try withServer { server in
      let client = try RawClient(server)
      func error(_ fields: String...) throws -> String {
        let response = try client.exchange(RawClient.post("[{\"name\":\"a\"}]", fields))
        XCTAssertEqual(response.status, 400)
        return response.content
      }
      let together = "{\"error\":\"Tracking-Launch and Tracking-Sequence belong together\"}\n"
      XCTAssertEqual(try error("Tracking-Launch: p.1"), together)
      XCTAssertEqual(try error("Tracking-Sequence: 1"), together)
      for number in ["", "x", "-1", "+1", "1.0", "0", "00", "18446744073709551616"] {
        XCTAssertEqual(
          try error("Tracking-Launch: p.1", "Tracking-Sequence: \(number)"),
          "{\"error\":\"Tracking-Sequence is not a number from 1: \\\"\(number)\\\"\"}\n")
      }
      XCTAssertEqual(
        try error("Tracking-Launch: p.1", "Tracking-Sequence: \(UInt64.max)"),
        "{\"error\":\"the number in Tracking-Sequence is too large\"}\n")
      let long = String(repeating: "p", count: 201)
      XCTAssertEqual(
        try error("Tracking-Launch: \(long)", "Tracking-Sequence: 1"),
        "{\"error\":\"Tracking-Launch is longer than 200 bytes\"}\n")
      // Two processes without a name would be one launch, whose second event counts as a repetition.
      for launch in ["", " ", "\t"] {
        XCTAssertEqual(
          try error("Tracking-Launch: \(launch)", "Tracking-Sequence: 1"),
          "{\"error\":\"Tracking-Launch is empty\"}\n")
      }
      XCTAssertEqual(server.journal.events, [])
      let last = "Tracking-Sequence: \(UInt64.max - 1)"
      XCTAssertEqual(try client.post("[{\"name\":\"a\"}]", "Tracking-Launch: p.1", last).status, 204)
      XCTAssertEqual(server.journal.events.map(\.sequence), [.max - 1])
      XCTAssertEqual(server.journal.lostEvents(since: .beginning), [])
    }
  }

  func testAFullJournalIsInsufficientStorageAndAFinding() throws {
    try withServer(.init(limits: .init(journalEvents: 1))) { server in
      let client = try RawClient(server)
      XCTAssertEqual(try client.post(#"{"name":"a"}"#).status, 204)
      let response = try client.post(#"{"name":"b"}"#)
      XCTAssertEqual(response.statusLine, "HTTP/1.1 507 Insufficient Storage")
      XCTAssertEqual(
        response.content,
        "{\"error\":\"the journal is full (1 events or 256 MiB of bodies); reset the verifier\"}\n")
      XCTAssertEqual(server.journal.rejections.map(\.status), [507])
      XCTAssertEqual(server.journal.refusedAsFull, 1)
    }
  }

  func testRefusalsOfTheParserAreResponsesAndClose() throws {
    let limits = TrackingServer.Limits(requestHead: 200, fieldCount: 5, body: 100)
    try withServer(.init(limits: limits)) { server in
      let cases: [(String, String)] = [
        ("POST / HTTP/1.1\r\n\r\n", "400 Bad Request"),
        (RawClient.post(String(repeating: " ", count: 101)), "413 Content Too Large"),
        ("GET /\(String(repeating: "x", count: 300)) HTTP/1.1\r\n", "414 URI Too Long"),
        (RawClient.request("GET / HTTP/1.1", (0..<6).map { "F\($0): x" }), "431 Request Header Fields Too Large"),
        ("GET / HTTP/1.1\r\nHost: \(String(repeating: "x", count: 300))", "431 Request Header Fields Too Large"),
        ("GET / HTTP/2.0\r\nHost: localhost\r\n\r\n", "505 HTTP Version Not Supported"),
        ("POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", "501 Not Implemented"),
        ("POST / HTTP/1.1\r\nHost: localhost\r\nExpect: tea\r\nContent-Length: 2\r\n\r\n", "417 Expectation Failed"),
      ]
      for (request, status) in cases {
        let client = try RawClient(server)
        let response = try client.exchange(request)
        XCTAssertEqual(response.statusLine, "HTTP/1.1 \(status)")
        XCTAssertEqual(response.field("Connection"), "close", status)
        XCTAssertEqual(response.field("Content-Type"), "application/json", status)
        XCTAssertTrue(response.content.hasPrefix("{\"error\":\""), response.content)
        XCTAssertEqual(try client.readToEnd(), "")
      }
      XCTAssertEqual(
        server.journal.rejections.map { "\($0.status)" }, cases.map { "\($0.1.prefix(3))" })
    }
  }

  // MARK: -

  private func exchange(_ server: TrackingServer, _ line: String, _ fields: [String]) throws -> RawResponse {
    try RawClient(server).exchange(RawClient.request(line, fields, "[]"))
  }

  private func status(_ server: TrackingServer, _ line: String, _ fields: [String]) throws -> Int {
    try exchange(server, line, fields).status
  }
}
