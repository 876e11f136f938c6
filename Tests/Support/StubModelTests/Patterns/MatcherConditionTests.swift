import TestSupport

/// Conditions by matchers on the fields of a request, on its host, in code, and on the parts of a form.
final class MatcherConditionTests: XCTestCase {
  private func differences(_ stub: StubEndpoint, _ request: ReceivedRequest) throws -> [String] {
    try stub.pattern.differences(from: request)
  }

  /// A matcher, the values of a field, and what differs.
  private let rows: [(matcher: ValueMatcher, values: [String], difference: String?)] = [
    (.present, ["1"], nil), (.present, [""], nil), (.present, [], "missing, not any value"),
    (.absent, [], nil), (.absent, [""], #""", not absent"#),
    (.matches("[0-9]+"), ["42"], nil),
    (
      .matches("[0-9]+"), ["a42"],
      #""a42", not a text that matches /[0-9]+/ (only "42" matches, and the whole text must)"#
    ),
    (.contains("b"), ["abc"], nil), (.hasPrefix("b"), [], #"missing, not a text that begins with "b""#),
    (.one(of: ["1", "2", .absent]), [], nil), (.one(of: ["1", "2"]), ["2"], nil),
    (.one(of: ["1", "2"]), ["3"], #""3", not one of "1", "2""#),
    (.greater(than: 1), ["2"], nil), (.greater(than: 1), ["1"], #""1", not greater than 1"#), (2, ["2.0"], nil),
    (2, ["02"], #""02", not 2"#), (true, ["true"], nil),
    ("b", ["a", "b"], nil), ("c", ["a", "b"], #""a" and "b", not "c""#),
    (.not("b"), ["a", "c"], nil), (.not("b"), [], nil), (.not("b"), ["a", "b"], #""a" and "b", not not "b""#),
    (.all(of: [.hasPrefix("a"), .hasSuffix("z")]), ["az"], nil),
    (.all(of: [.present, .not("b")]), ["a", "c"], nil),
    (
      .all(of: [.hasPrefix("a"), .hasSuffix("z")]), ["ab", "yz"],
      #""ab" and "yz", not a text that begins with "a" and a text that ends with "z""#
    ),
    (.satisfying("an even number") { ($0 == "2") }, ["2"], nil),
  ]

  func testEachMatcherHoldsForQueryItemsFormFieldsCookiesAndHeaders() throws {
    for (matcher, values, difference) in rows {
      let expected = difference.map { [$0] } ?? []
      let query = values.map { "x=\($0)" }.joined(separator: "&")
      XCTAssertEqual(
        try differences(
          StubEndpoint(.request(.get, "/", query: ["x": matcher]), .ok),
          ReceivedRequest(method: "GET", path: "/", queryText: values.isEmpty ? nil : query)),
        expected.map { "x in the query is \($0)" }, "\(matcher)")
      XCTAssertEqual(
        try differences(
          StubEndpoint(.request(.post, "/", body: .formSubset(["x": matcher])), .ok),
          ReceivedRequest(method: "POST", path: "/", body: Data(query.utf8))),
        expected.map { "x in the form is \($0)" }, "\(matcher)")
      let cookies = values.map { "x=\($0)" }.joined(separator: "; ")
      XCTAssertEqual(
        try differences(
          StubEndpoint(.request(.get, "/", cookies: ["x": matcher]), .ok),
          ReceivedRequest(method: "GET", path: "/", headers: ["Cookie": cookies])),
        expected.map { "x in the cookies is \($0)" }, "\(matcher)")
      // Lines of one name are one value.
      guard values.count < 2 else { continue }
      XCTAssertEqual(
        try differences(
          StubEndpoint(.request(.get, "/", headers: ["X": matcher]), .ok),
          ReceivedRequest(
            method: "GET", path: "/",
            headers: MessageHeaders(fields: values.map { ("x", $0) }))),
        expected.map { "the header X is \($0)" }, "\(matcher)")
    }
  }

  func testCookiesAreReadAsTheyAreSent() {
    let request = ReceivedRequest(
      method: "GET", path: "/", headers: ["Cookie": "a=1; b=\"x y\";c=d=e; ; f; a=%20", "cookie": "g=2"])
    XCTAssertEqual(request.cookies.values(of: "a"), ["1", "%20"])
    XCTAssertEqual(["b", "c", "f"].map { request.cookies[$0] }, ["x y", "d=e", nil])
    XCTAssertEqual(ReceivedRequest(method: "GET", path: "/").cookies, [:])
  }

  func testAHostMayBeAPattern() throws {
    let stub = StubEndpoint(.request(.get, "/", host: .one(of: [.hasSuffix(".Example"), "localhost"])), .ok)
    for host in ["api.example", "cdn.EXAMPLE".lowercased(), "localhost"] {
      XCTAssertEqual(try differences(stub, ReceivedRequest(method: "GET", host: host, path: "/")), [])
    }
    XCTAssertEqual(
      try differences(stub, ReceivedRequest(method: "GET", host: "example", path: "/")),
      [#"the host is example, not one of a text that ends with ".Example", "localhost""#])
  }

  func testAConditionInCodeIsCalledWhenAllElseMatches() throws {
    let stub = StubEndpoint(
      .request(.post, "/orders/:id", where: .satisfying("the id of its body") { $0.text == $0.pathParams["id"] }), .ok)
    let request = ReceivedRequest(method: "POST", path: "/orders/7", body: Data("7".utf8))
    XCTAssertEqual(try differences(stub, request), [])
    XCTAssertEqual(
      try differences(stub, ReceivedRequest(method: "POST", path: "/orders/7")),
      [#"the condition "the id of its body" doesn't hold"#])
    XCTAssertEqual(
      try differences(stub, ReceivedRequest(method: "GET", path: "/orders/7")), ["the method is GET, not POST"])
    XCTAssertEqual("\(stub)", "POST /orders/:id where the id of its body")
    XCTAssertEqual(stub, stub)
    XCTAssertNotEqual(
      RequestPredicate.satisfying("a") { _ in true }, RequestPredicate.satisfying("a") { _ in true })
  }

  func testAMatcherThatCanAcceptNothingIsRefused() {
    let stubs = [
      StubEndpoint(.request(.get, "/", query: ["a": .matches("(")]), .ok),
      StubEndpoint(.request(.get, "/", headers: ["a": .not(.matches("("))]), .ok),
      StubEndpoint(.request(.get, "/", cookies: ["a": .matches("(")]), .ok),
      StubEndpoint(.request(.get, "/", host: .matches("(")), .ok),
      StubEndpoint(.request(.get, "/", body: .json(["a": .matches("(")])), .ok),
      StubEndpoint(.request(.get, "/", body: .multipart(["a": .file(named: .matches("("))])), .ok),
    ]
    for stub in stubs {
      XCTAssertThrowsError(try PreparedStub(stub, folder: nil), "\(stub)") {
        let words = "\($0)"
        XCTAssertTrue(words.hasPrefix(#"a condition can't match anything: "(" is not a regular expression"#), words)
      }
    }
  }

  func testJSONIsComparedByMatchersToo() throws {
    let stub = StubEndpoint(
      .request(
        .post, "/", body: .jsonSubset(["user": .hasPrefix("anna"), "items": [["n": .greater(than: 1)], .any]])), .ok)
    func post(_ json: String) -> ReceivedRequest { ReceivedRequest(method: "POST", path: "/", body: Data(json.utf8)) }
    XCTAssertEqual(try differences(stub, post(#"{"user": "anna7", "items": [{"n": 2, "m": 0}, {}], "x": 1}"#)), [])
    XCTAssertEqual(
      try differences(stub, post(#"{"user": "bert", "items": [{"n": "2"}, null]}"#)),
      [
        #"items[0].n in the body is "2", not greater than 1"#,
        #"user in the body is "bert", not a text that begins with "anna""#,
      ])
    XCTAssertEqual(
      try differences(StubEndpoint(.request(.post, "/", body: .json(["a": .any])), .ok), post(#"{"a": 1, "b": 2}"#)),
      ["b in the body is there, too"])
  }
}
