import TestSupport

@testable import StubModel

/// Stubs by a whole URL.
final class StubEndpointURLTests: XCTestCase {
  func testOriginPathAndQueryAreTakenFromTheURL() throws {
    let stub = StubEndpoint(.request(.get, url: "https://api.example:8443/users/7?page=2&q=a+b"), .ok)
    XCTAssertEqual("\(stub)", "GET https://api.example:8443/users/7 with the query page=2&q=a b")
    let query = RequestPattern.request(.get, "/", query: .exactItems(["page": "2", "q": "a b"]))
    XCTAssertEqual(
      stub.pattern.single?.parts.first(QueryCondition.self), query.single?.parts.first(QueryCondition.self))
    let other = StubEndpoint(.request(.any, url: "http://API.example"), [.status(404), .ok])
    XCTAssertEqual("\(other)", "* http://API.example/ without a query")
    XCTAssertEqual([stub, other].map { $0.pattern.single?.parts.first(HostCondition.self)?.port }, [8443, 80])
  }

  func testURLsThatDifferInSchemeOrPortAreDifferentStubs() throws {
    let urls = [
      "http://api.example/a", "https://api.example/a", "https://api.example:8443/a", "http://api.example:81/a",
    ]
    var table = try StubTable(installing: urls.map { StubEndpoint(.request(.get, url: $0), .text($0)) })
    for (index, (scheme, port)) in [("http", 80), ("https", 443), ("https", 8443), ("http", 81)].enumerated() {
      var request = ReceivedRequest(method: "GET", host: "api.example", path: "/a")
      (request.scheme, request.port) = (scheme, port)
      XCTAssertEqual(
        table.take(request)?.result?.result,
        .text(urls[index]).with(header: "Content-Type", "text/plain; charset=utf-8"))
      request.port = 1
      XCTAssertNil(table.take(request))
      XCTAssertEqual(table.nearest(to: request)?.differences, ["the port is 1, not \(scheme == "http" ? 81 : 8443)"])
    }
    // A server is reached by one scheme and one port, whatever the URL says.
    XCTAssertNotNil(table.take(ReceivedRequest(method: "GET", host: "api.example", path: "/a")))
  }

  func testNothingInTheURLIsAParamOrAWildcard() throws {
    let pattern = RequestPattern.request(.get, url: "https://api.example/:id/*")
    XCTAssertEqual(
      try pattern.differences(from: ReceivedRequest(method: "GET", host: "api.example", path: "/:id/*")), [])
    XCTAssertNotEqual(
      try pattern.differences(from: ReceivedRequest(method: "GET", host: "api.example", path: "/7/a")), [])
  }

  func testWhatIsNoURLIsRefusedWhenItIsInstalled() {
    for text in ["api.example/users", "https://", "", "/users", "/users?page=2", "*"] {
      XCTAssertThrowsError(try PreparedStub(StubEndpoint(.request(.get, url: text), .ok), folder: nil), text) {
        XCTAssertEqual("\($0)", "the path \"\(text)\" isn't a URL with a host, as https://api.example/users is")
      }
    }
  }

  func testAnIPv6AddressIsAHostWithAndWithoutItsBrackets() throws {
    let patterns: [RequestPattern] = [
      .request(.get, url: "http://[::1]:8080/a"), .request(.get, "/a", host: "::1"),
      .request(.get, "/a", host: "[::1]"),
    ]
    // A server's requests have the brackets, those of a session in an app don't.
    for (pattern, host) in patterns.flatMap({ pattern in ["[::1]", "::1"].map { (pattern, $0) } }) {
      XCTAssertEqual(try pattern.differences(from: ReceivedRequest(method: "GET", host: host, path: "/a")), [], host)
      XCTAssertNotEqual(try pattern.differences(from: ReceivedRequest(method: "GET", host: "::2", path: "/a")), [])
    }
    let others = RequestPattern.request(.get, "/a", host: .not("::1"))
    XCTAssertEqual(
      try others.differences(from: ReceivedRequest(method: "GET", host: "[::1]", path: "/a")),
      ["the host is [::1], not not \"::1\""])
  }
}
