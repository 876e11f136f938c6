import TestSupport

/// Literal before `:param` before `*` before regular expression, then the number of constrained parts, then the latest.
final class PrecedenceTests: XCTestCase {
  private struct Row {
    let rule: String
    let winner: StubEndpoint
    let loser: StubEndpoint
    var request = ReceivedRequest(method: "GET", host: "api.example", path: "/books/42", queryText: "page=1&sort=title")
  }

  private let rows = [
    Row(
      rule: "literal before :param", winner: StubEndpoint(.get, "/books/42", .ok),
      loser: StubEndpoint(.get, "/books/:id", .ok)),
    Row(
      rule: ":param before * at the end", winner: StubEndpoint(.get, "/books/:id", .ok),
      loser: StubEndpoint(.get, "/books/*", .ok)),
    Row(
      rule: ":param before * in the middle", winner: StubEndpoint(.get, "/:kind/:id", .ok),
      loser: StubEndpoint(.get, "/*/42", .ok)),
    Row(
      rule: "* before regular expression", winner: StubEndpoint(.get, "/*", .ok),
      loser: StubEndpoint(.get, .regex("/books/42"), .ok)),
    Row(
      rule: "a path is as general as its most general part", winner: StubEndpoint(.get, "/:kind/:id", .ok),
      loser: StubEndpoint(.get, "/books/*", .ok)),
    Row(
      rule: "the path before all conditions", winner: StubEndpoint(.any, "/books/42", .ok),
      loser: StubEndpoint(
        .request(.get, "/books/:id", host: "api.example", query: .exact(["page": "1", "sort": "title"])), .ok)),
    Row(
      rule: "more literal segments", winner: StubEndpoint(.get, "/books/:id", .ok),
      loser: StubEndpoint(.get, "/:kind/:id", .ok)),
    Row(
      rule: "a method before any method", winner: StubEndpoint(.get, "/books/:id", .ok),
      loser: StubEndpoint(.any, "/books/:id", .ok)),
    Row(
      rule: "a host before any host", winner: StubEndpoint(.request(.get, "/books/:id", host: "API.example"), .ok),
      loser: StubEndpoint(.get, "/books/:id", .ok)),
    Row(
      rule: "the more query items",
      winner: StubEndpoint(.request(.get, "/books/:id", query: .subset(["page": "1"])), .ok),
      loser: StubEndpoint(.get, "/books/:id", .ok)),
    Row(
      rule: "an exact query before the same as a subset",
      winner: StubEndpoint(.request(.get, "/books/:id", query: .exact(["page": "1", "sort": "title"])), .ok),
      loser: StubEndpoint(.request(.get, "/books/:id", query: .subset(["page": "1", "sort": "title"])), .ok)),
    Row(
      rule: "a header and a body before a header",
      winner: StubEndpoint(.request(.post, "/orders", headers: ["X-Test": "1"], body: .jsonSubset(["id": 1])), .ok),
      loser: StubEndpoint(.request(.post, "/orders", headers: ["X-Test": "1"]), .ok),
      request: ReceivedRequest(
        method: "POST", path: "/orders", headers: ["x-test": "1"], body: Data(#"{"id": 1, "more": true}"#.utf8))),
    Row(
      rule: "a matcher is a condition, whatever it accepts",
      winner: StubEndpoint(.request(.get, "/books/:id", query: ["page": .present]), .ok),
      loser: StubEndpoint(.get, "/books/:id", .ok)),
    Row(
      rule: "that something is absent is a condition",
      winner: StubEndpoint(.request(.get, "/books/:id", headers: ["X-Debug": .absent]), .ok),
      loser: StubEndpoint(.get, "/books/:id", .ok)),
    Row(
      rule: "a value before a matcher", winner: StubEndpoint(.request(.get, "/books/:id", query: ["page": "1"]), .ok),
      loser: StubEndpoint(.request(.get, "/books/:id", query: ["page": .present]), .ok)),
    Row(
      rule: "more conditions before more values",
      winner: StubEndpoint(.request(.get, "/books/:id", query: ["page": .present, "sort": .present]), .ok),
      loser: StubEndpoint(.request(.get, "/books/:id", query: ["page": "1"]), .ok)),
    Row(
      rule: "a host by its name before a host by a pattern",
      winner: StubEndpoint(.request(.get, "/books/:id", host: "api.example"), .ok),
      loser: StubEndpoint(.request(.get, "/books/:id", host: .hasSuffix(".example")), .ok)),
    Row(
      rule: "a cookie counts", winner: StubEndpoint(.request(.get, "/books/:id", cookies: ["session": .present]), .ok),
      loser: StubEndpoint(.get, "/books/:id", .ok),
      request: ReceivedRequest(method: "GET", path: "/books/42", headers: ["Cookie": "session=1"])),
    Row(
      rule: "a condition in code counts",
      winner: StubEndpoint(.request(.get, "/books/:id", where: .satisfying("always") { _ in true }), .ok),
      loser: StubEndpoint(.get, "/books/:id", .ok)),
    Row(
      rule: "a URL, which names scheme, host and port, before a host",
      winner: StubEndpoint(.request(.get, url: "http://api.example/books/42?page=1&sort=title"), .ok),
      loser: StubEndpoint(
        .request(.get, "/books/42", host: "api.example", query: .exactItems(["page": "1", "sort": "title"])), .ok)),
  ]

  func testEachRuleOfPrecedenceHoldsInEitherOrderOfInstallation() throws {
    for row in rows {
      for order in [[row.winner, row.loser], [row.loser, row.winner]] {
        var table = try StubTable(installing: order)
        XCTAssertEqual(table.take(row.request)?.stub.endpoint, row.winner, row.rule)
      }
      var alone = try StubTable(installing: [row.loser])
      XCTAssertNotNil(alone.take(row.request), "\(row.rule): the other one does not fit the request at all")
    }
  }

  func testAFormIsOnePartHoweverManyFieldsItHas() throws {
    let byForm = StubEndpoint(.request(.post, "/a", body: .formSubset(["a": "1", "b": "2", "c": "3"])), .text("form"))
    let byHeaders = StubEndpoint(.request(.post, "/a", headers: ["X": "1", "Y": "2"]), .text("headers"))
    let request = ReceivedRequest(
      method: "POST", path: "/a", headers: ["X": "1", "Y": "2"], body: Data("a=1&b=2&c=3".utf8))
    for order in [[byForm, byHeaders], [byHeaders, byForm]] {
      var table = try StubTable(installing: order)
      XCTAssertEqual(table.take(request)?.stub.endpoint, byHeaders)
    }
  }

  func testOfEqualsTheLatestResponds() throws {
    let stubs = ["first", "second", "third"].map { StubEndpoint(.get, "/books/:id", .text($0)) }
    var table = try StubTable(installing: stubs)
    XCTAssertEqual(table.take(ReceivedRequest(method: "GET", path: "/books/1"))?.stub.endpoint, stubs[2])
  }

  func testEqualsNeedNotBeAlike() throws {
    let byHeader = StubEndpoint(.request(.get, "/a", headers: ["X": "1"]), .text("header"))
    let byQuery = StubEndpoint(.request(.get, "/a", query: .subset(["x": "1"])), .text("query"))
    let request = ReceivedRequest(method: "GET", path: "/a", queryText: "x=1", headers: ["X": "1"])
    var table = try StubTable(installing: [byHeader, byQuery])
    XCTAssertEqual(table.take(request)?.stub.endpoint, byQuery)
    table = try StubTable(installing: [byQuery, byHeader])
    XCTAssertEqual(table.take(request)?.stub.endpoint, byHeader)
  }
}
