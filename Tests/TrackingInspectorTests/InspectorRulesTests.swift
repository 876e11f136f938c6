import Foundation
import StubModel
import TrackingModel
import XCTest

@testable import TrackingInspector
@testable import TrackingServer

/// Who may ask the inspector for what.
final class InspectorRulesTests: XCTestCase {
  private let server = TrackingServer()
  private lazy var inspector = Inspector(of: server)

  private func request(
    _ path: String, method: String = "GET", host: String = "localhost", _ fields: [String: String] = [:]
  ) -> StubRequest {
    var headers = HeaderFields(fields: fields.map { HeaderFields.Field(name: $0.key, value: $0.value) })
    if fields["Host"] == nil { headers.fields.append(HeaderFields.Field(name: "Host", value: "\(host):5000")) }
    let parts = path.split(separator: "?", maxSplits: 1).map(String.init)
    return StubRequest(method: method, host: host, path: parts[0], queryText: parts.dropFirst().first, headers: headers)
  }

  private var authorized: [String: String] { ["Authorization": "Bearer \(inspector.token)"] }

  /// The answer, made at once.
  private func response(to request: StubRequest) throws -> PageResponse {
    var answer = inspector.answer(request)
    while true {
      switch answer {
      case .response(let response): return response
      case .work(let work): answer = work()
      case .wait: throw XCTSkip("the feed waits")
      }
    }
  }

  private func status(
    _ path: String, method: String = "GET", host: String = "localhost", _ fields: [String: String] = [:]
  )
    throws -> Int
  {
    try response(to: request(path, method: method, host: host, fields)).status
  }

