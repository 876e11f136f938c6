import TestSupport
import XCTest

@testable import StubModel

final class EpochTests: XCTestCase {
  private func table(_ stubs: StubEndpoint...) throws -> StubTable {
    var table = StubTable()
    for stub in stubs { table.install(try PreparedStub(stub, folder: nil)) }
    return table
  }

  private func stub(_ method: HTTPRequest.Method, _ path: StubPath, _ texts: String..., epoch: Int?) -> StubEndpoint {
    var stub = StubEndpoint(method, path, texts.map { .text($0) })
    stub.epoch = epoch
    return stub
  }

  private func text(_ method: HTTPRequest.Method, _ path: String, _ table: inout StubTable) -> String? {
    table.take(HTTPRequest(method: method, path: path))?.result.map { String(decoding: $0.bytes, as: UTF8.self) }
  }

  func testAnAnswerAppliesFromItsEpochUntilALaterOneDoes() throws {
    var table = try table(
      stub(.get, "/cart", "empty", epoch: 0), stub(.post, "/cart", "ok", epoch: 0),
      stub(.get, "/cart", "two", epoch: 2))
    var seen: [String?] = []
    for _ in 0..<4 {
      seen.append(text("GET", "/cart", &table))
      XCTAssertEqual(text("POST", "/cart", &table), "ok")
    }
    XCTAssertEqual(seen, ["empty", "empty", "two", "two"])
  }

  func testTheOrderOfInstallationDoesNotMatter() throws {
    var table = try table(
      stub(.get, "/cart", "two", epoch: 2), stub(.get, "/cart", "one", epoch: 1),
      stub(.get, "/cart", "empty", epoch: 0),
      stub(.delete, "/cart", "ok", epoch: 0))
    var seen: [String?] = []
    for _ in 0..<3 {
      seen.append(text("GET", "/cart", &table))
      _ = text("DELETE", "/cart", &table)
    }
    XCTAssertEqual(seen, ["empty", "one", "two"])
  }

  func testEqualRequestsWithinAnEpochAreASequenceWhoseLastAnswerStays() throws {
    var table = try table(
      stub(.get, "/order", "pending", "paid", epoch: 0), stub(.put, "/order", "ok", epoch: 0),
      stub(.get, "/order", "sent", "there", epoch: 1))
    XCTAssertEqual((0..<3).map { _ in text("GET", "/order", &table) }, ["pending", "paid", "paid"])
    _ = text("PUT", "/order", &table)
    XCTAssertEqual((0..<3).map { _ in text("GET", "/order", &table) }, ["sent", "there", "there"])
  }

  func testAnEpochThatHasNotBegunAnswersNothingAndSaysSo() throws {
    var table = try table(stub(.get, "/order", "paid", epoch: 1))
    XCTAssertNil(text("GET", "/order", &table))
    XCTAssertEqual(
      table.nearest(to: HTTPRequest(method: "GET", path: "/order"))?.differences,
      ["it answers once 1 request that changes something has been answered, and so far none has"])
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
      table.install(try PreparedStub(stub(.post, "/\(owner)", "ok", epoch: 0), folder: nil), owner: owner)
    }
    _ = text("POST", "/1", &table)
    XCTAssertEqual([table.epoch(of: 1), table.epoch(of: 2)], [1, 0])
    table.removeAll(of: 1)
    XCTAssertEqual(table.epoch(of: 1), 0)
  }

  func testADeclinedRequestDoesNotAdvanceTheEpoch() throws {
    var table = StubTable()
    var declining = StubEndpoint(.post, "/cart") { _ in nil }
    declining.epoch = 0
    let id = table.install(try PreparedStub(declining, folder: nil))
    let request = HTTPRequest(method: "POST", path: "/cart")
    XCTAssertNotNil(table.take(request))
    XCTAssertEqual(table.epoch(), 1)
    table.giveBack(id, request)
    XCTAssertEqual(table.epoch(), 0)
  }

  // MARK: Stubs in the place of recorded ones

  func testARecordedAnswerIsSkippedWhereAStubHasAnswered() throws {
    var table = try table(
      stub(.get, "/cart", "empty", epoch: 0), stub(.get, "/cart", "full", epoch: 1),
      stub(.post, "/cart", "1", "2", epoch: 0))
    let request = HTTPRequest(method: "POST", path: "/cart")
    table.skipRecorded(request)
    XCTAssertEqual(text("GET", "/cart", &table), "full")
    XCTAssertEqual(text("POST", "/cart", &table), "2")
    XCTAssertEqual(table.usages(of: 0).map(\.count), [0, 1, 1], "a skipped stub has not answered")
  }

  func testOnlyWhatIsRecordedAndChangesSomethingIsSkipped() throws {
    var table = try table(
      stub(.get, "/cart", "one", "two", epoch: 0), stub(.get, "/cart", "full", epoch: 1),
      stub(.post, "/log", "ok", epoch: nil))
    for (method, path) in [("GET", "/cart"), ("POST", "/log"), ("POST", "/unknown")] as [(HTTPRequest.Method, String)] {
      table.skipRecorded(HTTPRequest(method: method, path: path))
    }
    XCTAssertEqual(text("GET", "/cart", &table), "one")
  }

}
