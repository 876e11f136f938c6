import TestSupport
import TrackingVerifier

/// The responses of stubs, as `URLSession` sees them.
final class StubResponseTests: XCTestCase {
  private let reporter = RecordingReporter()
  private lazy var verifier = TrackingVerifier(with: self, configuration: .init(timeout: 5, reporter: reporter))
  private lazy var client = AppClient(verifier)

  override func setUp() async throws {
    verifier.start()
  }

  func testEachFormInstallsAStub() async throws {
    verifier.stub(StubEndpoint(.get, "/value", .text("value")))
    verifier.stub(.request(.get, "/short", query: .subset(["q": "a b"])), .text("short"))
    verifier.stub(.request(.any, "/any", body: .formSubset(["user": "anna"])), .status(403))
    verifier.stub(.get, .regex("/user/[0-9]+/picture"), .data(Data("PNG".utf8), type: "image/png"))
    verifier.install(LaunchState.screenshots)

    let value = try await client.text("/value")
    let short = try await client.text("/short?page=1&q=a%20b")
    let any = try await client.send("PUT", "/any", "user=anna&x=1", type: "application/x-www-form-urlencoded")
    let picture = try await client.send("GET", "/user/17/picture")
    let books = try await client.text("/books")

    XCTAssertEqual([value, short, books], ["value", "short", #"["Walden"]"#])
    XCTAssertEqual(any.status, 403)
    XCTAssertEqual(picture, AppClient.Response(status: 200, text: "PNG", type: "image/png"))
    XCTAssertEqual(verifier.unusedStubs.map(\.description), ["GET /orders"])
    XCTAssertEqual(verifier.unmatchedRequests, [])
  }

  func testAStreamTakesEveryConditionOfAStub() async throws {
    let (one, other) = (StubStream(), StubStream())
    verifier.stub(.request(.post, "/chat", body: .text("one")), .stream(one, type: "text/plain"), times: 1)
    verifier.stub(.request(.post, "/chat", host: "localhost"), .stream(other))
    for (stream, text) in [(one, "first"), (other, "second")] {
      stream.send(text)
      stream.finish()
    }
    var texts: [String] = []
    for body in ["one", "one", "two"] { texts.append(try await client.send("POST", "/chat", body).text) }
    XCTAssertEqual(texts, ["first", "second", "second"])
  }

  func testAStreamIsAResponseAmongOthers() async throws {
    let prices = StubStream()
    let stub = verifier.stub(
      .get, "/prices", [.status(503), .eventStream(prices).with(header: "X", "1").delayed(by: 0.01)])
    prices.send("42")
    prices.finish()
    let statuses = try await client.statuses("/prices", count: 1)
    let response = try await client.send("GET", "/prices")
    XCTAssertEqual(statuses, [503])
    XCTAssertEqual(response, AppClient.Response(status: 200, text: "42", type: "text/event-stream"))
    XCTAssertEqual(stub.count, 2)
  }

  // MARK: - Closures that fail

  func testAClosureThatThrowsGets500AndIsReportedOnceAtItsLine() async throws {
    let (_, line) = (verifier.stub(.get, "/books/:id") { _ in throw OutOfPaper() }, #line as UInt)
    let response = try await client.send("GET", "/books/42")
    XCTAssertEqual(
      response,
      AppClient.Response(
        status: 500,
        text: #"{"error":"the closure for GET /books/:id returned no response to /books/42: out of paper"}"# + "\n",
        type: "application/json"))
    XCTAssertEqual(reporter.messages, [])
    verifier.stop()
    verifier.stop()
    XCTAssertEqual(
      reporter.sentences, ["The closure for GET /books/:id returned no response to /books/42: out of paper"])
    XCTAssertEqual(reporter.kinds, [.stubFailed])
    XCTAssertEqual(reporter.lines, [line])
  }

  func testAClosureThatFailsManyTimesIsReportedOnce() async throws {
    verifier.stub(.get, "/books/:id") { _ in throw OutOfPaper() }
    verifier.stub(.get, "/orders") { _ in .status(99) }
    _ = try await client.statuses("/books/42", count: 3)
    _ = try await client.statuses("/orders", count: 1)
    verifier.stop()
    XCTAssertEqual(
      reporter.sentences,
      [
        """
        The closure for GET /books/:id returned no response to /books/42: out of paper The same stub failed twice more.
        """,
        """
        The closure for GET /orders returned no response to /orders 99 isn't the status of a final response, which is from 200 to 599.
        """,
      ])
  }

  func testAClosureThatFailedBeforeAResetIsStillReported() async throws {
    verifier.stub(.get, "/books") { _ in throw OutOfPaper() }
    _ = try await client.statuses("/books", count: 1)
    verifier.reset()
    verifier.reset()
    XCTAssertEqual(verifier.requests, [])
    verifier.stop()
    XCTAssertEqual(reporter.sentences, ["The closure for GET /books returned no response to /books: out of paper"])
  }
}

private struct Order: Codable {
  var product: String
}

private struct OutOfPaper: Error, CustomStringConvertible {
  let description = "out of paper"
}

private enum LaunchState: StubScenario {
  case screenshots

  var stubs: [StubEndpoint] {
    [StubEndpoint(.get, "/books", .json(["Walden"])), StubEndpoint(.get, "/orders", .json(["orders": []]))]
  }
}
