import TestSupport
import TrackingPatterns

@testable import StubModel

/// The decisions of a look, and what it leaves open.
final class LookTests: XCTestCase {
  private let post = ReceivedRequest(
    method: .post, host: "api.example", path: "/a", queryText: "page=2", headers: ["X-Id": "7"], body: Data("text".utf8)
  )

  private func state(
    _ pattern: RequestPattern, knowing part: KnownPart, bodySize: Int? = nil, _ response: ParsedRequest.Response = .none
  ) -> Look.State {
    pattern.look(at: ParsedRequest(post, bodySize: bodySize, response: response), knowing: part).state
  }

  func testWhatIsNotKnownYetIsPending() {
    let query: RequestPattern = .request(.post, "/a", query: ["page": "2"])
    let header: RequestPattern = .request(.post, "/a", headers: ["x-id": "7"])
    let body: RequestPattern = .request(.post, "/a", body: .text("text"))
    let closure: RequestPattern = .request(.post, "/a", headers: ["x-id": .satisfying("7") { $0 == "7" }])
    let predicate: RequestPattern = .request(.post, "/a", where: .satisfying("short") { $0.body.count < 9 })
    let rows: [(RequestPattern, line: Look.State, head: Look.State, all: Look.State)] = [
      (query, .met, .met, .met), (header, .pending, .met, .met), (body, .pending, .pending, .met),
      (closure, .pending, .pending, .met), (predicate, .pending, .pending, .met),
      (body.not(), .pending, .pending, .unmet), (body.and(query.not()), .unmet, .unmet, .unmet),
      (body.or(query), .met, .met, .met), (body.or(header), .pending, .met, .met),
      (query.responding(in: nil), .pending, .pending, .unmet),
      (query.responding(in: 200...200).not(), .pending, .pending, .met),
      // Other conditions decide without the code.
      (.request(.post, "/a", query: ["page": "3"], where: .satisfying("never") { _ in false }), .unmet, .unmet, .unmet),
      (.request(.post, "/a", host: "cdn.example", headers: ["x-id": .matches(/7/)]), .unmet, .unmet, .unmet),
      (.request(.post, "/a", host: .satisfying("api") { $0 == "api.example" }), .pending, .pending, .met),
    ]
    for (pattern, line, head, all) in rows {
      XCTAssertEqual(state(pattern, knowing: .line), line, "\(pattern)")
      XCTAssertEqual(state(pattern, knowing: .head), head, "\(pattern)")
      XCTAssertEqual(state(pattern, knowing: .all), all, "\(pattern)")
      XCTAssertEqual(pattern.matches(ParsedRequest(post)), all == .met, "\(pattern)")
    }
  }

  func testWithEverythingKnownAMissingResponseIsUnmetAndACutBodyUnread() {
    let body: RequestPattern = .request(.post, "/a", body: .text("text"))
    XCTAssertEqual(state(body.responding(in: nil), knowing: .all), .unmet)
    XCTAssertEqual(state(body.responding(in: nil), knowing: .all, .sent(status: nil)), .met)
    XCTAssertEqual(state(body, knowing: .all, bodySize: 9), .unread)
    XCTAssertEqual(state(body.not(), knowing: .all, bodySize: 9), .unread)
    XCTAssertEqual(state(body.or(.request(.post, "/a")), knowing: .all, bodySize: 9), .met)
    XCTAssertEqual(state(body.and(.request(.any, "/b/*")), knowing: .all, bodySize: 9), .unmet)
  }

  func testAPredicateIsCalledOnlyIfAllElseIsMet() {
    let calls = Locked(0)
    let predicate = RequestPredicate.satisfying("counted") { _ in
      calls.withLock { $0 += 1 }
      return true
    }
    let other = post.headers["X-Id"] ?? ""
    let rows: [(RequestPattern, bodySize: Int?, calls: Int)] = [
      (.request(.post, "/a", headers: ["X-Id": .equal(to: other)], where: predicate), nil, 1),
      (.request(.post, "/a", headers: ["X-Id": "8"], where: predicate), nil, 0),
      (.request(.get, "/a", where: predicate), nil, 0), (.request(.post, "/a", where: predicate), 9, 0),
      (.request(.post, "/a", body: .json(1), where: predicate), nil, 0),
    ]
    for (pattern, bodySize, count) in rows {
      calls.withLock { $0 = 0 }
      let parsed = ParsedRequest(post, bodySize: bodySize)
      _ = pattern.match(parsed)
      XCTAssertEqual(calls.withLock { $0 }, count, "\(pattern)")
      _ = pattern.comparison(with: parsed)
      XCTAssertEqual(calls.withLock { $0 }, 2 * count, "\(pattern)")
    }
  }

  func testACutBodyIsOneOfTheDifferences() {
    let pattern: RequestPattern = .request(.get, "/b", body: .text("text"))
    XCTAssertEqual(
      pattern.comparison(with: ParsedRequest(post, bodySize: 9)).differences.map(\.reason),
      [
        "the path is /a, not /b", "the method is POST, not GET",
        "only 4 of the body's 9 bytes were kept: raise limits.recordedBodyBytes",
      ])
  }

  func testATextThatMayBeTheExcludedOneIsSaidInItsRow() {
    var request = post
    request.headers = ["X-Id": "\u{FFFD}"]
    let pattern: RequestPattern = .request(.post, "/a", headers: ["X-Id": .not("\u{fc}")])
    XCTAssertEqual(
      pattern.comparison(with: ParsedRequest(request)).lines(),
      [
        "          stub     request", "  path    /a       /a", "  method  POST     POST",
        "! X-Id    not \"\u{fc}\"  \"\u{FFFD}\" (it isn't text in UTF-8)",
      ])
    XCTAssertEqual(
      pattern.comparison(with: ParsedRequest(request)).differences.map(\.reason),
      ["can't tell whether the header X-Id is not \"\u{fc}\": it isn't text in UTF-8"])
  }
}