  private func feed(_ query: String = "", _ fields: [String: String]? = nil) throws -> [String: Any] {
    let response = try response(to: request("/-tracking/feed\(query)", fields ?? authorized))
    XCTAssertEqual(response.status, 200)
    return try XCTUnwrap(try JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any])
  }

  func testThePageIsPublicAndEmpty() throws {
    server.journal.record(TrackingEvent(name: "secret_event"))
    let page = try response(to: request("/-tracking/"))
    XCTAssertEqual(page.status, 200)
    XCTAssertFalse(String(decoding: page.body, as: UTF8.self).contains("secret_event"))
    XCTAssertFalse(String(decoding: page.body, as: UTF8.self).contains(inspector.token))
  }

  func testEntriesNeedTheToken() throws {
    server.journal.record(TrackingEvent(name: "tapped"))
    for field in [
      "Bearer ", "Bearer \(inspector.token.dropLast())0x", "Basic \(inspector.token)", inspector.token,
      "Bearer \(inspector.token) ",
    ] {
      let response = try response(to: request("/-tracking/feed", ["Authorization": field]))
      XCTAssertEqual(response.status, 401, field)
      XCTAssertFalse(String(decoding: response.body, as: UTF8.self).contains("tapped"))
    }
    XCTAssertEqual(try status("/-tracking/feed"), 401)
    XCTAssertEqual(try status("/-tracking/feed?token=\(inspector.token)"), 401)
    XCTAssertEqual(try status("/-tracking/feed", authorized), 200)
  }

  func testATokenHas128RandomBits() {
    let tokens = Set((0..<100).map { _ in Inspector(of: server).token })
    XCTAssertEqual(tokens.count, 100)
    XCTAssertTrue(tokens.allSatisfy { $0.count == 32 && $0.allSatisfy(\.isHexDigit) })
  }

  func testOnlyGetIsAnswered() throws {
    for method in ["POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"] {
      XCTAssertEqual(try status("/-tracking/", method: method), 405, method)
      XCTAssertEqual(try status("/-tracking/feed", method: method, authorized), 405, method)
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

  func testEveryAnswerSaysWhatABrowserMayDoWithIt() throws {
    let page = try response(to: request("/-tracking/"))
    for response in [
      page, try response(to: request("/-tracking/feed", authorized)), try response(to: request("/-tracking/other")),
      try response(to: request("/-tracking/", method: "POST")), try response(to: request("/-tracking/feed")),
    ] {
      func value(_ name: String) -> String? { response.fields.first { "\($0.name)" == name }?.value }
      XCTAssertEqual(value("X-Content-Type-Options"), "nosniff")
      XCTAssertEqual(value("Referrer-Policy"), "no-referrer")
      XCTAssertEqual(value("Cache-Control"), "no-store")
      XCTAssertEqual(value("Cross-Origin-Resource-Policy"), "same-origin")
      XCTAssertTrue(try XCTUnwrap(value("Content-Security-Policy")).hasPrefix("default-src 'none'"))
      XCTAssertTrue(try XCTUnwrap(value("Content-Security-Policy")).hasSuffix("frame-ancestors 'none'"))
      XCTAssertNil(value("Access-Control-Allow-Origin"))
    }
  }

  func testTheFeedHasTheEntriesAfterANumberAndWhereToGoOn() throws {
    for number in 1...700 { server.journal.record(TrackingEvent(name: "e\(number)")) }
    let first = try feed()
    XCTAssertEqual((first["entries"] as? [Any])?.count, 500)
    XCTAssertEqual(first["next"] as? Int, 500)
    XCTAssertEqual(first["isMore"] as? Bool, true)
    let second = try feed("?after=500")
    XCTAssertEqual((second["entries"] as? [[String: Any]])?.first?["name"] as? String, "e501")
    XCTAssertEqual(second["next"] as? Int, 700)
    XCTAssertEqual(second["isMore"] as? Bool, false)
  }

  func testQuestionsThatMakeNoSenseAreAnsweredLikeTheFirst() throws {
    server.journal.record(TrackingEvent(name: "tapped"))
    for query in ["?after=-5", "?after=x", "?after=99999999999999999999", "?after=&revision=&unanswered=a,,-1,9", "?"] {
      XCTAssertEqual((try feed(query)["entries"] as? [Any])?.count, 1, query)
    }
  }

  /// Asks for news where there are none, makes a change, and expects an answer.
  private func expectNews(after change: () -> Void, line: UInt = #line) throws {
    server.journal.record(TrackingEvent(name: "first"))
    let seen = try feed()
    let query = "?after=\(seen["next"] ?? 0)&revision=\(seen["revision"] ?? 0)&answers=\(seen["answers"] ?? 0)"
    guard case .wait(let time, let until, let then) = inspector.answer(request("/-tracking/feed\(query)", authorized))
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
    try expectNews { server.notes.add(.init(message: "no", location: "A.swift:1")) }
  }

  func testAnAnswerToARequestEndsTheWaitOfTheFeed() throws {
    let number = server.journal.record(
      RecordedRequest(StubRequest(method: "GET", path: "/slow"), connection: 1, exchange: 1))
    try expectNews { server.journal.answer(number, with: RecordedAnswer(status: 200)) }
  }

  func testAPollThatHasEndedIsNotWokenAnyMore() throws {
    let seen = try feed()
    guard
      case .wait(_, let until, _) = inspector.answer(
        request("/-tracking/feed?after=0&revision=\(seen["revision"] ?? 0)&answers=0", authorized))
    else { return XCTFail("the feed does not wait") }
    let cancel = until { XCTFail("woken after its end") }
    cancel?()
    server.journal.record(TrackingEvent(name: "late"))
    server.notes.observe()
  }

  func testWhatTheTestSaysOfEntriesComesWithThem() throws {
    server.journal.record(TrackingEvent(name: "a"))
    server.notes.observe(title: "CartTests.testBuying")
    server.notes.match([1])
    server.notes.add(.init(message: "expected a number", path: "total"), to: 1)
    let end = server.notes.begin(
      .init(question: "2 events", location: "CartTests.swift:3") { ("1 of 2", "the nearest") })
    let part = try feed()
    XCTAssertEqual(part["title"] as? String, "CartTests.testBuying")
    let entry = try XCTUnwrap((part["entries"] as? [[String: Any]])?.first)
    XCTAssertEqual(entry["isMatched"] as? Bool, true)
    XCTAssertEqual(
      (entry["findings"] as? [[String: String]])?.first, ["message": "expected a number", "path": "total"])
    let wait = try XCTUnwrap((part["waits"] as? [[String: String]])?.first)
    XCTAssertEqual(
      wait,
      [
        "question": "2 events", "location": "CartTests.swift:3", "standing": "1 of 2", "nearestMiss": "the nearest",
        "state": "open",
      ])
    // What changes later comes by its number alone.
    end?()
    server.notes.match([1], false)
    let later = try feed("?after=1&revision=\(part["revision"] ?? 0)&answers=0")
    XCTAssertEqual((later["entries"] as? [Any])?.count, 0)
    XCTAssertEqual((later["waits"] as? [Any])?.count, 0)
    XCTAssertEqual((later["marks"] as? [String: [String: Any]])?["1"]?["isMatched"] as? Bool, false)
  }

  func testARequestThatIsAnsweredLaterComesAgain() throws {
    let number = server.journal.record(
      RecordedRequest(StubRequest(method: "GET", path: "/slow"), connection: 1, exchange: 1))
    let first = try feed()
    XCTAssertEqual((first["entries"] as? [[String: Any]])?.first?["isAnswered"] as? Bool, false)
    server.journal.answer(number, with: RecordedAnswer(status: 200))
    let second = try feed("?after=1&revision=0&answers=\(first["answers"] ?? 0)&unanswered=1")
    let entry = try XCTUnwrap((second["entries"] as? [[String: Any]])?.first)
    XCTAssertEqual(entry["status"] as? Int, 200)
    XCTAssertEqual(second["next"] as? Int, 1)
  }

  func testCredentialsOfRequestsAreLeftOut() throws {
    let fields = ["Authorization": "Bearer s3cret", "cookie": "id=s3cret", "Accept": "text/html"]
    let headers = HeaderFields(fields: fields.map { HeaderFields.Field(name: $0.key, value: $0.value) })
    server.journal.record(
      RecordedRequest(StubRequest(method: "GET", path: "/", headers: headers), connection: 1, exchange: 1))
    let response = try response(to: request("/-tracking/feed", authorized))
    let text = String(decoding: response.body, as: UTF8.self)
    XCTAssertFalse(text.contains("s3cret"), text)
    XCTAssertTrue(text.contains("text/html"))
    XCTAssertFalse(String(decoding: server.sessionJSON, as: UTF8.self).contains("s3cret"))
  }
}
