import TestSupport
import TrackingVerifier
import XCTest

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
    async let sent: [AppClient.Answer] = [
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

  func testANumberOfRequestsSinceAMark() async throws {
    let client = AppClient(verifier)
    _ = try await client.statuses("/books/1", count: 2)
    let mark = verifier.mark()
    _ = try await client.statuses("/books/2", count: 2)
    let since = await verifier.wait(for: .request(.get, "/books/:id"), count: 2, since: mark)
    let all = await verifier.wait(for: .request(.get, "/books/:id"), count: 3...4)
    XCTAssertEqual(since.map(\.target), ["/books/2", "/books/2"])
    XCTAssertEqual(all.map(\.number), [1, 2, 3, 4])
    verifier.reset()
    let none = await verifier.wait(for: .request(.get, "/books/:id"), count: 0)
    XCTAssertEqual(none, [])
    XCTAssertEqual(reporter.messages, [])
  }

  func testAnAbsenceOfRequestsTakesTheSettlingTime() async throws {
    let verifier = TrackingVerifier(with: self, configuration: .init(timeout: 0, settling: 30, reporter: reporter))
    verifier.start()
    let client = AppClient(verifier)
    async let sent = client.send("GET", "/books/1")
    // Would return before the request comes if it did not listen.
    let requests = await verifier.wait(for: .request(.get, "/books/:id"), count: 0, timeout: 60)
    _ = try await sent
    XCTAssertEqual(requests.map(\.target), ["/books/1"])
    XCTAssertEqual(reporter.kinds, [.tooMany])
  }

  // MARK: - After the wait

  func testAnExtraAfterTheWaitIsReportedAtTheStop() async throws {
    let client = AppClient(verifier)
    _ = try await client.send("GET", "/books/1")
    let (_, line) = (await verifier.wait(for: .request(.get, "/books/:id"), count: 1), #line as UInt)
    _ = try await client.send("GET", "/books/2")
    _ = try await client.send("POST", "/orders")
    verifier.stop()
    verifier.stop()
    assertTexts(
      reporter.messages.map(\.timeless),
      [
        """
        Waited for the request GET /books/:id, exactly once
        One too many arrived after the wait had succeeded, and no other wait asked for it:
            #2  +N ms  GET /books/2 -> 200 by GET /books/:id
        """
      ])
    XCTAssertEqual(reporter.kinds, [.tooMany])
    XCTAssertEqual(reporter.lines, [line])
  }

  func testAMatchOfAnotherWaitIsNoExtraAndAResetKeepsFindings() async throws {
    let client = AppClient(verifier)
    await verifier.wait(for: .request(.get, "/books/:id"), count: 0)
    let mark = verifier.mark()
    _ = try await client.send("GET", "/books/1")
    await verifier.wait(for: .request(.get, "/books/:id"), since: mark)
    verifier.reset()
    XCTAssertEqual(reporter.messages, [])
    await verifier.wait(for: .request(.get, "/books/:id"), count: .atMost(1))
    _ = try await client.statuses("/books/2", count: 2)
    verifier.reset()
    verifier.stop()
    assertTexts(
      reporter.messages.map(\.timeless),
      [
        """
        Waited for the request GET /books/:id, at most once
        One too many arrived after the wait had succeeded, and no other wait asked for it:
            #3  +N ms  GET /books/2 -> 200 by GET /books/:id
        """
      ])
  }

  func testARequestAfterItsFailedWaitIsReportedAtTheStop() async throws {
    let client = AppClient(verifier)
    await verifier.wait(for: .request(.get, "/books/:id"), count: .atMost(1))
    let (_, one) = (await verifier.wait(for: .request(.get, "/books/:id"), timeout: 0), #line as UInt)
    let (_, two) =
      (await verifier.wait(for: .request(.post, "/orders"), count: .atLeast(2), timeout: 0), #line as UInt)
    _ = try await client.send("GET", "/books/1")
    _ = try await client.send("POST", "/orders")
    verifier.stop()
    verifier.stop()
    XCTAssertEqual(reporter.kinds, [.tooFew, .tooFew, .late])
    XCTAssertEqual(reporter.lines, [one, two, one])
    assertText(
      reporter.messages.last?.timeless,
      """
      Waited 0 s for the request GET /books/:id
      The answer arrived N ms after the deadline:
          #1  +N ms  GET /books/1 -> 200 by GET /books/:id
      """)
  }

  // MARK: - Questions that cannot be asked

  func testACancelledTaskEndsItsWaitAtOnce() async {
    let verifier = verifier
    let task = Task { await verifier.wait(for: .request(.get, "/books"), timeout: 600) }
    task.cancel()
    let request = await task.value
    XCTAssertNil(request)
    XCTAssertEqual(reporter.kinds, [.cancelled])
    XCTAssertEqual(
      reporter.sentences[0].prefix(68), "The task was cancelled while it waited for the request GET /books No")
  }

  func testABlockingWaitInATaskIsRefused() async {
    func ask() { verifier.wait(for: .request(.get, "/books")) }
    ask()
    XCTAssertEqual(reporter.kinds, [.misuse])
  }

  func testInvalidQuestions() {
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
        "The mark is of a verifier with another server: take it from the verifier that waits.",
      ])
    XCTAssertEqual(reporter.kinds, [.misuse, .misuse, .misuse, .misuse])
    XCTAssertEqual(reporter.lines, [path, regex, count, foreign])
  }
}
