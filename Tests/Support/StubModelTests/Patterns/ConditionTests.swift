import TestSupport

/// The conditions of a stub other than its path, and the differences that it reports for a request.
final class ConditionTests: XCTestCase {
  private func differences(_ stub: StubEndpoint, _ request: ReceivedRequest) throws -> [String] {
    try stub.pattern.differences(from: request)
  }

  private func differences(_ condition: QueryCondition, query: String?) throws -> [String] {
    try differences(
      StubEndpoint(.request(.get, "/", query: condition), .ok),
      ReceivedRequest(method: "GET", path: "/", queryText: query))
  }

  func testAMethodIsComparedAsItIsWritten() throws {
    let request = ReceivedRequest(method: "POST", path: "/")
    XCTAssertEqual(try differences(StubEndpoint(.any, "/", .ok), request), [])
    XCTAssertEqual(try differences(StubEndpoint(.post, "/", .ok), request), [])
    XCTAssertEqual(try differences(StubEndpoint(.get, "/", .ok), request), ["the method is POST, not GET"])
    XCTAssertEqual(try differences(StubEndpoint("post", "/", .ok), request), [])
    XCTAssertEqual(try differences(StubEndpoint("PURGE", "/", .ok), request), ["the method is POST, not PURGE"])
    XCTAssertEqual(
      try differences(StubEndpoint("REPORT", "/", .ok), ReceivedRequest(method: "REPORT", path: "/")), [])
  }

  func testAHostIsComparedInAnyCaseAndWithoutItsPort() throws {
    let stub = StubEndpoint(.request(.get, "/", host: "API.example"), .ok)
    XCTAssertEqual(try differences(stub, ReceivedRequest(method: "GET", host: "api.example", path: "/")), [])
    XCTAssertEqual(
      try differences(stub, ReceivedRequest(method: "GET", host: "cdn.example", path: "/")),
      ["the host is cdn.example, not API.example"])
    XCTAssertEqual(
      try differences(stub, ReceivedRequest(method: "GET", path: "/")), ["the host is not named, not API.example"])
  }

  func testAHostWithASchemeOrAPortIsRefused() {
    for host in ["", "api.example:8080", "https://api.example", "api.example/1.0"] {
      XCTAssertEqual(
        RequestPattern.request(.get, "/", host: .equal(to: host)).problem?.description,
        "the host \"\(host)\" isn't valid: write its name alone, without scheme, port and path")
    }
    XCTAssertNil(RequestPattern.request(.get, "/", host: "::1").problem)
  }

