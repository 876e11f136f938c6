import TestSupport

@testable import TrackingServer
@testable import TrackingChecks
@testable import TrackingVerifier

/// The place of responses in an order: the moment at which each was sent.
final class ResponseOrderTests: XCTestCase {
  private let reporter = RecordingReporter()
  private lazy var verifier = TrackingVerifier(
    with: self, configuration: .init(timeout: 0, settling: 0, checksAtStop: [], reporter: reporter))

  private func request(_ path: String) -> Int? {
    verifier.journal.record(RecordedRequest(ReceivedRequest(method: "POST", path: path), connection: 1, exchange: 1))
  }

  private func respond(_ number: Int?, _ status: Int = 201) {
    verifier.journal.complete(number, with: RecordedResponse(status: status))
  }

  private func track(_ name: String) { verifier.tracker.trackEvent(TrackingEvent(name: name)) }

  private let ordered = TrackingCheck<CheckOutcome>.inOrder([
    .request(.post, "/orders").responded(201), .named("order_placed"),
  ])

  func testAnEventBeforeTheResponseIsTooEarly() {
    let order = request("/orders")
    track("order_placed")
    respond(order)
    let outcome = verifier.outcome(of: ordered)
    XCTAssertEqual(outcome.failure?.kind, .wrongOrder)
    assertText(
      unwrapped(outcome.failure?.message),
      """
      Expected 1 event and 1 request in order, but the 2nd, "order_placed", arrived before the 1st (#2 before #1)

      Expected:
          1. the request POST /orders responded 201
          2. an event named "order_placed"

      Received, by time since the wait began:
          #1  +N ms  POST /orders, response later
          #2  +N ms  too early  order_placed()
          #1  +N ms  1 of 2     response: POST /orders -> 201
      """)
    track("order_placed")
    XCTAssertTrue(verifier.outcome(of: ordered).passed)
  }

  /// The message without its times, and with its first paragraph on one line: where that is broken depends on the times.
  private func unwrapped(_ message: String?) -> String? {
    guard var paragraphs = message?.components(separatedBy: "\n\n") else { return nil }
    paragraphs[0] = paragraphs[0].replacing("\n", with: " ")
    return paragraphs.joined(separator: "\n\n").timeless
  }

  func testARequestItsSpinnerAndItsResponseAreAnOrder() {
    let order = request("/orders")
    track("spinner_shown")
    respond(order)
    XCTAssertTrue(
      verifier.outcome(
        of: .inOrder([
          .request(.post, "/orders"), .named("spinner_shown"), .request(.post, "/orders").responded(in: 200...299),
        ])
      ).passed)
  }

  func testARequestItsSpinnerAndItsResponseAreConsecutive() {
    let patterns: [EntryPattern] = [
      .request(.post, "/orders"), .named("spinner_shown"), .request(.post, "/orders").responded(),
    ]
    let order = request("/orders")
    track("spinner_shown")
    respond(order)
    let outcome = verifier.outcome(of: .consecutive(patterns))
    XCTAssertNil(outcome.failure)
    XCTAssertEqual(outcome.matched.map(\.number), [1, 2, 1])
    // Its arrival doesn't separate what its response follows, and its response separates nothing.
    XCTAssertTrue(verifier.outcome(of: .consecutive(Array(patterns.dropFirst()))).passed)
    track("order_placed")
    XCTAssertTrue(
      verifier.outcome(of: .consecutive([patterns[2], .named("order_placed")])).passed)
  }

  func testAnotherRequestOrItsResponseSeparates() {
    let orders = [request("/orders"), request("/orders")]
    track("spinner_shown")
    respond(orders[0])
    respond(orders[1])
    let check = TrackingCheck<CheckOutcome>.consecutive([
      .request(.post, "/orders"), .named("spinner_shown"), .request(.post, "/orders").responded(),
      .request(.post, "/orders").responded(500),
    ])
    assertText(
      unwrapped(verifier.outcome(of: check).failure?.message),
      """
      Expected 1 event and 3 requests in a row, but #2, POST /orders, was responded to after #1 At most the first 3 arrived in a row: #1, #3 and #1.

      Expected:
          1. the request POST /orders
          2. an event named "spinner_shown"
          3. the request POST /orders responded
          4. the request POST /orders responded 500

      Nearest to the 4th is #2, responded N ms before the wait began (! differs):
                    expected  request
            path    /orders   /orders
            method  POST      POST
          ! status  500       201

      Received, by time since the wait began:
          #1  +N ms  1 of 4   POST /orders, response later
          #2  +N ms  POST /orders, response later
          #3  +N ms  2 of 4   spinner_shown()
          #1  +N ms  3 of 4   response: POST /orders -> 201
          #2  +N ms  between  response: POST /orders -> 201
      """)
    let early = TrackingCheck<CheckOutcome>.consecutive([
      .request(.post, "/orders"), .request(.post, "/orders").responded(), .named("spinner_shown"),
    ])
    assertText(
      unwrapped(verifier.outcome(of: early).failure?.message),
      """
      Expected 1 event and 2 requests in a row, but #3, spinner_shown(), arrived after #2 instead of POST /orders responded

      Expected:
          1. the request POST /orders
          2. the request POST /orders responded
          3. an event named "spinner_shown"

      Received, by time since the wait began:
          #1  +N ms  POST /orders, response later
          #2  +N ms  1 of 3   POST /orders, response later
          #3  +N ms  between  spinner_shown()
          #1  +N ms  response: POST /orders -> 201
          #2  +N ms  response: POST /orders -> 201
      """)
  }

