import TestSupport
import TrackingVerifier

/// The messages of failed waits for requests, word for word.
final class RequestFailureTests: XCTestCase {
  private let reporter = RecordingReporter()
  private lazy var verifier = TrackingVerifier(
    with: self, configuration: .init(timeout: 0, settling: 0, reporter: reporter))

  private var message: String { reporter.messages.last?.timeless ?? "" }

  func testNoConnection() {
    verifier.start()
    let (request, line) = (verifier.wait(for: .request(.get, "/books/:id"), timeout: 0.01), #line as UInt)
    XCTAssertNil(request)
    assertText(
      message,
      """
      No request GET /books/:id arrived within 0.01 s; no app connected

      No request reached \(verifier.endpoint.url.absoluteString). Is the app configured to use `verifier.baseURL`?
      """)
    XCTAssertEqual(reporter.kinds, [.tooFew])
    XCTAssertEqual(reporter.lines, [line])
  }

  func testNoAppWasGivenTheAddress() {
    verifier.wait(for: .request(.get, "/books"))
    assertText(
      message,
      """
      No request GET /books arrived within 0 s; nothing arrived at all

      `launchEnvironment` wasn't passed to any app, so no request could reach the server.
      """)
  }

  func testTheNearestRequestAndAllRequests() async throws {
    verifier.start()
    verifier.stub(.get, "/books/:id", .ok)
    let client = AppClient(verifier)
    _ = try await client.send("GET", "/books/42")
    _ = try await client.send("POST", "/orders", #"{"product":41}"#)
    await verifier.wait(for: .request(.post, "/orders", body: .jsonSubset(["product": 42])))
    assertText(
      message,
      """
      No request POST /orders with {"product": 42} arrived within 0 s; #2 has {"product": 41}

      Nearest is #2, N ms before the wait began (! differs):
                     expected  request
            path     /orders   /orders
            method   POST      POST
          ! product  42        41

      Received, by time since the wait began:
          #1  +N ms  GET /books/42 -> 200 by GET /books/:id
          #2  +N ms  POST /orders -> 404, no stub matches

      No stub matched 1 request:
          POST /orders
              nearest is GET /books/:id: the path is /orders, not /books/:id; the method is POST, not GET
                        stub        request
              ! path    /books/:id  /orders
              ! method  GET         POST
      """)
  }

  func testAWaitForATrackersRequestIsReferredToItsEvents() async throws {
    verifier.start()
    _ = try await AppClient(verifier).send("POST", "/", #"{"name":"tapped"}"#, type: "application/json")
    await verifier.wait(for: .request(.post, "/"))
    assertText(
      message,
      """
      No request POST / arrived within 0 s; no request arrived at all
      An accepted submission of events to POST / is not a request: wait for its events.

      Received, by time since the wait began:
          #1  +N ms  tapped()

      1 connection reached \(verifier.endpoint.url.absoluteString), but sent no request.
      """)
  }

  func testItIsReferredByThePathOfTheEvents() async throws {
    var configuration = TrackingVerifier.Configuration(timeout: 0, reporter: reporter)
    configuration.server.eventPath = "/events"
    let verifier = TrackingVerifier(with: self, configuration: configuration)
    verifier.start()
    _ = try await AppClient(verifier).send("POST", "/events", #"{"name":"tapped"}"#, type: "application/json")
    for path in ["/", "/events"] { await verifier.wait(for: .request(.post, .template(path))) }
    XCTAssertEqual(
      reporter.messages.map { $0.contains("An accepted submission of events to POST /events is not a request") },
      [false, true], message)
  }

  // MARK: - Requests that nothing serves

  func testAMissingEventIsReportedWithTheUnmatchedRequests() async throws {
    verifier.start()
    let client = AppClient(verifier)
    _ = try await client.statuses("/books?q=1", count: 2)
    _ = try await client.send("POST", "/orders")
    await verifier.wait(for: .named("books_shown"))
    assertText(
      message.replacing(/\d+ connections? reached/, with: "N connections reached"),
      """
      No event named "books_shown" arrived within 0 s; 3 requests matched no stub

      Received, by time since the wait began:
          #1  +N ms  GET /books?q=1 -> 404, no stub matches
          #2  +N ms  GET /books?q=1 -> 404, no stub matches
          #3  +N ms  POST /orders -> 404, no stub matches

      No stub matched 3 requests: GET /books (twice) and POST /orders.

      N connections reached \(verifier.endpoint.url.absoluteString), but sent no event, and no `TrackerDouble` has connected.
      """)
  }

  func testAnEventThatIsMissingIsSaidWithTheNearestStubsOfTheAppsRequests() async throws {
    verifier.start()
    verifier.stub(.request(.get, "/books/:id", query: ["lang": "en"], headers: ["X-Key": .hasPrefix("k")]), .ok)
    let client = AppClient(verifier)
    _ = try await client.statuses("/books/1?lang=de", count: 2)
    for number in 1...11 { _ = try await client.statuses("/\(number)", count: 1) }
    await verifier.wait(for: .named("books_shown"))
    let list = try XCTUnwrap(message.range(of: "No stub matched"))
    let text = message[list.lowerBound...]
    XCTAssertTrue(
      text.hasPrefix(
        """
        No stub matched 13 requests:
            GET /books/1?lang=de (twice)
                nearest is GET /books/:id with lang=en in the query with X-Key: (a text that begins with
                "k"): lang in the query is "de", not "en"; the header X-Key is missing, not a text that
                begins with "k"
                          stub                         request
                  path    /books/:id                   /books/1
                  method  GET                          GET
                ! lang    "en"                         "de"
                ! X-Key   a text that begins with "k"  missing
            GET /1
        """), message)
    // The first three side by side, ten by name.
    XCTAssertEqual(text.components(separatedBy: "stub  ").count, 4, message)
    XCTAssertTrue(text.contains("\n    GET /9\n"), message)
    XCTAssertTrue(text.contains("\n    ... 2 more"), message)
  }

  func testAnyRequestWithoutAStubCanFailTheTest() async throws {
    let verifier = TrackingVerifier(
      with: self, configuration: .init(checksAtStop: [.delivery, .noUnmatchedRequests], reporter: reporter))
    let (_, line) = (verifier.start(), #line as UInt)
    verifier.stub(.get, "/books", .ok)
    _ = try await AppClient(verifier).statuses("/books", count: 1)
    _ = try await AppClient(verifier).statuses("/book", count: 1)
    verifier.stop()
    verifier.stop()
    assertTexts(
      reporter.messages.map(\.timeless),
      [
        """
        1 request matched no stub: GET /book
            GET /book
                nearest is GET /books: the path is /book, not /books
                          stub    request
                ! path    /books  /book
                  method  GET     GET

        Received, by time since the first arrival:
            #1  +N ms  GET /books -> 200 by GET /books
            #2  +N ms  unmatched  GET /book -> 404, no stub matches
        """
      ])
    XCTAssertEqual(reporter.kinds, [.unmatchedRequest])
    XCTAssertEqual(reporter.lines, [line])
  }

  func testARequestThatAFailureHasNoRoomForIsReportedAtTheEnd() async throws {
    let verifier = TrackingVerifier(
      with: self, configuration: .init(settling: 0, checksAtStop: [.noUnmatchedRequests], reporter: reporter))
    verifier.start()
    verifier.stub(.get, "/ok", .ok)
    let client = AppClient(verifier)
    _ = try await client.statuses("/config", count: 1)
    _ = try await client.statuses("/ok", count: 25)
    _ = try await client.statuses("/style", count: 1)
    await verifier.wait(for: .none(of: .request(.get, "/ok"), within: 0))
    XCTAssertFalse(message.contains("/config"), message)
    XCTAssertTrue(message.contains("GET /style -> 404"), message)
    verifier.stop()
    XCTAssertEqual(reporter.kinds, [.unexpectedExtra, .unmatchedRequest])
    XCTAssertTrue(message.hasPrefix("1 request matched no stub: GET /config\n"), message)
  }

  func testARequestFromBeforeAResetIsNotReportedAfterIt() async throws {
    let server = TrackingServer()
    defer { server.stop() }
    let verifier = TrackingVerifier(
      with: self, server: server, configuration: .init(checksAtStop: [.noUnmatchedRequests], reporter: reporter))
    verifier.start()
    verifier.stop()
    _ = try await AppClient(verifier).statuses("/book", count: 1)
    verifier.reset()
    verifier.stop()
    XCTAssertEqual(reporter.messages, [])
  }

  func testAWaitForNoUnmatchedRequestIsEndedByOne() async throws {
    let verifier = TrackingVerifier(with: self, configuration: .init(settling: 30, reporter: reporter))
    verifier.start()
    let client = AppClient(verifier)
    async let status = client.send("GET", "/books").status
    await verifier.wait(for: .noUnmatchedRequests, timeout: 60)
    let found = try await status
    XCTAssertEqual(found, 404)
    assertText(
      message,
      """
      1 request matched no stub: GET /books

      Received, by time since the wait began:
          #1  +N ms  unmatched  GET /books -> 404, no stub matches
      """)
  }

  func testRequestsThatAFullJournalCannotKeepAreReported() async throws {
    var configuration = TrackingVerifier.Configuration(reporter: reporter)
    configuration.server.limits.journalEvents = 2
    let verifier = TrackingVerifier(with: self, configuration: configuration)
    verifier.start()
    verifier.stub(.get, "/books", .ok)
    let statuses = try await AppClient(verifier).statuses("/books", count: 5)
    XCTAssertEqual(statuses, [200, 200, 200, 200, 200])
    XCTAssertEqual(verifier.requests.count, 2)
    for _ in 1...3 { verifier.tracker.trackEvent(.tapped) }
    verifier.stop()
    verifier.stop()
    XCTAssertEqual(
      reporter.sentences,
      [
        """
        1 submission was refused, 3 requests were not kept: the journal is full (2 events or 256 MiB of \
        bodies) Reset the verifier.
        """
      ])
    XCTAssertEqual(reporter.kinds, [.journalFull])
  }

  func testNoFailureWhenAllRequestsAreStubbed() async throws {
    verifier.start()
    verifier.stub(.get, "/books", .ok)
    _ = try await AppClient(verifier).statuses("/books", count: 1)
    let outcome = await verifier.outcome(of: .noUnmatchedRequests)
    XCTAssertTrue(outcome.passed, "\(outcome)")
  }
}
