import TestSupport

@testable import TrackingChecks
@testable import TrackingServer
@testable import TrackingVerifier

/// Requests with bodies that can't be read, or not wholly: what must not have arrived has not been seen to be absent.
final class UndecidedRequestTests: XCTestCase {
  private let reporter = RecordingReporter()
  private lazy var verifier = TrackingVerifier(
    with: self, configuration: .init(timeout: 0, settling: 0, checksAtStop: [], reporter: reporter))
  private let transfer = RequestPattern.request(.post, "/transfer", body: .jsonSubset(["to": "0xabc"]))

  private func post(
    _ body: String, coding: String? = nil, type: String? = nil, keeping limit: Int = .max, path: String = "/transfer"
  ) {
    var request = ReceivedRequest(method: .post, path: path, body: Data(body.utf8))
    if let coding { request.headers["Content-Encoding"] = coding }
    if let type { request.headers["Content-Type"] = type }
    request.isCoded = request.hasContentCoding
    verifier.journal.record(
      RecordedRequest(request, keeping: limit, connection: 1, exchange: 1, response: RecordedResponse(status: 200)))
  }

  private func message(_ check: TrackingCheck<CheckOutcome>) -> String? {
    // The headline, and the sentences about it.
    verifier.outcome(of: check).failure?.message.timeless.components(separatedBy: "\n\n").first?
      .replacing("\n", with: " ").replacing("N ms before the wait began", with: "then")
  }