  func testAnArrivalThatTheNextPatternMatchesMayBeLeftOutForItsResponse() {
    track("a")
    let order = request("/orders")
    track("b")
    respond(order)
    let patterns: [EntryPattern] = [
      .named("a"), .named("b").or(.request(.any, "/*")), .request(.post, "/orders").responded(201),
    ]
    let outcome = verifier.outcome(of: .consecutive(patterns))
    XCTAssertNil(outcome.failure)
    XCTAssertEqual(outcome.matched.map(\.number), [1, 3, 2])
    // The request itself may be the match, too.
    XCTAssertTrue(verifier.outcome(of: .consecutive([patterns[0], patterns[1], .named("b")])).passed)
    // A response that the next pattern matches may be left out, since its request is a match.
    track("c")
    let later: [EntryPattern] = [
      .request(.post, "/orders"), .named("b"), .named("c").or(.request(.any, "/*").responded()), .named("d"),
    ]
    track("d")
    XCTAssertEqual(verifier.outcome(of: .consecutive(later)).matched.map(\.number), [2, 3, 4, 5])
  }

  func testManyRequestsThatMayBeLeftOutTakeNoTime() {
    let any = EntryPattern.request(.any, "/*").or(EntryPattern.request(.any, "/*").responded())
    let open = (0..<40).map { _ in request("/orders") }
    for number in open { respond(number) }
    let check = TrackingCheck<CheckOutcome>.consecutive(Array(repeating: any, count: 24) + [.named("never")])
    XCTAssertFalse(verifier.outcome(of: check).passed)
  }

  func testADelayedResponseIsSentAfterItsDelay() throws {
    let number = try XCTUnwrap(
      verifier.journal.record(
        RecordedRequest(
          ReceivedRequest(method: "POST", path: "/orders"), connection: 1, exchange: 1,
          response: RecordedResponse(status: 201)),
        isSent: false))
    track("order_placed")
    // The status is known, but the response isn't sent.
    XCTAssertFalse(verifier.outcome(of: .count(1, of: .request(.post, "/orders").responded(201))).passed)
    XCTAssertFalse(verifier.outcome(of: ordered).passed)
    verifier.journal.noteSending(of: number)
    XCTAssertFalse(verifier.outcome(of: ordered).passed)
    track("order_placed")
    XCTAssertTrue(verifier.outcome(of: ordered).passed)
  }

  func testAResponseAfterAMarkIsAfterItAlthoughItsRequestIsNot() {
    let order = request("/orders")
    let early = request("/orders")
    respond(early)
    let mark = verifier.mark()
    XCTAssertFalse(verifier.outcome(of: .inOrder([.request(.post, "/orders").responded()]), since: mark).passed)
    respond(order)
    track("order_placed")
    XCTAssertTrue(verifier.outcome(of: ordered, since: mark).passed)
    XCTAssertFalse(verifier.outcome(of: ordered, since: verifier.mark()).passed)
  }

