import TestSupport
import TrackingRules

@testable import TrackingInspector
@testable import TrackingServer

/// The requests that the inspector responds to or refuses, and the contents of its feed.
final class InspectorRulesTests: XCTestCase {
  private let server = TrackingServer()
  private lazy var inspector = Inspector(of: server)

  private func request(
    _ path: String, method: ReceivedRequest.Method = "GET", host: String = "localhost", _ fields: [String: String] = [:]
  ) -> ReceivedRequest {
    var headers = MessageHeaders(fields: fields.map { ($0.key, $0.value) })
    if fields["Host"] == nil { headers["Host"] = "\(host):5000" }
    let parts = path.split(separator: "?", maxSplits: 1).map(String.init)
    return ReceivedRequest(
      method: method, host: host, path: parts[0], queryText: parts.dropFirst().first, headers: headers)
  }

  private var authorized: [String: String] { ["Authorization": "Bearer \(inspector.token)"] }

  /// The response, made at once.
  private func response(to request: ReceivedRequest) throws -> HTTPResponse {
    var outcome = inspector.respond(to: request)
    while true {
      switch outcome {
      case .response(let response): return response
      case .work(let work): outcome = work()
      case .wait: throw XCTSkip("the feed waits")
      }
    }
  }

  private func status(
    _ path: String, method: ReceivedRequest.Method = "GET", host: String = "localhost", _ fields: [String: String] = [:]
  )
    throws -> Int
  {
    try response(to: request(path, method: method, host: host, fields)).status
  }

  private func feed(_ query: String = "", _ fields: [String: String]? = nil) throws -> [String: Any] {
    let response = try response(to: request("/-tracking/feed\(query)", fields ?? authorized))
    XCTAssertEqual(response.status, 200)
    return try XCTUnwrap(try JSONSerialization.jsonObject(with: Data(response.bytes)) as? [String: Any])
  }

  func testThePageIsPublicAndEmpty() throws {
    server.journal.record(TrackingEvent(name: "secret_event"))
    let page = try response(to: request("/-tracking/"))
    XCTAssertEqual(page.status, 200)
    XCTAssertFalse(String(decoding: page.bytes, as: UTF8.self).contains("secret_event"))
    XCTAssertFalse(String(decoding: page.bytes, as: UTF8.self).contains(inspector.token))
  }

  /// The feed has another connection; an idle one would cost CPU time for each event.
  func testThePagesConnectionIsClosedAndTheFeedsIsKept() throws {
    XCTAssertTrue(try response(to: request("/-tracking/")).closes)
    XCTAssertFalse(try response(to: request("/-tracking/feed", authorized)).closes)
  }

  func testEntriesNeedTheToken() throws {
    server.journal.record(TrackingEvent(name: "tapped"))
    for field in [
      "Bearer ", "Bearer \(inspector.token.dropLast())0x", "Basic \(inspector.token)", inspector.token,
      "Bearer \(inspector.token) ",
    ] {
      let response = try response(to: request("/-tracking/feed", ["Authorization": field]))
      XCTAssertEqual(response.status, 401, field)
      XCTAssertFalse(String(decoding: response.bytes, as: UTF8.self).contains("tapped"))
    }
    XCTAssertEqual(try status("/-tracking/feed"), 401)
    XCTAssertEqual(try status("/-tracking/feed?token=\(inspector.token)"), 401)
    XCTAssertEqual(try status("/-tracking/feed", authorized), 200)
  }

  func testATokenHas128RandomBits() {
    let tokens = Set((0..<100).map { _ in Inspector(of: server).token })
    XCTAssertEqual(tokens.count, 100)
    XCTAssertTrue(tokens.allSatisfy { $0.wholeMatch(of: /[A-Za-z0-9_-]{22}/) != nil })
  }

  func testOnlyGetIsSupported() throws {
    for method in ["POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"] as [ReceivedRequest.Method] {
      XCTAssertEqual(try status("/-tracking/", method: method), 405, "\(method)")
      XCTAssertEqual(try status("/-tracking/feed", method: method, authorized), 405, "\(method)")
    }
  }

