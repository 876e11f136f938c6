import TestSupport
import TrackingVerifier

/// Waits for requests, as for events.
final class RequestWaitTests: XCTestCase {
  private let reporter = RecordingReporter()
  private lazy var verifier = TrackingVerifier(
    with: self, configuration: .init(timeout: 30, settling: 0.05, reporter: reporter))

  override func setUp() {
    super.setUp()
    verifier.start()
    verifier.stub(.get, "/books/:id", .ok)
    verifier.stub(.post, "/orders", .status(201))
  }

  func testARequestFromBeforeTheWaitCounts() async throws {
    _ = try await AppClient(verifier).send("GET", "/books/42?lang=en")
    let request = await verifier.wait(for: .request(.get, "/books/:id", query: .subset(["lang": "en"])))
    XCTAssertEqual(request?.description, "GET /books/42?lang=en -> 200 by GET /books/:id")
    XCTAssertEqual(request?.exchange, 1)
    XCTAssertEqual(reporter.messages, [])
  }

  func testARequestDuringTheWaitEndsIt() async throws {
    let client = AppClient(verifier)
    async let sent: [AppClient.Response] = [
      client.send("POST", "/orders", #"{"product":41}"#), client.send("POST", "/orders", #"{"product":42,"n":1}"#),
    ]
    let order = await verifier.wait(for: .request(.post, "/orders", body: .jsonSubset(["product": 42])))
    let statuses = try await sent.map(\.status)
    XCTAssertEqual(order?.request.text, #"{"product":42,"n":1}"#)
    XCTAssertEqual(order?.status, 201)
    XCTAssertEqual(statuses, [201, 201])
    XCTAssertEqual(reporter.messages, [])
  }

  func testABlockingWaitIsEndedByARequestToo() throws {
    let curl = try Tool("curl")
    let url = "\(verifier.baseURL)/books/42"
    let sender = Thread { _ = try? curl.output("-s", url) }
    sender.start()
    XCTAssertEqual(verifier.wait(for: .request(.get, "/books/:id"))?.target, "/books/42")
    XCTAssertEqual(verifier.wait(for: .request(.any, .regex("/books/.*")), count: .atLeast(1)).count, 1)
    XCTAssertEqual(reporter.messages, [])
  }

  func testAnAbsenceOfRequestsTakesTheSettlingTime() async throws {
    let verifier = TrackingVerifier(with: self, configuration: .init(timeout: 60, settling: 30, reporter: reporter))
    verifier.start()
    let client = AppClient(verifier)
    async let sent = client.send("GET", "/books/1")
    // Would return before the request comes if it did not listen.
    let requests = await verifier.wait(for: .request(.get, "/books/:id"), count: 0)
    _ = try await sent
    XCTAssertEqual(requests.map(\.target), ["/books/1"])
    XCTAssertEqual(reporter.kinds, [.tooMany])
  }

  // MARK: - After the wait

  // MARK: - Invalid checks

  func testInvalidChecks() {
    let (_, path) = (verifier.wait(for: .request(.get, "books"), timeout: 600), #line as UInt)
    let (_, regex) = (verifier.wait(for: .request(.get, .regex("/books[")), timeout: 600), #line as UInt)
    let (_, count) = (verifier.wait(for: .request(.get, "/books"), count: -1, timeout: 600), #line as UInt)
    let mark = TrackingVerifier(with: self, configuration: .init(reporter: reporter)).mark()
    let (_, foreign) = (verifier.wait(for: .request(.get, "/books"), since: mark, timeout: 600), #line as UInt)
    XCTAssertEqual(
      reporter.sentences,
      [
        "The pattern cannot match any request: the path \"books\" doesn't begin with a slash.",
        "The pattern cannot match any request: the path \"/books[\" isn't a valid regular expression.",
        "A count cannot be negative: exactly -1 times.",
        "This mark comes from a verifier with another server. Create it with the verifier you wait on.",
      ])
    XCTAssertEqual(reporter.kinds, [.misuse, .misuse, .misuse, .misuse])
    XCTAssertEqual(reporter.lines, [path, regex, count, foreign])
  }
}