  func testAFailureSinceAMarkKnowsTheResponsesToEarlierRequests() {
    let order = request("/orders")
    let mark = verifier.mark()
    respond(order)
    _ = request("/cart")
    let (cart, placed) = (EntryPattern.request(.post, "/cart"), EntryPattern.request(.post, "/orders").responded(201))
    let early = verifier.outcome(of: .inOrder([cart, placed]), since: mark).failure
    XCTAssertEqual(early?.kind, .wrongOrder)
    assertText(
      unwrapped(early?.message),
      """
      Expected 2 requests in order, but the 2nd, POST /orders responded 201, was responded to before the 1st (#1 before #2)

      Expected:
          1. the request POST /cart
          2. the request POST /orders responded 201

      Received, by time since the wait began:
          #1  +N ms  before the mark  POST /orders, response later
          #1  +N ms  too early        response: POST /orders -> 201
          #2  +N ms  1 of 2           POST /cart, no response yet
      """)
    let consecutive = verifier.outcome(of: .consecutive([cart, placed]), since: mark).failure
    XCTAssertEqual(consecutive?.kind, .wrongOrder)
    assertText(
      unwrapped(consecutive?.message),
      """
      Expected 2 requests in a row, but the 2nd, POST /orders responded 201, was responded to before the 1st (#1 before #2)

      Expected:
          1. the request POST /cart
          2. the request POST /orders responded 201

      Received, by time since the wait began:
          #1  +N ms  before the mark  POST /orders, response later
          #1  +N ms  too early        response: POST /orders -> 201
          #2  +N ms  1 of 2           POST /cart, no response yet
      """)
    // Its status is the nearest miss, although its request came before the mark.
    let other = TrackingCheck<CheckOutcome>.inOrder([.request(.post, "/orders").responded(200)])
    assertText(
      unwrapped(verifier.outcome(of: other, since: mark).failure?.message),
      """
      Expected 1 request in order, but the 1st, POST /orders responded 200, didn't arrive within 0 s; #1 has the status 201

      Expected:
          1. the request POST /orders responded 200

      Nearest to the 1st is #1, responded N ms before the wait began (! differs):
                    expected  request
            path    /orders   /orders
            method  POST      POST
          ! status  200       201

      Received, by time since the wait began:
          #2  +N ms  POST /cart, no response yet
      """)
    XCTAssertEqual(
      verifier.outcome(of: .none(of: placed, before: cart), since: mark).failure?.kind, .unexpectedExtra)
    let late = verifier.outcome(of: .none(of: cart, before: .named("a")), since: verifier.mark()).failure
    XCTAssertTrue(late?.message.contains("; nothing arrived at all") ?? false, late?.message ?? "")
  }

  func testAResponseAfterAResetBelongsToTheTimeBeforeIt() throws {
    let server = TrackingServer()
    let shared = TrackingVerifier(
      with: self, server: server, configuration: .init(timeout: 0, settling: 0, checksAtStop: [], reporter: reporter))
    for verifier in [verifier, shared] {
      let journal = verifier.journal
      let number = journal.record(
        RecordedRequest(ReceivedRequest(method: "POST", path: "/orders"), connection: 1, exchange: 1))
      verifier.reset()
      let mark = verifier.mark()
      journal.complete(number, with: RecordedResponse(status: 201))
      verifier.tracker.trackEvent(TrackingEvent(name: "order_placed"))
      XCTAssertFalse(verifier.outcome(of: ordered).passed)
      XCTAssertFalse(verifier.outcome(of: ordered, since: mark).passed)
      XCTAssertTrue(verifier.outcome(of: .none(of: .request(.any, "/*"), before: .named("order_placed"))).passed)
    }
  }

  func testARequestComesBeforeItsOwnResponse() {
    respond(request("/orders"))
    let placed = EntryPattern.request(.post, "/orders")
    XCTAssertEqual(
      verifier.outcome(of: .none(of: placed, before: placed.responded())).failure?.kind, .unexpectedExtra)
    XCTAssertTrue(verifier.outcome(of: .none(of: placed.responded(), before: placed)).passed)
    XCTAssertTrue(verifier.outcome(of: .none(of: placed, before: placed)).passed)
  }

  func testAResponseAfterACountMakesItsRequestAnExtra() {
    let slow = request("/orders")
    respond(request("/orders"))
    verifier.wait(for: .request(.post, "/orders").responded(201), count: 1)
    respond(slow)
    verifier.stop()
    assertTexts(
      reporter.messages.map(\.timeless),
      [
        """
        1 extra request was responded to after the wait for POST /orders responded 201 had passed: #1
        No later wait expected it.

        Received, by time since the wait began:
            #1  +N ms  POST /orders, response later
            #1  +N ms  response: POST /orders -> 201
        """
      ])
  }

  func testAResponseThatIsSentDuringAWaitEndsIt() {
    let order = request("/orders")
    let (verifier, check) = (verifier, ordered)
    let thread = Thread {
      while verifier.waits.count == 0 { usleep(1_000) }
      verifier.journal.complete(order, with: RecordedResponse(status: 201))
      verifier.tracker.trackEvent(TrackingEvent(name: "order_placed"))
    }
    thread.start()
    XCTAssertTrue(verifier.outcome(of: check, timeout: 60).passed)
  }

  func testADelayedStubOverASocket() async throws {
    verifier.start()
    let gate = StubGate()
    verifier.stub(.post, "/orders", .status(201).held(by: gate))
    let client = AppClient(verifier)
    async let response = client.send("POST", "/orders")
    await verifier.wait(for: .request(.post, "/orders"), timeout: 60)
    track("order_placed")
    gate.open()
    _ = try await response
    await verifier.wait(for: .request(.post, "/orders").responded(201), timeout: 60)
    let kind = await verifier.outcome(of: ordered).failure?.kind
    XCTAssertEqual(kind, .wrongOrder)
  }
}