  func testNamesThatAPageCouldResolveToLoopbackAreRefused() throws {
    for host in ["evil.example", "localhost.evil.example", "0.0.0.0"] {
      XCTAssertEqual(try status("/-tracking/", host: host), 403, host)
      XCTAssertEqual(try status("/-tracking/feed", host: host, authorized), 403, host)
    }
    for host in ["localhost", "127.0.0.1", "[::1]"] { XCTAssertEqual(try status("/-tracking/", host: host), 200, host) }
  }

  func testPagesOfOtherOriginsAreRefusedWhateverTheServerAllows() throws {
    for origin in [
      "http://evil.example", "null", "http://localhost:5001", "https://localhost:5000", "http://localhost",
    ] {
      XCTAssertEqual(try status("/-tracking/feed", authorized.merging(["Origin": origin]) { $1 }), 403, origin)
    }
    XCTAssertEqual(
      try status("/-tracking/feed", authorized.merging(["Origin": "http://localhost:5000"]) { $1 }), 200)
    for site in ["cross-site", "same-site", "none"] {
      XCTAssertEqual(try status("/-tracking/feed", authorized.merging(["Sec-Fetch-Site": site]) { $1 }), 403, site)
    }
  }

  func testEveryResponseSaysWhatABrowserMayDoWithIt() throws {
    let page = try response(to: request("/-tracking/"))
    for response in [
      page, try response(to: request("/-tracking/feed", authorized)), try response(to: request("/-tracking/other")),
      try response(to: request("/-tracking/", method: "POST")), try response(to: request("/-tracking/feed")),
    ] {
      func value(_ name: String) -> String? {
        response.fields.split(separator: "\r\n").first { $0.hasPrefix("\(name): ") }.map {
          String($0.dropFirst(name.count + 2))
        }
      }
      XCTAssertEqual(value("X-Content-Type-Options"), "nosniff")
      XCTAssertEqual(value("Referrer-Policy"), "no-referrer")
      XCTAssertEqual(value("Cache-Control"), "no-store")
      XCTAssertEqual(value("Cross-Origin-Resource-Policy"), "same-origin")
      XCTAssertTrue(try XCTUnwrap(value("Content-Security-Policy")).hasPrefix("default-src 'none'"))
      XCTAssertTrue(try XCTUnwrap(value("Content-Security-Policy")).hasSuffix("frame-ancestors 'none'"))
      XCTAssertNil(value("Access-Control-Allow-Origin"))
    }
  }

  /// The query that continues behind a part of the feed.
  private func query(after part: [String: Any], _ more: String = "") throws -> String {
    let cursor = try XCTUnwrap(part["cursor"] as? [String: Int])
    return "?\(cursor.map { "\($0)=\($1)" }.joined(separator: "&"))\(more)"
  }

  private func entries(_ part: [String: Any]) throws -> [[String: Any]] {
    try XCTUnwrap(part["entries"] as? [[String: Any]])
  }

  private func marks(_ part: [String: Any], of number: Int) -> [String: Any]? {
    (part["marks"] as? [String: [String: Any]])?["\(number)"]
  }

