import TestSupport

final class StubTableTests: XCTestCase {
  private let get = ReceivedRequest(method: "GET", path: "/a")

  private func texts(_ table: inout StubTable, _ count: Int) -> [String?] {
    (0..<count).map { _ in
      guard case .bytes(let data) = table.take(get)?.result?.content else { return nil }
      return String(decoding: data, as: UTF8.self)
    }
  }

  func testATableWithoutStubsMatchesNothing() {
    var table = StubTable()
    XCTAssertTrue(table.isEmpty)
    XCTAssertNil(table.take(get))
    XCTAssertNil(table.takeEarlyFault(get))
    XCTAssertNil(table.nearest(to: get)?.endpoint)
    XCTAssertEqual(table.unused(of: 0), [])
  }

  func testResponsesComeInSequenceAndTheLastOneStays() throws {
    var table = try StubTable(installing: [StubEndpoint(.get, "/a", [.text("1"), .text("2"), .text("3")])])
    XCTAssertFalse(table.isEmpty)
    XCTAssertEqual(texts(&table, 5), ["1", "2", "3", "3", "3"])
  }

  func testAStubThatHasRespondedOftenEnoughStepsAsideForTheNext() throws {
    var table = try StubTable(installing: [
      StubEndpoint(.get, "/:any", .text("always")),
      StubEndpoint(.get, "/a", [.text("x"), .text("y")], times: 3),
      StubEndpoint(.get, "/a", .text("once"), times: 1),
    ])
    XCTAssertEqual(texts(&table, 6), ["once", "x", "y", "y", "always", "always"])
  }

  func testAStubThatIsUsedUpIsStillTheNearest() throws {
    var table = try StubTable(installing: [
      StubEndpoint(.get, "/b", .ok), StubEndpoint(.get, "/a", .ok, times: 2),
    ])
    _ = texts(&table, 2)
    XCTAssertNil(table.take(get))
    XCTAssertEqual(table.nearest(to: get)?.endpoint.pattern.single?.path, "/a")
    XCTAssertEqual(table.nearest(to: get)?.differences, ["it has responded 2 times already"])
    table = try StubTable(installing: [StubEndpoint(.get, "/a", .ok, times: 1)])
    _ = texts(&table, 1)
    XCTAssertEqual(table.nearest(to: get)?.differences, ["it has responded once already"])
  }