  func testHeadersHaveToBeThereUnderNamesInAnyCase() throws {
    let stub = StubEndpoint(.request(.get, "/", headers: ["Accept": "text/html", "X-Id": "1"]), .ok)
    XCTAssertEqual(
      try differences(
        stub, ReceivedRequest(method: "GET", path: "/", headers: ["x-id": "1", "ACCEPT": "text/html", "Other": "x"])),
      [])
    XCTAssertEqual(
      try differences(stub, ReceivedRequest(method: "GET", path: "/", headers: ["X-Id": "1", "X-ID": "2"])),
      [#"the header Accept is missing, not "text/html""#, #"the header X-Id is "1, 2", not "1""#])
  }

  func testAnExactQueryIsThereWholeAndInAnyOrder() throws {
    let condition = QueryCondition.exact(["a": "1", "b": "x y"])
    XCTAssertEqual(try differences(condition, query: "b=x+y&a=1"), [])
    XCTAssertEqual(try differences(condition, query: "&b=x%20y&&a=1&"), [])
    XCTAssertEqual(
      try differences(condition, query: nil),
      [#"a in the query is missing, not "1""#, #"b in the query is missing, not "x y""#])
    XCTAssertEqual(
      try differences(condition, query: "a=1&b=x%2By&c=3&c=4&d"),
      [#"b in the query is "x+y", not "x y""#, "c is in the query, too", "d is in the query, too"])
    XCTAssertEqual(
      try differences(condition, query: "a=1&a=1&b=x+y"), [#"a in the query is "1" and "1", not "1""#])
  }

  func testAnExactQueryOfNothingIsNoQuery() throws {
    XCTAssertEqual(try differences(.exact([:]), query: nil), [])
    XCTAssertEqual(try differences(.exact([:]), query: ""), [])
    XCTAssertEqual(try differences(.exact([:]), query: "a"), ["a is in the query, too"])
  }

  func testASubsetOfAQueryStandsAmongOthers() throws {
    XCTAssertEqual(try differences(.subset(["a": "1"]), query: "b=2&a=0&a=1"), [])
    XCTAssertEqual(try differences(.subset(["a": ""]), query: "a"), [])
    XCTAssertEqual(try differences(.subset(["a": ""]), query: "a="), [])
    XCTAssertEqual(try differences(.subset(["": "1"]), query: "=1"), [])
    XCTAssertEqual(try differences(.subset([:]), query: "a=1"), [])
    XCTAssertEqual(try differences(.subset(["a": "1=2"]), query: "a=1=2"), [])
    XCTAssertEqual(
      try differences(.subset(["a": "1"]), query: "A=1&b=2"), [#"a in the query is missing, not "1""#])
    XCTAssertEqual(
      try differences(.subset(["a": "1"]), query: "a=2&a=3"), [#"a in the query is "2" and "3", not "1""#])
  }

  func testItemsOfAQueryMayBeMatchedInTheirOrder() throws {
    let condition = QueryCondition.exactItems(["a": "1", "b": "2", "a": "3"])
    XCTAssertEqual(try differences(condition, query: "a=1&b=2&a=3"), [])
    XCTAssertEqual(
      try differences(condition, query: "a=3&b=2&a=1"), [#"the query is "a=3&b=2&a=1", not "a=1&b=2&a=3""#])
    XCTAssertEqual(try differences(condition, query: nil), [#"the query is "", not "a=1&b=2&a=3""#])
  }

  func testAllThatDiffersIsSaidAtOnce() throws {
    let stub = StubEndpoint(
      .request(
        .post, "/login", host: "api.example", query: .subset(["v": "2"]), headers: ["X": "1"],
        body: .jsonSubset(["user": "anna"])), .ok)
    XCTAssertEqual(
      try differences(stub, ReceivedRequest(method: "GET", path: "/logout")),
      [
        "the path is /logout, not /login", "the method is GET, not POST", "the host is not named, not api.example",
        #"v in the query is missing, not "2""#, #"the header X is missing, not "1""#,
        #"the body is empty, not {"user": "anna"}"#,
      ])
  }

  func testADescriptionHasAStubsConditions() {
    XCTAssertEqual("\(StubEndpoint(.get, "/books/:id", .ok))", "GET /books/:id")
    XCTAssertEqual("\(StubEndpoint(.any, "/books/*", .ok))", "* /books/*")
    XCTAssertEqual("\(StubEndpoint(.get, .regex("/a+"), .ok, name: "the list"))", "the list")
    XCTAssertEqual("\(StubEndpoint(.request(.get, "/", query: .exact([:])), .ok))", "GET / without a query")
    XCTAssertEqual(
      "\(StubEndpoint(.request(.get, "/", query: .exactItems(["b": "1", "a": "2"])), .ok))",
      "GET / with the query b=1&a=2")
    XCTAssertEqual(
      "\(StubEndpoint(.request(.put, .regex("/a+"), host: "b.example", query: .exact(["b": "1", "a": "2"]), headers: ["Y": "2", "X": "1"], body: .json([1, nil])), .ok))",
      "PUT b.example//a+/ with the query a=2&b=1 with X: 1 with Y: 2 with the body [1, null]")
    let bodies: [(BodyCondition, String)] = [
      (.exact(Data([1, 2])), "with a body of 2 bytes"), (.text("a\n"), #"with the body "a\n""#),
      (.jsonSubset(["a": 1]), #"with {"a": 1} in its body"#), (.form(["b": "1", "a": "2"]), "with the form a=2&b=1"),
      (.formSubset(["b": "1"]), "with b=1 in its form"),
    ]
    for (body, words) in bodies {
      XCTAssertEqual("\(StubEndpoint(.request(.post, "/a", body: body), .ok))", "POST /a \(words)")
    }
    XCTAssertEqual(
      "\(StubEndpoint(.request(.get, "/a", query: .subset(["b": "1"])), .ok))", "GET /a with b=1 in the query")
  }
}
