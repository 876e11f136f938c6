import TestSupport

@testable import StubModel

final class EpochTests: XCTestCase {
  private func table(_ stubs: StubEndpoint...) throws -> StubTable {
    var table = StubTable()
    for stub in stubs { table.install(try PreparedStub(stub, folder: nil)) }
    return table
  }

  /// - Parameter next: The epochs that follow the responses; none change anything without it.
  private func stub(
    _ method: ReceivedRequest.Method, _ path: StubPath, _ texts: String..., epoch: Int?, next: [Int] = []
  ) -> StubEndpoint {
    var stub = StubEndpoint(method, path, texts.map { .text($0) })
    stub.options.epoch = epoch
    for (index, epoch) in next.enumerated() { stub.results[index].nextEpoch = epoch }
    return stub
  }

  private func text(_ method: ReceivedRequest.Method, _ path: String, _ table: inout StubTable) -> String? {
    table.take(ReceivedRequest(method: method, path: path))?.result.map { String(decoding: $0.bytes, as: UTF8.self) }
  }

  func testAResponseAppliesFromItsEpochUntilALaterOneDoes() throws {
    var table = try table(
      stub(.get, "/cart", "empty", epoch: 0), stub(.post, "/cart", "1", "2", epoch: 0, next: [1, 2]),
      stub(.get, "/cart", "two", epoch: 2))
    var seen: [String?] = []
    for response in ["1", "2", "2", "2"] {
      seen.append(text("GET", "/cart", &table))
      XCTAssertEqual(text("POST", "/cart", &table), response)
    }
    XCTAssertEqual(seen, ["empty", "empty", "two", "two"])
  }

  func testTheOrderOfInstallationDoesNotMatter() throws {
    var table = try table(
      stub(.get, "/cart", "two", epoch: 2), stub(.get, "/cart", "one", epoch: 1),
      stub(.get, "/cart", "empty", epoch: 0),
      stub(.delete, "/cart", "ok", "ok", epoch: 0, next: [1, 2]))
    var seen: [String?] = []
    for _ in 0..<3 {
      seen.append(text("GET", "/cart", &table))
      _ = text("DELETE", "/cart", &table)
    }
    XCTAssertEqual(seen, ["empty", "one", "two"])
  }

  func testEqualRequestsWithinAnEpochAreASequenceWhoseLastResponseStays() throws {
    var table = try table(
      stub(.get, "/order", "pending", "paid", epoch: 0), stub(.put, "/order", "ok", epoch: 0, next: [1]),
      stub(.get, "/order", "sent", "there", epoch: 1))
    XCTAssertEqual((0..<3).map { _ in text("GET", "/order", &table) }, ["pending", "paid", "paid"])
    _ = text("PUT", "/order", &table)
    XCTAssertEqual((0..<3).map { _ in text("GET", "/order", &table) }, ["sent", "there", "there"])
  }

  func testAnEpochThatHasNotBegunMatchesNothingAndSaysSo() throws {
    var table = try table(stub(.get, "/order", "paid", epoch: 1))
    XCTAssertNil(text("GET", "/order", &table))
    XCTAssertEqual(
      table.nearest(to: ReceivedRequest(method: "GET", path: "/order"))?.differences,
      ["it responds from epoch 1 on, and the epoch is 0"])
  }

  func testStubsWithoutAnEpochNeitherAdvanceItNorDependOnIt() throws {
    var table = try table(
      stub(.get, "/cart", "empty", epoch: 0), stub(.get, "/cart", "full", epoch: 1),
      stub(.post, "/log", "ok", epoch: nil))
    _ = text("POST", "/log", &table)
    XCTAssertEqual(text("GET", "/cart", &table), "empty")
  }

  func testEachOwnerHasItsOwnEpochWhichEndsWithItsStubs() throws {
    var table = StubTable()
    for owner in 1...2 {
      table.install(try PreparedStub(stub(.post, "/\(owner)", "ok", epoch: 0, next: [1]), folder: nil), owner: owner)
    }
    _ = text("POST", "/1", &table)
    XCTAssertEqual([table.epoch(of: 1), table.epoch(of: 2)], [1, 0])
    table.removeAll(of: 1)
    XCTAssertEqual(table.epoch(of: 1), 0)
  }

  func testTheEpochIsTheLatestThatAResponseHasLedTo() throws {
    var table = try table(
      stub(.post, "/log", "ok", epoch: 0, next: [1]), stub(.post, "/cart", "ok", epoch: 0, next: [3]))
    var seen: [Int] = []
    for path in ["/log", "/log", "/cart", "/log"] {
      _ = text("POST", path, &table)
      seen.append(table.epoch())
    }
    XCTAssertEqual(seen, [1, 1, 3, 3])
  }
}
