import TestSupport
import Dispatch
import TrackingSockets

@testable import TrackingServer

/// Stubs that are closures of a test.
final class StubClosureTests: ServerTestCase {
  private struct Order: Codable {
    var item: String
    var count: Int
  }

  private struct SoldOut: Error, CustomStringConvertible {
    let description = "there are none left"
  }

  func testAClosureReadsPathQueryAndBody() throws {
    try withServer { server in
      try server.stub(.post, "/shops/:shop/orders") { request in
        let order = try request.json(Order.self)
        let text = "\(request.pathParams["shop"] ?? "") \(request.query["lang"] ?? "") \(order.count) \(order.item)"
        return .text(text, status: 201)
      }
      let response = try RawClient(server).exchange(
        RawClient.request(
          "POST /shops/caf%C3%A9/orders?lang=de HTTP/1.1", ["Host: localhost"], #"{"item":"cup","count":3}"#))
      XCTAssertEqual(response.status, 201)
      XCTAssertEqual(response.content, "café de 3 cup")
      XCTAssertEqual(
        server.journal.requests.map { "\($0)" },
        ["POST /shops/caf%C3%A9/orders?lang=de -> 201 by POST /shops/:shop/orders"])
      XCTAssertEqual(server.journal.requests.first?.request.text, #"{"item":"cup","count":3}"#)
    }
  }

  func testAClosureThatThrowsGets500WithTheReason() throws {
    try withServer { server in
      try server.stub(.get, "/cups") { _ in throw SoldOut() }
      let client = try RawClient(server)
      let response = try client.get("/cups?n=1")
      let reason = "the closure for GET /cups returned no response to /cups?n=1: there are none left"
      XCTAssertEqual(response.statusLine, "HTTP/1.1 500 Internal Server Error")
      XCTAssertEqual(response.content, #"{"error":"\#(reason)"}"# + "\n")
      XCTAssertEqual(server.journal.requests.map(\.problem), [reason])
      XCTAssertEqual(try client.get("/other").status, 404)
    }
  }

  func testAResponseThatCannotBeGivenIsAProblemToo() throws {
    try withServer { server in
      try server.stub(.get, "/cups") { _ in .ok.with(header: "Content-Length", "7") }
      XCTAssertEqual(try RawClient(server).get("/cups").status, 500)
      XCTAssertEqual(
        server.journal.requests.map(\.problem),
        [
          "the closure for GET /cups returned no response to /cups: the header Content-Length: 7 can't be sent, because the server sets it"
        ])
    }
  }

  func testClosuresRunSeveralAtATimeAndNotOnTheServersThread() throws {
    try withServer { server in
      let names = Locked<Set<String>>([])
      let (arrived, mayGo) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      try server.stub(.get, "/both") { _ in
        names.withLock { _ = $0.insert(Thread.current.name ?? "") }
        arrived.signal()
        return mayGo.wait(timeout: .now() + RawClient.patience) == .success ? .ok : .status(500)
      }
      let clients = try (0..<2).map { _ in try RawClient(server) }
      for client in clients { try client.send(RawClient.get("/both")) }
      // Neither has ended when both are there.
      for _ in clients { XCTAssertEqual(arrived.wait(timeout: .now() + RawClient.patience), .success) }
      for _ in clients { mayGo.signal() }
      for client in clients { XCTAssertEqual(try client.response().status, 200) }
      XCTAssertEqual(names.withLock { $0 }, ["Tracking worker"])
    }
  }

  func testAClosureMayUseTheServer() throws {
    try withServer { server in
      try server.stub(.get, "/next") { _ in
        try server.stub(StubEndpoint(.get, "/after", .text("after \(server.journal.requests.count)")))
        return .text(try RawClient(server).get("/after").content)
      }
      XCTAssertEqual(try RawClient(server).get("/next").content, "after 1")
    }
  }

  func testARequestIsRecordedBeforeItsClosureRuns() throws {
    try withServer { server in
      let seen = Locked<[String]>([])
      try server.stub(.get, "/slow") { _ in
        seen.withLock { $0 = server.journal.requests.map(\.description) }
        return .text("done", status: 201)
      }
      XCTAssertEqual(try RawClient(server).get("/slow").status, 201)
      XCTAssertEqual(seen.withLock { $0 }, ["GET /slow, no response yet"])
      XCTAssertEqual(server.journal.requests.map(\.description), ["GET /slow -> 201 by GET /slow"])
    }
  }

  func testABlockedClosureKeepsNeitherOthersNorTheStopWaiting() throws {
    let (entered, mayGo, ended) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    let server = TrackingServer()
    try server.start()
    try server.stub(.get, "/blocked", times: 1) { _ in
      entered.signal()
      mayGo.wait()
      ended.signal()
      return .text("too late")
    }
    try server.stub(StubEndpoint(.get, "/free", .text("free")))
    let blocked = try RawClient(server)
    try blocked.send(RawClient.get("/blocked"))
    XCTAssertEqual(entered.wait(timeout: .now() + RawClient.patience), .success)
    XCTAssertEqual(try RawClient(server).get("/free").content, "free")
    XCTAssertEqual(try RawClient(server).post(#"{"name":"a"}"#).status, 204)
    server.stop()
    XCTAssertEqual(try blocked.readToEnd(), "")
    // A closure that returns after the stop responds to no request, even if the server is running again.
    try server.start()
    let requests = server.journal.requests.count
    mayGo.signal()
    XCTAssertEqual(ended.wait(timeout: .now() + RawClient.patience), .success)
    XCTAssertEqual(try RawClient(server).get("/free").content, "free")
    XCTAssertEqual(server.journal.requests.count, requests + 1)
    server.stop()
  }

  func testAClosureThatDeclinesLeavesTheRequestToTheNextStub() throws {
    try withServer { server in
      try server.stub(StubEndpoint(.get, "/*", .text("any")))
      try server.stub(.get, "/books/:id") { $0.pathParams["id"] == "1" ? nil : .text("param") }
      try server.stub(.get, "/books/1") { _ in nil }
      try server.stub(.get, "/books/1", times: 1) { _ in nil }
      let client = try RawClient(server)
      // A request that was declined does not count as responded to.
      for _ in 0..<2 { XCTAssertEqual(try client.get("/books/1").content, "any") }
      XCTAssertEqual(try client.get("/books/2").content, "param")
      XCTAssertEqual(
        server.journal.requests.map(\.description),
        ["GET /books/1 -> 200 by GET /*", "GET /books/1 -> 200 by GET /*", "GET /books/2 -> 200 by GET /books/:id"])
      XCTAssertEqual(server.journal.requests.last?.request.pathParams, ["id": "2"])
    }
  }

  func testARequestThatAllStubsDeclineIsUnmatched() throws {
    try withServer { server in
      try server.stub(.get, "/books") { _ in nil }
      let response = try RawClient(server).get("/books")
      XCTAssertEqual(response.status, 404)
      XCTAssertEqual(
        response.content,
        #"{"differs":["its closure has declined it"],"error":"no stub matches GET /books","nearest":"GET /books"}"#
          + "\n"
      )
      XCTAssertEqual(server.journal.requests.map(\.isUnmatched), [true])
    }
  }
}
