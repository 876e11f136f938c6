import TestSupport

@testable import StubModel

/// Patterns that combine others, in stubs.
final class RequestPatternTests: XCTestCase {
  private let get = ReceivedRequest(method: "GET", path: "/books/42", queryText: "page=1")

  private func taken(_ stubs: [StubEndpoint], _ request: ReceivedRequest) throws -> String? {
    var table = try StubTable(installing: stubs)
    return table.take(request)?.stub.endpoint.name
  }

  private func check(
    _ winner: RequestPattern, before loser: RequestPattern, file: StaticString = #filePath, line: UInt = #line
  ) throws {
    let stubs = [StubEndpoint(winner, .ok, name: "winner"), StubEndpoint(loser, .ok, name: "loser")]
    for order in [stubs, stubs.reversed()] {
      XCTAssertEqual(try taken(order, get), "winner", file: file, line: line)
    }
    XCTAssertEqual(try taken([stubs[1]], get), "loser", "the other doesn't match", file: file, line: line)
  }

  func testAnAlternativeMakesUpForAnImpossiblePatternAlsoInTheApp() throws {
    let impossible = RequestPattern.request(.get, "/a", query: ["b": .one(of: [])])
    let stub = StubEndpoint(impossible.or(.request(.get, "/books/:id")), .ok, name: "a book")
    let form = try JSONEncoder().encode(PortableStub(stub, folder: nil))
    let passed = try JSONDecoder().decode(PortableStub.self, from: form).stub
    XCTAssertEqual(try [stub, passed].map { try taken([$0], get) }, ["a book", "a book"])
    for pattern in [impossible, impossible.or(impossible), impossible.not().or(.request(.get, "/books/:id"))] {
      XCTAssertThrowsError(try taken([StubEndpoint(pattern, .ok)], get), "\(pattern)")
    }
  }

  func testBothEitherAndNotDecideOnRequests() throws {
    let page = RequestPattern.request(.any, "/*", query: ["page": "1"])
    let book = RequestPattern.request(.get, "/books/:id")
    let film = RequestPattern.request(.get, "/films/:id")
    XCTAssertEqual(try book.and(page).differences(from: get), [])
    XCTAssertEqual(try film.or(book).differences(from: get), [])
    XCTAssertEqual(try film.not().and(book).differences(from: get), [])
    XCTAssertEqual(
      try film.and(page).differences(from: get), ["the path is /books/42, not /films/:id"])
    XCTAssertEqual(
      try book.and(page.not()).differences(from: get),
      ["the pattern excludes the request * /* with page=1 in the query"])
  }

  func testAStubIsDescribedByItsPattern() {
    let book = RequestPattern.request(.get, "/books/:id")
    let page = RequestPattern.request(.any, "/*", query: ["page": "1"])
    let rows: [(RequestPattern, String)] = [
      (book.and(page.not()), "GET /books/:id and not * /* with page=1 in the query"),
      (book.or(page).and(book), "(GET /books/:id or * /* with page=1 in the query) and GET /books/:id"),
      (book.or(book.not().not()), "GET /books/:id or not (not GET /books/:id)"),
    ]
    for (pattern, words) in rows { XCTAssertEqual("\(StubEndpoint(pattern, .ok))", words) }
  }

  func testParamsOfBothPartsAreThere() throws {
    var table = try StubTable(installing: [
      StubEndpoint(.request(.get, "/books/:id").and(.request(.any, "/:kind/*")), .ok)
    ])
    XCTAssertEqual(table.take(get)?.request.pathParams, ["id": "42", "kind": "books", "*": "42"])
  }

  func testACombinationHasTheMoreSpecificPathOfBothAndTheMoreGeneralPathOfAlternatives() throws {
    let literal = RequestPattern.request(.get, "/books/42")
    let param = RequestPattern.request(.get, "/books/:id")
    let all = RequestPattern.request(.any, "/*")
    try check(all.and(literal), before: param)
    try check(param, before: literal.or(all))
    try check(literal.or(.request(.get, "/books/7")), before: param)
    try check(.request(.any, .regex("/.*")), before: .request(.post, "/orders").not())
    try check(all, before: .request(.post, "/orders").not())
  }

  func testConditionsOfBothAddUpAndOfAlternativesTheFewerCount() throws {
    let param = RequestPattern.request(.get, "/books/:id")
    let page = RequestPattern.request(.get, "/books/:id", query: ["page": .present])
    try check(param.and(.request(.any, "/*", query: ["page": "1"])), before: page)
    try check(param.and(.request(.any, "/films").not()), before: param)
    try check(page, before: page.or(param))
    XCTAssertEqual(
      try taken([StubEndpoint(param, .ok, name: "first"), StubEndpoint(page.or(param), .ok, name: "later")], get),
      "later", "equals are decided by the order of installation")
  }

  func testAMethodAndAHostAreOneValueEach() throws {
    let request = ReceivedRequest(method: "GET", host: "localhost", path: "/a/7")
    let byMethod = StubEndpoint(.get, "/a/:id", .ok, name: "method")
    let byHost = StubEndpoint(.request(.any, "/a/:id", host: "localhost"), .ok, name: "host")
    XCTAssertEqual(try taken([byHost, byMethod], request), "method")
    XCTAssertEqual(try taken([byMethod, byHost], request), "host")
  }