  func testAnEntryHasTheLineOfTheAppThatTrackedIt() throws {
    server.journal.record(TrackingEvent(name: "a").at(try XCTUnwrap(CallSite("Shop/\"A\".swift:41"))))
    server.journal.record(TrackingEvent(name: "b"))
    let session = String(decoding: server.sessionJSON, as: UTF8.self)
    XCTAssertTrue(session.contains(#""name":"a","params":{},"at":"Shop/\"A\".swift:41""#), session)
    XCTAssertEqual(session.components(separatedBy: #""at":"#).count, 2, session)
  }

  func testTheFeedHasTheEntriesAfterANumberAndWhereToGoOn() throws {
    for number in 1...4_700 { server.journal.record(TrackingEvent(name: "e\(number)")) }
    let first = try feed()
    XCTAssertEqual(try entries(first).count, 4_000)
    XCTAssertEqual(first["isMore"] as? Bool, true)
    let second = try feed(query(after: first))
    XCTAssertEqual(try entries(second).first?["name"] as? String, "e4001")
    XCTAssertEqual(try entries(second).last?["name"] as? String, "e4700")
    XCTAssertEqual(second["isMore"] as? Bool, false)
  }

  func testAResponseOfTheFeedEndsAfterAMegabyte() throws {
    let megabyte = TrackingValue.string(String(repeating: "x", count: 1_048_576))
    for number in 1...3 { server.journal.record(TrackingEvent(name: "e\(number)", params: ["text": megabyte])) }
    var part = try feed()
    for number in 1...3 {
      XCTAssertEqual(try entries(part).map { $0["number"] as? Int }, [number])
      XCTAssertEqual(part["isMore"] as? Bool, number < 3)
      if number < 3 { part = try feed(query(after: part)) }
    }
  }

  func testChecksThatMakeNoSenseGetResponsesLikeTheFirst() throws {
    server.journal.record(TrackingEvent(name: "tapped"))
    for query in ["?after=-5", "?after=x", "?after=99999999999999999999", "?after=&revision=&pending=a,,-1,9", "?"] {
      XCTAssertEqual((try feed(query)["entries"] as? [Any])?.count, 1, query)
    }
  }

  func testAPageAtTheLargestNumberHasAllEntries() throws {
    server.journal.record(TrackingEvent(name: "tapped"))
    for query in ["?after=9223372036854775807"] {
      XCTAssertEqual((try feed(query)["entries"] as? [Any])?.count, 0, query)
    }
  }

  /// Requests news where there is none, makes a change, and expects a response.
  private func expectNews(after change: () -> Void, line: UInt = #line) throws {
    server.journal.record(TrackingEvent(name: "first"))
    let seen = try feed()
    guard
      case .wait(let time, let until, let then, _) = inspector.respond(
        to:
          request("/-tracking/feed\(try query(after: seen))", authorized))
    else { return XCTFail("the feed does not wait", line: line) }
    XCTAssertEqual(time, .seconds(25), line: line)
    let woken = expectation(description: "woken")
    woken.assertForOverFulfill = false
    let cancel = until { woken.fulfill() }
    change()
    wait(for: [woken], timeout: 5)
    cancel?()
    guard case .response(let response) = then() else { return XCTFail("no response", line: line) }
    XCTAssertEqual(response.status, 200, line: line)
  }

  func testAnEventEndsTheWaitOfTheFeed() throws {
    try expectNews { server.journal.record(TrackingEvent(name: "second")) }
  }

  func testWhatTheTestSaysEndsTheWaitOfTheFeed() throws {
    try expectNews { server.sessionNotes.add(failure: "no", at: "A.swift:1") }
  }

  func testAResponseToARequestEndsTheWaitOfTheFeed() throws {
    let number = server.journal.record(
      RecordedRequest(ReceivedRequest(method: "GET", path: "/slow"), connection: 1, exchange: 1))
    try expectNews { server.journal.complete(number, with: RecordedResponse(status: 200)) }
  }

  func testAPollThatHasEndedIsNotWokenAnyMore() throws {
    guard
      case .wait(_, let until, _, _) = inspector.respond(
        to:
          request("/-tracking/feed\(try query(after: feed()))", authorized))
    else { return XCTFail("the feed does not wait") }
    let cancel = until { XCTFail("woken after its end") }
    cancel?()
    server.journal.record(TrackingEvent(name: "late"))
    server.sessionNotes.observe(title: nil)
  }

  func testWhatTheTestSaysOfEntriesComesWithThem() throws {
    server.journal.record(TrackingEvent(name: "a"))
    server.sessionNotes.observe(title: "CartTests.testBuying")
    server.sessionNotes.match([1], true)
    let end = server.sessionNotes.beginWait("2 events", at: "CartTests.swift:3") { ("1 of 2", "the nearest") }
    let part = try feed()
    XCTAssertEqual(part["title"] as? String, "CartTests.testBuying")
    XCTAssertEqual(try entries(part).first?["isMatched"] as? Bool, true)
    let wait = try XCTUnwrap((part["waits"] as? [[String: String]])?.first)
    XCTAssertEqual(
      wait,
      [
        "check": "2 events", "location": "CartTests.swift:3", "progress": "1 of 2", "nearestMiss": "the nearest",
        "state": "open",
      ])
    // A later change of an entry is sent with the entry's number alone.
    end(nil)
    server.sessionNotes.match([1], false)
    let later = try feed(query(after: part))
    XCTAssertEqual(try entries(later).count, 0)
    XCTAssertEqual((later["waits"] as? [Any])?.count, 0)
    XCTAssertEqual(marks(later, of: 1)?["isMatched"] as? Bool, false)
  }

  func testMarksOfALongJournalComeWithTheirEntries() throws {
    for _ in 1...4_500 { server.journal.record(TrackingEvent(name: "a")) }
    server.sessionNotes.observe(title: nil)
    server.sessionNotes.match([4_400], true)
    let first = try feed()
    XCTAssertNil(marks(first, of: 4_400))
    let second = try feed(query(after: first))
    XCTAssertEqual(try entries(second).first { $0["number"] as? Int == 4_400 }?["isMatched"] as? Bool, true)
  }

  private struct NumbersAlone: EventRule {
    var expectation: String { "every total to be a number" }

    func findings(in event: TrackingEvent) -> [PlanFinding] {
      if case .int = event.params["total"] { return [.init(kind: .deprecated, path: "total", reason: "is deprecated")] }
      return [.init(kind: .mismatch(keyword: "type"), path: "total", reason: "\"3\" is a string, expected a number")]
    }
  }

  func testEventsThatBreakTheRuleSayHow() throws {
    server.openInspector(plan: NumbersAlone())
    server.journal.record(TrackingEvent(name: "purchase", params: ["total": "3"]))
    server.journal.record(TrackingEvent(name: "purchase", params: ["total": 3]))
    let entries = try entries(feed())
    XCTAssertEqual(
      entries[0]["findings"] as? [[String: String]],
      [["message": "\"3\" is a string, expected a number", "path": "total"]])
    XCTAssertNil(entries[1]["findings"])
    XCTAssertTrue(String(decoding: server.sessionJSON, as: UTF8.self).contains("expected a number"))
  }

  func testStepsOfTheTestStandBeforeTheEntriesThatFollowThem() throws {
    func texts(_ part: [String: Any]) throws -> [String?] {
      try entries(part).map { ($0["text"] ?? $0["name"]) as? String }
    }
    server.sessionNotes.add(step: "Opens the cart", before: 1)
    server.journal.record(TrackingEvent(name: "cart_shown"))
    server.sessionNotes.add(step: "Pays", before: 2)
    let first = try feed()
    XCTAssertEqual(try texts(first), ["Opens the cart", "cart_shown", "Pays"])
    XCTAssertEqual(try entries(first).map { $0["kind"] as? String }, ["note", "event", "note"])
    server.journal.record(TrackingEvent(name: "purchase"))
    server.sessionNotes.add(step: "Leaves", before: 3)
    XCTAssertEqual(try texts(feed(query(after: first))), ["purchase", "Leaves"])
    let session = try XCTUnwrap(try JSONSerialization.jsonObject(with: server.sessionJSON) as? [String: Any])
    XCTAssertEqual(try texts(session), ["Opens the cart", "cart_shown", "Pays", "purchase", "Leaves"])
  }

  func testARedeliveryThatCameBeforeItsEntryWasShownIsMarkedThere() throws {
    for number in 1...4_500 { server.journal.record(event("m\(number)")) }
    server.journal.record(event("m4400"))
    let first = try feed()
    XCTAssertEqual(try entries(first).count, 4_000)
    XCTAssertEqual((first["cursor"] as? [String: Int])?["redeliveries"], 1)
    server.journal.record(event("m4400"))
    server.journal.record(event("m7"))
    let second = try feed(query(after: first))
    XCTAssertEqual(try entries(second).compactMap { $0["redeliveries"] as? Int }, [2])
    XCTAssertEqual(try entries(second)[399]["redeliveries"] as? Int, 2)
    XCTAssertEqual(marks(second, of: 7)?["redeliveries"] as? Int, 1)
  }

  private func event(_ id: String = "m1") -> TrackingEvent {
    var event = TrackingEvent(name: "Order Completed")
    event.origin = SDKOrigin(format: "Segment", kind: "track", id: id)
    return event
  }

  func testAnEventThatAnSDKDeliversAgainIsMarked() throws {
    server.journal.record(event())
    let first = try feed()
    XCTAssertNil(try entries(first)[0]["redeliveries"])
    server.journal.record(event())
    let second = try feed(query(after: first))
    XCTAssertEqual(try entries(second).count, 0)
    XCTAssertEqual(marks(second, of: 1)?["redeliveries"] as? Int, 1)
    XCTAssertEqual(try entries(feed())[0]["redeliveries"] as? Int, 1)
    XCTAssertTrue(String(decoding: server.sessionJSON, as: UTF8.self).contains(#""redeliveries":1"#))
  }

  private struct Outlined: OutlinedRule {
    let identity = PlanIdentity(name: "Storefront", digest: "0123456789abcdef")
    let expectation = "nothing"
    let outline: TrackingValue = ["name": "Storefront", "events": [["name": "purchase", "swift": "Purchase"]]]
    func findings(in event: TrackingEvent) -> [PlanFinding] { [] }
  }

  func testThePlanComesOnceAndAgainWhenItIsAnother() throws {
    server.openInspector(plan: Outlined())
    let first = try feed()
    let plan = try XCTUnwrap(first["plan"] as? [String: Any])
    XCTAssertEqual(plan["name"] as? String, "Storefront")
    XCTAssertEqual(plan["events"] as? [[String: String]], [["name": "purchase", "swift": "Purchase"]])
    server.journal.record(TrackingEvent(name: "tapped"))
    let second = try feed(query(after: first))
    XCTAssertNil(second["plan"])
    server.sessionNotes.follow(Outlined())
    XCTAssertNotNil(try feed(query(after: second))["plan"])
    let session = try XCTUnwrap(try JSONSerialization.jsonObject(with: server.sessionJSON) as? [String: Any])
    XCTAssertNotNil(session["plan"])
  }

  func testARequestThatGetsItsResponseLaterComesAgain() throws {
    let number = server.journal.record(
      RecordedRequest(ReceivedRequest(method: "GET", path: "/slow"), connection: 1, exchange: 1))
    let first = try feed()
    XCTAssertEqual((first["entries"] as? [[String: Any]])?.first?["hasResponse"] as? Bool, false)
    server.journal.complete(number, with: RecordedResponse(status: 200))
    let second = try feed(query(after: first, "&pending=1"))
    XCTAssertEqual(try entries(second).map { $0["status"] as? Int }, [200])
    XCTAssertEqual((second["cursor"] as? [String: Int])?["after"], 1)
  }

  func testLargeResponsesThatComeAgainKeepNoNewEntryOut() throws {
    // Each byte takes six in JSON, so that these requests alone exceed the size of a part.
    let body = Data(repeating: 1, count: 4_096)
    let numbers = try (1...100).map { _ in
      let request = ReceivedRequest(method: "POST", path: "/slow", body: body)
      return try XCTUnwrap(server.journal.record(RecordedRequest(request, connection: 1, exchange: 1)))
    }
    var cursor = ""
    for _ in 0..<4 { cursor = try query(after: feed(cursor)) }
    for number in numbers { server.journal.complete(number, with: RecordedResponse(status: 200)) }
    server.journal.record(TrackingEvent(name: "tapped"))
    let part = try feed(cursor + "&pending=" + numbers.map { "\($0)" }.joined(separator: ","))
    XCTAssertEqual(try entries(part).count, 101)
    XCTAssertEqual(try entries(part).last?["name"] as? String, "tapped")
    XCTAssertEqual((part["cursor"] as? [String: Int])?["after"], 101)
  }

  func testCredentialsOfRequestsAreLeftOut() throws {
    let secret = [
      "Authorization", "cookie", "Set-Cookie", "Proxy-Authorization", "Tracking-Session", "X-Api-Key", "apikey",
      "api-key", "X-Auth-Token", "DD-API-KEY", "X-Access-Token", "X-Amz-Security-Token", "X-CSRF-Token",
      "X-Sentry-Auth", "Private-Token", "X-Shopify-Access-Token", "X-Goog-Api-Key", "Ocp-Apim-Subscription-Key",
      "X-Vault-Token", "X-Session-Id", "X-Client-Secret",
    ]
    var fields = Dictionary(uniqueKeysWithValues: secret.map { ($0, "s3cret") })
    fields["Accept"] = "text/html"
    let headers = MessageHeaders(fields: fields.map { ($0.key, $0.value) })
    server.journal.record(
      RecordedRequest(ReceivedRequest(method: "GET", path: "/", headers: headers), connection: 1, exchange: 1))
    let response = try response(to: request("/-tracking/feed", authorized))
    let text = String(decoding: response.bytes, as: UTF8.self)
    XCTAssertFalse(text.contains("s3cret"), text)
    XCTAssertTrue(text.contains("text/html"))
    XCTAssertFalse(String(decoding: server.sessionJSON, as: UTF8.self).contains("s3cret"))
  }
}