  func testTheNearestStubIsTheOneThatDiffersLeast() throws {
    let table = try StubTable(installing: [
      StubEndpoint(.get, "/users", .ok), StubEndpoint(.post, "/books", .ok),
      StubEndpoint(.request(.get, "/books/:id", query: .subset(["page": "2"])), .ok),
      StubEndpoint(.get, .regex("/x+"), .ok),
    ])
    let rows: [(method: ReceivedRequest.Method, path: String, query: String?, nearest: String, differences: [String])] =
      [
        ("GET", "/user", nil, "GET /users", ["the path is /user, not /users"]),
        ("GET", "/books", nil, "POST /books", ["the method is GET, not POST"]),
        (
          "GET", "/books/1", "page=1", "GET /books/:id with page=2 in the query",
          [#"page in the query is "1", not "2""#]
        ),
        ("POST", "/books/", nil, "POST /books", ["the path is /books/, not /books: the slash at the end counts"]),
      ]
    for row in rows {
      let miss = table.nearest(to: ReceivedRequest(method: row.method, path: row.path, queryText: row.query))
      XCTAssertEqual(miss.map { "\($0.endpoint)" }, row.nearest)
      XCTAssertEqual(miss?.differences, row.differences)
    }
  }

  func testAmongThousandsOfStubsTheNearestIsTheOneSpelledMostAlike() throws {
    var stubs = (0..<2_000).map { StubEndpoint(.get, .template("/shops/\($0)/orders/\($0 * 7)/items"), .ok) }
    stubs += [
      StubEndpoint(.request(.post, "/graphql", body: .text("a")), .ok), StubEndpoint(.get, "/books/:id/cover", .ok),
    ]
    stubs += [StubEndpoint(.get, .regex("/r+"), .ok)]
    let table = try StubTable(installing: stubs.shuffled())
    for (method, path, nearest) in [
      ("GET", "/shops/12/orders/84/item", "/shops/12/orders/84/items"),
      ("GET", "/shop/12/orders/84/items", "/shops/12/orders/84/items"),
      ("POST", "/shops/12/orders/84/items", "/shops/12/orders/84/items"),
      ("POST", "/graphql", "/graphql"), ("GET", "/books/7/covers", "/books/:id/cover"),
    ] as [(ReceivedRequest.Method, String, String)] {
      XCTAssertEqual(
        table.nearest(to: ReceivedRequest(method: method, path: path))?.endpoint.pattern.single?.path,
        .template(nearest),
        path)
    }
  }

  func testPrecedenceHoldsAmongStubsThatAreFoundByTheirPathAndStubsThatAreNot() throws {
    var table = try StubTable(installing: [
      StubEndpoint(.get, "/caf\u{e9}/a%2Fb", .text("literal")), StubEndpoint(.get, "/caf\u{e9}/:any", .text("param")),
      StubEndpoint(.any, "/caf\u{e9}/*", .text("wildcard")), StubEndpoint(.any, .regex("/caf.*"), .text("regex")),
      StubEndpoint(.request(.get, "/caf\u{e9}/a%2Fb", query: .subset(["q": "1"])), .text("query")),
    ])
    for (method, path, query, response) in [
      ("GET", "/caf%C3%A9/a%2fb", nil, "literal"), ("GET", "/cafe%CC%81/a%2Fb", nil, "regex"),
      ("GET", "/caf%C3%A9/a%2Fb", "q=1", "query"), ("GET", "/caf%C3%A9/a", nil, "param"),
      ("POST", "/caf%C3%A9/a", nil, "wildcard"), ("GET", "/cafes", nil, "regex"),
    ] as [(ReceivedRequest.Method, String, String?, String)] {
      let request = ReceivedRequest(method: method, path: path, queryText: query)
      guard case .bytes(let data) = table.take(request)?.result?.content else { return XCTFail(path) }
      XCTAssertEqual(String(decoding: data, as: UTF8.self), response, "\(method) \(path)")
    }
  }

  func testARequestForTheHeadGetsTheResponseOfTheStubOfGET() throws {
    let head = ReceivedRequest(method: "HEAD", path: "/a")
    var table = try StubTable(installing: [StubEndpoint(.get, "/a", .ok), StubEndpoint(.post, "/a", .status(201))])
    XCTAssertTrue(table.mayRespond(to: head))
    let selection = table.take(head)
    XCTAssertEqual(selection?.stub.endpoint.pattern.single?.method, .get)
    XCTAssertEqual(selection?.request.method, "HEAD")
    table.install(try PreparedStub(StubEndpoint(.head, "/*", .status(204)), folder: nil))
    // A stub of the method itself goes before one of another, however general.
    XCTAssertEqual(table.take(head)?.stub.endpoint.pattern.single?.method, .head)
  }

  func testAStubThatWasReplacedWhileItsClosureRanIsGivenNothingBack() throws {
    var table = StubTable()
    let id = table.install(try PreparedStub(StubEndpoint(.get, "/a", .ok), folder: nil))
    let selection = try XCTUnwrap(table.take(get))
    XCTAssertTrue(table.replace(id, with: try PreparedStub(StubEndpoint(.get, "/a", .status(201)), folder: nil)))
    table.giveBack(selection)
    XCTAssertEqual(table.usage(of: id)?.count, 1)
  }

  func testAClosureThatDeclinesGivesOneResponseBack() throws {
    var table = StubTable()
    let id = table.install(try PreparedStub(StubEndpoint(.get, "/a", .ok), folder: nil))
    for _ in 0..<2 { XCTAssertNotNil(table.take(get)) }
    table.giveBack(try XCTUnwrap(table.take(get)))
    XCTAssertEqual(table.usage(of: id)?.count, 2)
  }

  func testAReplacementMayHaveAFaultBeforeTheBody() throws {
    var table = StubTable()
    let id = table.install(try PreparedStub(StubEndpoint(.get, "/a", .ok), folder: nil))
    XCTAssertNil(table.takeEarlyFault(get))
    let early = StubEndpoint(.get, "/a", .fault(HTTPFault(.close, at: .requestHead)))
    XCTAssertTrue(table.replace(id, with: try PreparedStub(early, folder: nil)))
    XCTAssertTrue(table.hasEarlyFaults)
    XCTAssertEqual(table.takeEarlyFault(get)?.result?.result.fault, HTTPFault(.close, at: .requestHead))
    XCTAssertEqual(table.usage(of: id)?.count, 1)
  }

  func testARequestAmongThousandsOfStubsCostsWhatItCostsAmongOne() throws {
    func time(among count: Int, _ body: (inout StubTable) -> Void) throws -> Duration {
      var table = try StubTable(
        installing: (0..<count).map { StubEndpoint(.get, .template("/shops/\($0)/orders"), .ok) })
      body(&table)
      return ProcessorTime.least(of: 5) { for _ in 0..<200 { body(&table) } }
    }
    let (hit, miss) = (
      ReceivedRequest(method: "GET", path: "/shops/0/orders"), ReceivedRequest(method: "GET", path: "/shops/0/orders/1")
    )
    for (name, body) in [
      ("hit", { _ = $0.take(hit) }), ("miss", { _ = $0.take(miss) }),
    ] as [(String, (inout StubTable) -> Void)] {
      let (one, many) = (try time(among: 1, body), try time(among: 2_000, body))
      // With a search through the whole table it was hundreds of times as much.
      XCTAssertLessThan(many, one * 8, "\(name): \(one) among one, \(many) among 2,000")
    }
  }

  func testRemovingAnOwnersStubsLeavesTheOthersWhereTheyWere() throws {
    var table = StubTable()
    for number in 0..<40 {
      let endpoint = StubEndpoint(.get, .template("/a/\(number % 4)"), .ok)
      table.install(try PreparedStub(endpoint, folder: nil), owner: number % 2)
    }
    table.removeAll(of: 0)
    XCTAssertNil(table.take(ReceivedRequest(method: "GET", path: "/a/0")))
    XCTAssertNotNil(table.take(ReceivedRequest(method: "GET", path: "/a/3")))
    XCTAssertEqual(table.unused(of: 1).count, 19)
    let nearest = try XCTUnwrap(table.nearest(to: ReceivedRequest(method: "GET", path: "/a/0")))
    XCTAssertTrue(["GET /a/1", "GET /a/3"].contains("\(nearest.endpoint)"), "\(nearest.endpoint)")
  }

  func testATableFromWhichStubsWereRemovedRespondsLikeOneThatNeverHadThem() throws {
    var generator = RandomCases.generator(seed: 7)
    for _ in 0..<RandomCases.count(20) {
      var stubs = (0..<300).map { number in
        let path: StubPath =
          switch number % 3 {
          case 0: .template("/shops/\(Int.random(in: 0..<90, using: &generator))")
          case 1: .template("/shops/:id/\(Int.random(in: 0..<90, using: &generator))")
          default: .regex("/shops/\(Int.random(in: 0..<9, using: &generator)).*")
          }
        return StubEndpoint(.get, path, [.status(200 + number % 3), .status(404)])
      }
      var table = StubTable()
      var ids: [StubTable.ID] = []
      for stub in stubs { ids.append(table.install(try PreparedStub(stub, folder: nil))) }
      for _ in 0..<Int.random(in: 1..<290, using: &generator) {
        let place = ids.indices.randomElement(using: &generator) ?? 0
        table.remove(ids.remove(at: place))
        stubs.remove(at: place)
      }
      var fresh = try StubTable(installing: stubs)
      let kept = Set(stubs.map { "\($0)" })
      for _ in 0..<50 {
        let number = Int.random(in: 0..<100, using: &generator)
        let path = Bool.random(using: &generator) ? "/shops/\(number)" : "/shops/1/\(number)"
        let request = ReceivedRequest(method: "GET", path: path)
        let (one, other) = (table.take(request), fresh.take(request))
        XCTAssertEqual(one.map { "\($0.stub.endpoint)" }, other.map { "\($0.stub.endpoint)" })
        XCTAssertEqual(one?.result, other?.result)
        let odd = ReceivedRequest(method: "GET", path: path + "/orders")
        // The nearest of several similar stubs depends on the order in which they were added.
        let nearest = table.nearest(to: odd).map { "\($0.endpoint)" }
        XCTAssertTrue(nearest.map(kept.contains) ?? kept.isEmpty, nearest ?? "none")
      }
      XCTAssertEqual(table.usages(of: 0).map(\.count), fresh.usages(of: 0).map(\.count))
      XCTAssertEqual(table.unused(of: 0).map { "\($0)" }, fresh.unused(of: 0).map { "\($0)" })
    }
  }

  func testRemovingStubsOneByOneTakesTimeThatGrowsWithTheirNumber() throws {
    func time(_ count: Int) throws -> Duration {
      let stubs = try (0..<count).map {
        try PreparedStub(StubEndpoint(.get, $0 % 2 == 0 ? "/a/\($0)" : "/a/:id/\($0)", .ok), folder: nil)
      }
      return ProcessorTime.least(of: 3) {
        var table = StubTable()
        for id in stubs.map({ table.install($0) }) { table.remove(id) }
        XCTAssertTrue(table.isEmpty)
      }
    }
    let (few, many) = try (time(250), time(2_000))
    // Eight times as many stubs took 64 times as long.
    XCTAssertLessThan(many, few * 24)
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

  func testAResponseBringsWhatThePathStandsFor() throws {
    var table = try StubTable(installing: [StubEndpoint(.get, "/:a", .ok)])
    XCTAssertEqual(table.take(get)?.request.pathParams, ["a": "a"])
  }

  func testAnEarlyFaultIsFoundBeforeTheBodyIsThere() throws {
    for position in [HTTPFault.Position.requestHead, .requestBody] {
      let fault = HTTPFault(.reset, at: position)
      var table = try StubTable(installing: [
        StubEndpoint(.any, "/:a", [.fault(fault), .ok]), StubEndpoint(.request(.any, "/:a", body: .text("x")), .ok),
      ])
      XCTAssertNil(table.takeEarlyFault(get), "the stub that goes first looks at the body")
      table = try StubTable(installing: [StubEndpoint(.any, "/:a", [.fault(fault), .ok])])
      let selection = table.takeEarlyFault(get)
      XCTAssertEqual(selection?.result?.result.fault, fault)
      XCTAssertEqual(selection?.request.pathParams, ["a": "a"])
      XCTAssertNil(table.takeEarlyFault(get), "the second response has no fault")
      XCTAssertEqual(table.take(get)?.result?.result, .ok)
    }
  }

  func testBehindAClosureAnEarlyFaultWaitsForTheWholeRequest() throws {
    let fault = HTTPFault(.reset, at: .requestHead)
    let faulty = StubEndpoint(.any, "/:a", .fault(fault))
    let closures: [StubEndpoint] = [
      StubEndpoint(.get, "/a") { _ in nil },
      StubEndpoint(.request(.get, "/a", where: .satisfying("never") { _ in false }), .ok),
    ]
    for first in closures {
      var table = try StubTable(installing: [faulty, first])
      XCTAssertNil(table.takeEarlyFault(get))
      let parsed = ParsedRequest(get)
      let declined = Set(table.usages(of: 0).lazy.filter { $0.endpoint.handler != nil }.map(\.id))
      var candidates = table.candidates(for: parsed, declined: declined)
      guard case .match(let match) = candidates.search(parsed, callsCode: true) else { return XCTFail("no stub") }
      XCTAssertEqual(table.count(match)?.result?.result.fault, fault)
    }
  }

  func testALaterFaultIsNoEarlyOne() throws {
    for position in [HTTPFault.Position.response, .responseBody, .afterResponse] {
      var table = try StubTable(installing: [StubEndpoint(.get, "/a", .fault(HTTPFault(.close, at: position)))])
      XCTAssertNil(table.takeEarlyFault(get))
      XCTAssertNotNil(table.take(get))
    }
  }

  func testAStubThatIsUsedUpBreaksNothingOff() throws {
    let fault = HTTPFault(.close, at: .requestHead)
    var table = try StubTable(installing: [
      StubEndpoint(.get, "/:a", .ok), StubEndpoint(.get, "/a", .fault(fault), times: 1),
    ])
    XCTAssertNotNil(table.takeEarlyFault(get))
    XCTAssertNil(table.takeEarlyFault(get))
  }

  func testAStubThatWasRemovedKeepsItsCountAndLetsItsCodeGo() throws {
    final class Captured: Sendable {}
    let stubs: [(words: String, make: @Sendable (Captured) -> StubEndpoint)] = [
      (
        "GET /a",
        { captured in
          StubEndpoint(.get, "/a") { [captured] _ in
            _ = captured; return .ok
          }
        }
      ),
      (
        "GET /a where a test's",
        { captured in
          StubEndpoint(
            .request(
              .get, "/a",
              where: .satisfying("a test's") { [captured] _ in
                _ = captured; return true
              }), .ok)
        }
      ),
      (
        "GET /* or GET /a with q=(a test's) in the query",
        { captured in
          let isOurs: @Sendable (TrackingValue) -> Bool = { [captured] _ in
            _ = captured; return true
          }
          return StubEndpoint(
            .request(.get, "/*").or(.request(.get, "/a", query: ["q": .satisfying("a test's", isOurs)])), .ok)
        }
      ),
    ]
    let removals: [(words: String, remove: (inout StubTable, StubTable.ID) -> Void)] = [
      ("its own", { $0.remove($1) }), ("its owner's", { table, _ in table.removeAll(of: 1) }),
    ]
    // A large table keeps a removed stub's place.
    for (stub, removal, others) in stubs.flatMap({ stub in removals.flatMap { [(stub, $0, 0), (stub, $0, 200)] } }) {
      let row = "\(stub.words), \(removal.words) removal among \(others)"
      var table = StubTable()
      for number in 0..<others {
        table.install(try PreparedStub(StubEndpoint(.get, "/others/\(number)", .ok), folder: nil), owner: 2)
      }
      var captured: Captured? = Captured()
      weak var weakly: Captured?
      weakly = captured
      let id = table.install(try PreparedStub(stub.make(XCTUnwrap(captured)), folder: nil), owner: 1)
      captured = nil
      XCTAssertNotNil(table.take(get), row)
      XCTAssertNotNil(weakly, row)
      removal.remove(&table, id)
      XCTAssertNil(weakly, row)
      XCTAssertEqual(table.usage(of: id)?.count, 1, row)
      XCTAssertEqual(table.usage(of: id).map { "\($0.endpoint)" }, stub.words)
      table.forget(owner: 1)
      XCTAssertNil(table.usage(of: id), row)
    }
  }
}