  func testTheFieldsOfABodyCountOnce() throws {
    let request = ReceivedRequest(method: "POST", path: "/a", headers: ["X": "1"], body: Data("a=1&b=2&c=3".utf8))
    let byForm = StubEndpoint(
      .request(.post, "/a", body: .formSubset(["a": "1", "b": "2", "c": "3"])), .ok, name: "form")
    let byHeader = StubEndpoint(.request(.post, "/a", headers: ["X": "1"]), .ok, name: "header")
    XCTAssertEqual(try taken([byForm, byHeader], request), "header")
    XCTAssertEqual(try taken([byHeader, byForm], request), "form")
  }

  func testASearchOfManyStubsFindsAlternativesWithLiteralPaths() throws {
    let stubs = (0..<100).map { StubEndpoint(.get, "/a/\($0)", .ok, name: "\($0)") }
    let both = StubEndpoint(RequestPattern.request(.get, "/x").or(.request(.get, "/y")), .ok, name: "both")
    for path in ["/x", "/y"] {
      XCTAssertEqual(try taken(stubs + [both], ReceivedRequest(method: "GET", path: path)), "both")
    }
  }

  func testResponsesOfAllStatusesAreDescribed() {
    let pattern = RequestPattern.request(.get, "/").responding(in: 0...Int.max)
    XCTAssertEqual("\(pattern)", "the request GET / responded 0 to 9223372036854775807")
  }

  func testAlternativesAreInParenthesesWhereTheyAreAPart() {
    let either = RequestPattern.request(.get, "/a").or(.request(.get, "/b"))
    XCTAssertEqual("\(either)", "the request GET /a or the request GET /b")
    XCTAssertEqual("\(either.responding(in: 200...200))", "(the request GET /a or the request GET /b) responded 200")
    XCTAssertEqual(
      "\(RequestPattern.request(.post, "/c").not().and(either))",
      "a request other than POST /c and (the request GET /a or the request GET /b)")
  }

  func testAnInvalidPartMakesACombinationInvalid() {
    let invalid = RequestPattern.request(.get, "a")
    for pattern in [invalid.not(), .request(.get, "/").or(invalid), invalid.and(.request(.get, "/"))] {
      XCTAssertEqual(pattern.problem, .path("a", reason: "doesn't begin with a slash"))
      XCTAssertFalse(pattern.matches(ParsedRequest(get)))
    }
  }

  func testOnlyPartsThatExcludeEachOtherMakeACombinationImpossible() throws {
    let get = RequestPattern.request(.get, "/a")
    let possible: [RequestPattern] = [
      get.and(get), get.and(.request(.any, "/%61")), get.and(.request(.get, "/:id")), get.and(.request(.get, "/b/*")),
      get.and(.request(.get, .regex("/b"))), get.and(.request(.post, "/b").not()), get.responding(in: 200...200),
      get.or(.request(.post, "/b")).and(.request(.post, "/*")),
      RequestPattern.request(.any, "/a%2Fb").and(.request(.get, "/a%2fb")),
    ]
    for pattern in possible { XCTAssertNil(pattern.problem, "\(pattern)") }
    let impossible: [(RequestPattern, String)] = [
      (get.and(.request(.head, "/a")), "no request has the two methods GET and HEAD"),
      (get.and(.request(.any, "/A")), "no request has the two paths /a and /A"),
      (get.and(.request(.any, "/*")).and(.request(.any, "/b")), "no request has the two paths /a and /b"),
      (
        RequestPattern.request(.any, "/a/b").and(.request(.get, "/a%2Fb")),
        "no request has the two paths /a/b and /a%2Fb"
      ),
      (
        get.or(.request(.put, "/c")).and(.request(.post, "/b").or(.request(.delete, "/*"))),
        "no request has the two methods GET and POST"
      ),
    ]
    for (pattern, problem) in impossible {
      XCTAssertEqual(pattern.problem.map { "\($0)" }, problem)
      XCTAssertEqual(pattern.problem?.isImpossible, true)
      let copy = RequestPattern(pattern.condition)
      XCTAssertEqual(copy.problem, pattern.problem, "in another process")
    }
  }

  func testAPathInAnotherUnicodeFormIsExplained() throws {
    let stub = RequestPattern.request(.get, "/caf\u{e9}")
    let request = ReceivedRequest(method: "GET", path: "/cafe%CC%81")
    XCTAssertEqual(
      try stub.differences(from: request),
      ["the path is /cafe%CC%81, not /caf\u{e9}: they differ in Unicode normalization only"])
  }

  func testAFaultBeforeTheBodyCannotDependOnCode() {
    let pattern = RequestPattern.request(.post, "/", headers: ["A": .satisfying("odd") { _ in true }])
    XCTAssertThrowsError(
      try PreparedStub(StubEndpoint(pattern, .fault(HTTPFault(.reset, at: .requestHead))), folder: nil)
    ) {
      XCTAssertEqual(
        "\($0)",
        "its condition \"odd\" is a closure or a Regex, which is called when the body has arrived, so the stub can't have reset at requestHead"
      )
    }
  }
}