  func testANumberBeyond64BitsDoesNotHideABody() {
    post(#"{"to": "0xabc", "wei": 123456789012345678901234}"#)
    XCTAssertEqual(verifier.outcome(of: .none(of: EntryPattern(transfer))).failure?.kind, .unexpectedExtra)
    for wei: ValueMatcher in [1.2345678901234568e23, .greater(than: 1e23), .less(than: 1e24)] {
      let pattern = RequestPattern.request(.post, "/transfer", body: .json(["to": "0xabc", "wei": wei]))
      XCTAssertTrue(verifier.outcome(of: .count(1, of: EntryPattern(pattern))).passed, "\(wei)")
    }
    post(#"{"to": "0xdef", "wei": -1e999, "gas": 1e-999}"#)
    let extreme = BodyCondition.jsonSubset(["to": "0xdef", "wei": .less(than: -1e300), "gas": 0])
    XCTAssertTrue(verifier.outcome(of: .count(1, of: .request(.post, "/transfer", body: extreme))).passed)
  }

  func testAnEmptyBodyIsNotUnread() {
    post("", type: "application/json")
    XCTAssertTrue(verifier.outcome(of: .none(of: EntryPattern(transfer))).passed)
  }

  func testAByteOrderMarkDoesNotHideABody() throws {
    post("\u{FEFF}{\"to\": \"0xabc\"}")
    post("\u{FEFF}to=0xabc", path: "/form")
    let patterns: [EntryPattern] = [
      EntryPattern(transfer), .request(.post, "/form", body: .form(["to": "0xabc"])),
      .request(.post, "/form", body: .text("to=0xabc")),
      .request(.post, "/transfer", where: .satisfying("JSON") { (try? $0.json([String: String].self)) != nil }),
    ]
    for pattern in patterns {
      XCTAssertTrue(verifier.outcome(of: .count(1, of: pattern)).passed, "\(pattern)")
    }
  }

  func testAnAbsenceSaysWhatItCouldNotRead() {
    let deep = String(repeating: "[", count: 65)
    let parts: EntryPattern = .request(.post, "/transfer", body: .multipart(["to": "0xabc"]))
    let text: EntryPattern = .request(.post, "/transfer", body: .text(.contains("f\u{fc}r")))
    let exact: EntryPattern = .request(.post, "/transfer", body: .exact(Data("a".utf8)))
    let code: EntryPattern = .request(.post, "/transfer", where: .satisfying("never") { _ in false })
    let json = EntryPattern(transfer)
    let cases: [(post: () -> Void, pattern: EntryPattern, reason: String?)] = [
      ({ self.post(#"{"to": "0xabc"}"#, coding: "br") }, json, "the body is coded as br, which isn't decoded"),
      ({ self.post("to", coding: "zstd") }, text, "the body is coded as zstd, which isn't decoded"),
      ({ self.post("to", coding: "br") }, exact, "the body is coded as br, which isn't decoded"),
      ({ self.post("to", coding: "br") }, code, "the body is coded as br, which isn't decoded"),
      ({ self.post("to", coding: "identity") }, exact, nil),
      ({ self.post(#"{"to": "0xabc"}"#, keeping: 5) }, json, "only 5 of its 15 bytes were kept"),
      ({ self.post(#"{"to": "0xabc"}"#, keeping: 5) }, code, "only 5 of its 15 bytes were kept"),
      (
        { self.post(#"{"to": "0xabc", "to": 1}"#) }, json,
        "the body can't be read as JSON: this key appears twice, at to, byte 16"
      ),
      (
        { self.post(#"{"a": NaN}"#) }, json,
        #"the body can't be read as JSON: expected a value, found "N", at a, byte 6"#
      ),
      ({ self.post(deep) }, json, "nested deeper than 64"),
      ({ self.post("to", type: "application/json") }, json, "expected true, at byte 0"),
      ({ self.post("[,", type: "application/vnd.api+json; charset=utf-8") }, json, "can't be read as JSON"),
      ({ self.post("to=0xabc") }, json, nil), ({ self.post("") }, json, nil),
      ({ self.post("{\"to\": 1}\n{}", type: "application/x-ndjson") }, json, nil),
      ({ self.post("{}\n{}\n[", type: "application/x-sentry-envelope") }, json, nil),
      ({ self.post("[debug] started", type: "text/plain") }, json, nil),
      ({ self.post("--x", type: "multipart/form-data; boundary=x") }, parts, "the parts of the body can't be read"),
      ({ self.post("to=0xabc") }, parts, nil), ({ self.post("fur") }, text, nil),
      // Another path is never a match.
      ({ self.post("to", coding: "br", path: "/other") }, json, nil),
    ]
    for (number, (post, pattern, reason)) in cases.enumerated() {
      let mark = verifier.mark()
      post()
      for pattern in [pattern, pattern.not(), pattern.and(.request(.post, "/*")), pattern.or(.request(.get, "/a"))] {
        let failure = verifier.outcome(of: .none(of: pattern), since: mark).failure
        guard let reason else { continue }
        let words = failure?.message.replacing("\n", with: " ") ?? "verified"
        XCTAssertTrue(words.lowercased().contains("can't tell whether #"), "\(number): \(words)")
        XCTAssertTrue(words.contains(reason), "\(number): \(words)")
      }
      if reason == nil { XCTAssertTrue(verifier.outcome(of: .none(of: pattern), since: mark).passed, "\(number)") }
      XCTAssertFalse(verifier.outcome(of: .count(1..., of: pattern), since: mark).passed, "\(number)")
    }
  }

  func testAPartThatIsNotTextIsADoubt() {
    var body = Data("--x\r\nContent-Disposition: form-data; name=\"to\"\r\n\r\n".utf8)
    body += [0xFF] + Data("\r\n--x--".utf8)
    var request = ReceivedRequest(method: .post, path: "/", body: body)
    request.headers["Content-Type"] = "multipart/form-data; boundary=x"
    verifier.journal.record(RecordedRequest(request, connection: 1, exchange: 1))
    for pattern: EntryPattern in [
      .request(.post, "/", body: .multipart(["to": "\u{fc}"])), .request(.post, "/", body: .text("\u{fc}")),
      .request(.post, "/", body: .text(.matches("^a"))),
    ] { XCTAssertFalse(verifier.outcome(of: .none(of: pattern)).passed) }
    // No bytes that aren't UTF-8 are ASCII, so these are decided.
    for pattern: EntryPattern in [
      .request(.post, "/", body: .multipart(["to": "0xabc"])), .request(.post, "/", body: .text(.contains("0xabc"))),
      .request(.post, "/", body: .text(.one(of: ["a", .hasSuffix("b")]))),
    ] { XCTAssertTrue(verifier.outcome(of: .none(of: pattern)).passed, "\(pattern)") }
    let named: EntryPattern = .request(.post, "/", body: .text(.contains("form-data; name=")))
    XCTAssertTrue(verifier.outcome(of: .count(1, of: named)).passed)
    XCTAssertTrue(verifier.outcome(of: .none(of: .request(.post, "/", body: .multipart(["a": "\u{fc}"])))).passed)
  }

  /// Each part of a request with a text in Latin-1, and patterns that it may match, or can't.
  func testAnAbsenceSaysWhichPartIsNotUTF8() {
    let form = "application/x-www-form-urlencoded"
    func request(
      _ path: String = "/a", query: String? = nil, headers: MessageHeaders = [:], _ body: Data = Data()
    ) -> ReceivedRequest {
      ReceivedRequest(method: .post, path: path, queryText: query, headers: headers, body: body)
    }
    let latin = Data([0x66, 0xFC, 0x72])
    let parts =
      Data("--x\r\nContent-Disposition: form-data; name=\"t\"; filename=\"f".utf8) + [0xFC]
      + Data("r.txt\"\r\n\r\na\r\n--x--".utf8)
    let cases: [(ReceivedRequest, mayMatch: [EntryPattern], cannot: [EntryPattern], reason: String)] = [
      (
        request(headers: ["X-Name": "f\u{FFFD}r"]),
        [
          .request(.post, "/a", headers: ["X-Name": "f\u{fc}r"]),
          .request(.post, "/a", headers: ["x-name": .matches("^f.r$"), "Y": .absent]).and(
            .request(.post, "/a", headers: ["X-Name": "\u{fc}"])),
        ],
        [
          .request(.post, "/a", headers: ["X-Name": "fur"]),
          .request(.post, "/a", headers: ["X-Name": "f\u{fc}r", "Y": .present]),
          .request(.post, "/a", headers: ["Y": "\u{fc}"]),
        ], "the header X-Name isn't text in UTF-8"
      ),
      (
        request(headers: ["Cookie": "name=f\u{FFFD}r"]), [.request(.post, "/a", cookies: ["name": "f\u{fc}r"])],
        [.request(.post, "/a", cookies: ["name": "fur"]), .request(.post, "/a", cookies: ["other": "f\u{fc}r"])],
        "a cookie isn't text in UTF-8"
      ),
      (
        request(query: "q=f%FCr&n=1"),
        [
          .request(.post, "/a", query: ["q": "f\u{fc}r"]),
          .request(.post, "/a", query: .exact(["q": "f\u{fc}r", "n": "1"])),
          .request(.post, "/a", query: .exactItems(["q": "f\u{fc}r", "n": "1"])),
          .request(.post, "/a", query: .exact(["q": ["f\u{fc}r"], "n": "1"])),
        ],
        [
          .request(.post, "/a", query: ["q": "fur"]), .request(.post, "/a", query: ["q": "f\u{fc}r", "n": "2"]),
          .request(.post, "/a", query: .exact(["q": "f\u{fc}r"])),
          .request(.post, "/a", query: .exactItems(["q": "f\u{fc}r"])),
          .request(.post, "/a", query: .exactItems(["q": "f\u{fc}r", "n": "2"])),
        ], "the query isn't text in UTF-8"
      ),
      (
        request(query: "gr%F6%DFe=1"), [.request(.post, "/a", query: ["gr\u{f6}\u{df}e": "1"])],
        [.request(.post, "/a", query: ["size": "1"])], "the query isn't text in UTF-8"
      ),
      (
        request(headers: ["Content-Type": form], Data("q=f%FCr&n=1".utf8)),
        [
          .request(.post, "/a", body: .form(["q": "f\u{fc}r", "n": "1"])),
          .request(.post, "/a", body: .formSubset(["q": .contains("\u{fc}")])),
        ],
        [
          .request(.post, "/a", body: .form(["q": "f\u{fc}r"])),
          .request(.post, "/a", body: .formSubset(["q": "f\u{fc}r", "n": "2"])),
        ],
        "the form isn't text in UTF-8"
      ),
      (
        request(headers: ["Content-Type": "text/plain; charset=ISO-8859-1"], latin),
        [.request(.post, "/a", body: .text("f\u{fc}r"))], [.request(.post, "/a", body: .text(.contains("fur")))],
        "the body is text in iso-8859-1, not UTF-8"
      ),
      (
        // As UTF-8 these are "fÃ¼r".
        request(headers: ["Content-Type": "text/plain; charset=\"windows-1252\""], Data([0x66, 0xC3, 0xBC, 0x72])),
        [.request(.post, "/a", body: .text("f\u{c3}\u{bc}r"))], [], "the body is text in windows-1252, not UTF-8"
      ),
      (
        request(headers: ["Content-Type": "text/plain; charset=utf-16le"], Data([0x66, 0, 0x75, 0])),
        [.request(.post, "/a", body: .text("fu"))], [], "the body is text in utf-16le, not UTF-8"
      ),
      (
        request(headers: ["Content-Type": "application/json; charset=utf-16le"], Data([0x31, 0])),
        [.request(.post, "/a", body: .json(1))], [], "the body is text in utf-16le, not UTF-8"
      ),
      (
        request(headers: ["Content-Type": "multipart/form-data; boundary=x"], parts),
        [.request(.post, "/a", body: .multipart(["t": .file(named: "f\u{fc}r.txt")]))],
        [
          .request(.post, "/a", body: .multipart(["t": .file(named: "fur.txt")])),
          .request(.post, "/a", body: .multipart(["t": .file(named: "f\u{fc}r.txt", content: "b")])),
        ], "the part t isn't text in UTF-8"
      ),
      (
        request("/f%FCr/1"),
        [.request(.post, "/f\u{fc}r/:id"), .request(.post, "/f%C3%BCr/*"), .request(.post, .regex("/f\u{fc}r/.*"))],
        [.request(.post, "/fur/:id"), .request(.post, "/f\u{fc}r/2"), .request(.post, .regex("/fur/.*"))],
        "the path isn't text in UTF-8"
      ),
    ]
    for (request, mayMatch, cannot, reason) in cases {
      let mark = verifier.mark()
      verifier.journal.record(
        RecordedRequest(request, connection: 1, exchange: 1, response: RecordedResponse(status: 200)))
      for pattern in mayMatch {
        // As the explanation of a 404 has them.
        let differences = pattern.requests?.comparison(with: ParsedRequest(request)).differences.map(\.reason) ?? []
        XCTAssertTrue(differences.contains { $0.contains("UTF-8") }, "\(pattern): \(differences)")
        for pattern in [pattern, pattern.not()] {
          let absence = verifier.outcome(of: .none(of: pattern), since: mark).failure?.message ?? "verified"
          XCTAssertTrue(
            absence.replacing("\n", with: " ").contains("an't tell whether #") && absence.contains(reason),
            "\(pattern): \(absence)")
        }
        for check: TrackingCheck<CheckOutcome> in [.count(.atMost(0), of: pattern), .count(1..., of: pattern)] {
          XCTAssertFalse(verifier.outcome(of: check, since: mark).passed, "\(check)")
        }
        let rest = verifier.outcome(of: .nothingElse(among: .requests, ignoring: [pattern]), since: mark).failure
        XCTAssertTrue(
          rest?.message.replacing("\n", with: " ").contains("should be ignored: \(reason).") ?? false,
          "\(pattern)")
      }
      for pattern in cannot {
        XCTAssertNil(verifier.outcome(of: .none(of: pattern), since: mark).failure?.message, "\(pattern)")
      }
    }
  }

  func testATextThatCanNotBeReadMayBeTheExcludedOne() {
    var request = ReceivedRequest(method: .post, path: "/a", queryText: "q=f%FCr", body: Data([0x66, 0xFC, 0x72]))
    request.headers = ["X-Name": "f\u{FFFD}r", "Cookie": "c=f\u{FFFD}r"]
    verifier.journal.record(RecordedRequest(request, connection: 1, exchange: 1))
    let unknown: [EntryPattern] = [
      .request(.post, "/a", query: ["q": .not("f\u{fc}r")]),
      .request(.post, "/a", query: .exact(["q": .not("\u{fc}")])),
      .request(.post, "/a", headers: ["X-Name": .all(of: [.present, .not(.contains("\u{fc}"))])]),
      .request(.post, "/a", cookies: ["c": .not("f\u{fc}r")]), .request(.post, "/a", body: .text(.not("f\u{fc}r"))),
      .request(.post, "/a", query: ["q": .present, "\u{fc}": .absent], body: .text(.not("f\u{fc}r"))),
    ]
    for pattern in unknown {
      XCTAssertFalse(verifier.outcome(of: .count(1..., of: pattern)).passed, "\(pattern)")
      XCTAssertFalse(verifier.outcome(of: .none(of: pattern)).passed, "\(pattern)")
      let differences = pattern.requests?.comparison(with: ParsedRequest(request)).differences.map(\.reason) ?? []
      XCTAssertTrue(differences.contains { $0.contains("UTF-8") }, "\(pattern): \(differences)")
    }
    for pattern: EntryPattern in [
      .request(.post, "/a", query: ["q": .not("fur"), "n": .absent]), .request(.post, "/a", body: .text(.not("fur"))),
      .request(.post, "/a", headers: ["X-Name": .present, "Y": .not("\u{fc}")]),
      .request(.post, "/a", query: .exact(["q": .not("fur")])),
    ] { XCTAssertTrue(verifier.outcome(of: .count(1, of: pattern)).passed, "\(pattern)") }
    XCTAssertTrue(
      verifier.outcome(of: .none(of: .request(.post, "/a", query: ["q": .equal(to: 3)]))).passed, "not a number")
  }

  func testAReplacementCharacterThatWasSentIsText() {
    var request = ReceivedRequest(
      method: .post, path: "/a/%EF%BF%BD", queryText: "q=%EF%BF%BD", body: Data("q=\u{FFFD}".utf8))
    request.headers["Content-Type"] = "application/x-www-form-urlencoded"
    verifier.journal.record(RecordedRequest(request, connection: 1, exchange: 1))
    for pattern: EntryPattern in [
      .request(.post, "/a/*", query: ["q": "\u{fc}"]), .request(.post, "/a/*", body: .form(["q": "\u{fc}"])),
      .request(.post, "/a/*", body: .text("q=\u{fc}")), .request(.post, "/a/\u{fc}"),
      .request(.post, .regex("/a/\u{fc}")),
    ] { XCTAssertNil(verifier.outcome(of: .none(of: pattern)).failure, "\(pattern)") }
  }

  func testA404SaysWhatCouldNotBeRead() async throws {
    verifier.start()
    verifier.stub(.request(.post, "/latin", query: ["q": "f\u{fc}r"], body: .text("f\u{fc}r")), .ok)
    var request = URLRequest(url: try XCTUnwrap(URL(string: "\(verifier.baseURL)/latin?q=f%FCr")))
    request.httpMethod = "POST"
    request.httpBody = Data([0x66, 0xFC, 0x72])
    request.setValue("text/plain; charset=iso-8859-1", forHTTPHeaderField: "Content-Type")
    let (data, _) = try await URLSession.shared.data(for: request)
    assertText(
      String(decoding: data, as: UTF8.self),
      """
      {"differs":["q in the query is \\"f\u{fffd}r\\", not \\"f\u{fc}r\\" (it isn't text in UTF-8)","the body is \\"f\u{fffd}r\\", not \\"f\u{fc}r\\" (it is text in iso-8859-1, not UTF-8)"],"error":"no stub matches POST /latin?q=f%FCr","nearest":"POST /latin with q=f\u{fc}r in the query with the body \\"f\u{fc}r\\""}

      """)
  }

  func testUpperBoundsAndOrdersSayWhatTheyCouldNotRead() {
    post(#"{"to": "0xabc"}"#)
    post(#"{"to": "0xabc"}"#, coding: "br")
    verifier.tracker.trackEvent(TrackingEvent(name: "done"))
    let pattern = EntryPattern(transfer)
    let finding = "Can't tell whether #2 matches: the body is coded as br, which isn't decoded."
    for check: TrackingCheck<CheckOutcome> in [.count(1, of: pattern), .count(.atMost(1), of: pattern)] {
      let text = message(check) ?? "verified"
      XCTAssertTrue(text.contains("1 arrived and can't tell whether #2 matches") && text.hasSuffix(finding), text)
    }
    XCTAssertNil(message(.count(.atMost(2), of: pattern)))
    XCTAssertNil(message(.count(1..., of: pattern)))
    XCTAssertEqual(
      message(.count(.atMost(0), of: pattern)),
      #"Expected no request POST /transfer with {"to": "0xabc"}, but #1, POST /transfer, arrived then"#)
    let early = message(
      .none(of: .request(.post, "/transfer", body: .jsonSubset(["to": "0xdef"])), before: .named("done")))
    XCTAssertEqual(early?.contains(finding), true, early ?? "verified")
    XCTAssertNil(message(.none(of: .named("done"), before: pattern)))
  }

  func testNothingElseSaysWhatItCouldNotRead() {
    post(#"{"to": "0xabc"}"#, coding: "br")
    XCTAssertEqual(
      message(.nothingElse(among: .requests, ignoring: [EntryPattern(transfer)])),
      """
      The test expected nothing else, but 1 more request arrived: #1, POST /transfer Can't tell whether #1 should be ignored: the body is coded as br, which isn't decoded.
      """)
  }

  func testAnExtraThatCanNotBeReadIsReportedWhenTheTestEnds() {
    post(#"{"to": "0xabc"}"#)
    verifier.wait(for: .request(.post, "/transfer", body: .jsonSubset(["to": "0xabc"])), count: 1)
    post(#"{"to": "0xabc"}"#, keeping: 5)
    verifier.stop()
    assertTexts(
      reporter.messages.map(\.timeless),
      [
        """
        1 extra request arrived after the wait for POST /transfer with {"to": "0xabc"} in its body had passed: #2
        No later wait expected it.
        Can't tell whether #2 matches: only 5 of its 15 bytes were kept.

        Received, by time since the wait began:
            #2  +N ms  POST /transfer -> 200
        """
      ])
  }

  func testAnInvertedExpectationIsBrokenByWhatCanNotBeRead() {
    let expectation = verifier.expectation(for: EntryPattern(transfer), count: 0)
    post(#"{"to": "0xabc"}"#, coding: "br")
    XCTAssertEqual(XCTWaiter().wait(for: [expectation], timeout: 5), .invertedFulfillment)
    let counted = verifier.expectation(for: EntryPattern(transfer), count: 1)
    XCTAssertEqual(XCTWaiter().wait(for: [counted], timeout: 0.01), .timedOut)
  }

  func testARequestThatOnlyAnUnreadStubCouldMatchIsUnmatched() async throws {
    verifier.start()
    verifier.stub(transfer, .ok)
    for coding in ["br", "identity"] {
      var request = URLRequest(url: try XCTUnwrap(URL(string: "\(verifier.baseURL)/transfer")))
      request.httpMethod = "POST"
      request.httpBody = Data("[,".utf8)
      request.setValue(coding, forHTTPHeaderField: "Content-Encoding")
      _ = try await URLSession.shared.data(for: request)
    }
    let unmatched = await verifier.outcome(of: .noUnmatchedRequests)
    assertText(
      unmatched.failure?.message.timeless,
      """
      2 requests matched no stub; the first is POST /transfer
          POST /transfer
              the body is coded as br, which isn't supported; set the sender's compression to gzip, or
              switch it off
          POST /transfer
              nearest is POST /transfer with {"to": "0xabc"} in its body: the body can't be read as JSON:
              expected a value, found ",", at [0], byte 1
                        stub             request
                path    /transfer        /transfer
                method  POST             POST
              ! body    {"to": "0xabc"}  "[," (the body can't be read as JSO … (of 82) … , at [0], byte 1)

      Received, by time since the wait began:
          #1  +N ms  unmatched  POST /transfer -> 415, no stub matches
          #2  +N ms  unmatched  POST /transfer -> 404, no stub matches
      """)
    let absence = await verifier.outcome(of: .none(of: EntryPattern(transfer)))
    XCTAssertFalse(absence.passed)
  }

  func testAStubThatRespondsInPlaceOfAnUnreadOneIsAWarning() async throws {
    verifier.start()
    let line: UInt = #line + 1
    verifier.stub(.post, "/*", .ok)
    verifier.stub(transfer, .status(201))
    let bodies = [(#"{"to": "0xdef"}"#, 200), ("[,", 200), (#"{"to": "0xabc"}"#, 201)]
    for (body, status) in bodies {
      var request = URLRequest(url: try XCTUnwrap(URL(string: "\(verifier.baseURL)/transfer")))
      request.httpMethod = "POST"
      request.httpBody = Data(body.utf8)
      request.setValue("application/json", forHTTPHeaderField: "Content-Type")
      let (_, response) = try await URLSession.shared.data(for: request)
      XCTAssertEqual((response as? HTTPURLResponse)?.statusCode, status)
    }
    verifier.stop()
    XCTAssertEqual(reporter.kinds, [])
    XCTAssertEqual(
      reporter.warnings,
      [
        "POST /transfer got its response from POST /*. The stub POST /transfer with {\"to\": \"0xabc\"} in its body, which comes "
          + "first, could not be compared with it: the body can't be read as JSON: expected a value, found \",\", at [0], byte 1."
      ])
    XCTAssertEqual(reporter.linesOfWarnings, [line])
  }

  func testAStubInAnAppThatRespondsInPlaceOfAnUnreadOneIsAWarning() {
    let line: UInt = #line + 1
    verifier.start()
    let report = ReportedRequest(
      ReceivedRequest(method: .post, path: "/transfer"), status: 200, stub: StubEndpoint(.post, "/*", .ok), doubt: "So."
    )
    verifier.journal.record(RecordedRequest(report, keeping: .max, connection: 1, exchange: 1))
    verifier.stop()
    XCTAssertEqual(reporter.warnings, ["So."])
    XCTAssertEqual(reporter.linesOfWarnings, [line])
  }
}
