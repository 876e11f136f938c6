import StubModel
import XCTest

final class StubTableTests: XCTestCase {
  private let get = StubRequest(method: "GET", path: "/a")

  private func texts(_ table: inout StubTable, _ count: Int) -> [String?] {
    (0..<count).map { _ in
      guard case .bytes(let data) = table.take(get)?.result?.content else { return nil }
      return String(decoding: data, as: UTF8.self)
    }
  }

  func testATableWithoutStubsAnswersNothing() {
    var table = StubTable()
    XCTAssertTrue(table.isEmpty)
    XCTAssertNil(table.take(get))
    XCTAssertNil(table.takeEarlyFault(get))
    XCTAssertNil(table.nearest(to: get)?.endpoint)
    XCTAssertEqual(table.unused(of: 0), [])
  }

  func testAnswersComeInSequenceAndTheLastOneStays() throws {
    var table = try StubTable(installing: [StubEndpoint(.get, "/a", [.text("1"), .text("2"), .text("3")])])
    XCTAssertFalse(table.isEmpty)
    XCTAssertEqual(texts(&table, 5), ["1", "2", "3", "3", "3"])
  }

  func testAStubThatHasAnsweredOftenEnoughStepsAsideForTheNext() throws {
    var table = try StubTable(installing: [
      StubEndpoint(.get, "/:any", .text("always")),
      StubEndpoint(.get, "/a", [.text("x"), .text("y")], times: .times(3)),
      StubEndpoint(.get, "/a", .text("once"), times: .once),
    ])
    XCTAssertEqual(texts(&table, 6), ["once", "x", "y", "y", "always", "always"])
  }

  func testAStubThatIsUsedUpIsStillTheNearest() throws {
    var table = try StubTable(installing: [
      StubEndpoint(.get, "/b", .ok), StubEndpoint(.get, "/a", .ok, times: .times(2)),
    ])
    _ = texts(&table, 2)
    XCTAssertNil(table.take(get))
    XCTAssertEqual(table.nearest(to: get)?.endpoint.path, "/a")
    XCTAssertEqual(table.nearest(to: get)?.differences, ["it has answered 2 times already"])
    table = try StubTable(installing: [StubEndpoint(.get, "/a", .ok, times: .once)])
    _ = texts(&table, 1)
    XCTAssertEqual(table.nearest(to: get)?.differences, ["it has answered once already"])
  }

  func testTheNearestStubIsTheOneThatDiffersLeast() throws {
    let table = try StubTable(installing: [
      StubEndpoint(.get, "/users", .ok), StubEndpoint(.post, "/books", .ok),
      StubEndpoint(.get, "/books/:id", query: .subset(["page": "2"]), .ok), StubEndpoint(.get, .regex("/x+"), .ok),
    ])
    let rows: [(method: String, path: String, query: String?, nearest: String, differences: [String])] = [
      ("GET", "/user", nil, "GET /users", ["the path is /user, not /users"]),
      ("GET", "/books", nil, "POST /books", ["the method is GET, not POST"]),
      (
        "GET", "/books/1", "page=1", "GET /books/:id with page=2 in the query",
        [#"page in the query is "1", not "2""#]
      ),
      ("POST", "/books/", nil, "POST /books", ["the path is /books/, not /books: the slash at the end counts"]),
    ]
    for row in rows {
      let miss = table.nearest(to: StubRequest(method: row.method, path: row.path, queryText: row.query))
      XCTAssertEqual(miss.map { "\($0.endpoint)" }, row.nearest)
      XCTAssertEqual(miss?.differences, row.differences)
    }
  }

  func testUnusedStubsAreToldInTheOrderOfTheirInstallationAndByOwner() throws {
    let general = StubEndpoint(.get, "/:any", .ok)
    let special = StubEndpoint(.get, "/b", .ok)
    var table = StubTable()
    for (stub, owner) in [(general, 1), (StubEndpoint(.get, "/a", .ok), 1), (special, 1), (special, 2)] {
      table.install(try PreparedStub(stub, folder: nil), owner: owner)
    }
    _ = table.take(get)
    XCTAssertEqual(table.unused(of: 1), [general, special])
    XCTAssertEqual(table.unused(of: 2), [special])
    XCTAssertEqual(table.unused(of: 3), [])
    table.removeAll(of: 1)
    XCTAssertEqual(table.unused(of: 1), [])
    XCTAssertNil(table.take(get))
    XCTAssertFalse(table.isEmpty)
  }

  func testAnAnswerBringsWhatThePathStandsFor() throws {
    var table = try StubTable(installing: [StubEndpoint(.get, "/:a", .ok)])
    XCTAssertEqual(table.take(get)?.request.pathParams, ["a": "a"])
  }

  func testAnEarlyFaultIsFoundBeforeTheBodyIsThere() throws {
    for position in [Fault.Position.requestHead, .requestBody] {
      let fault = Fault(at: position, .reset)
      var table = try StubTable(installing: [
        StubEndpoint(nil, "/:a", [.fault(fault), .ok]), StubEndpoint(nil, "/:a", body: .text("x"), .ok),
      ])
      XCTAssertNil(table.takeEarlyFault(get), "the stub that goes first looks at the body")
      table = try StubTable(installing: [StubEndpoint(nil, "/:a", [.fault(fault), .ok])])
      let selection = table.takeEarlyFault(get)
      XCTAssertEqual(selection?.result?.result.fault, fault)
      XCTAssertEqual(selection?.request.pathParams, ["a": "a"])
      XCTAssertNil(table.takeEarlyFault(get), "the second answer has no fault")
      XCTAssertEqual(table.take(get)?.result?.result, .ok)
    }
  }

  func testALaterFaultIsNoEarlyOne() throws {
    for position in [Fault.Position.response, .responseBody, .afterResponse] {
      var table = try StubTable(installing: [StubEndpoint(.get, "/a", .fault(Fault(at: position, .close)))])
      XCTAssertNil(table.takeEarlyFault(get))
      XCTAssertNotNil(table.take(get))
    }
  }

  func testAStubThatIsUsedUpBreaksNothingOff() throws {
    let fault = Fault(at: .requestHead, .close)
    var table = try StubTable(installing: [
      StubEndpoint(.get, "/:a", .ok), StubEndpoint(.get, "/a", .fault(fault), times: .once),
    ])
    XCTAssertNotNil(table.takeEarlyFault(get))
    XCTAssertNil(table.takeEarlyFault(get))
  }
}
