import TestSupport
import TrackingSockets

@testable import TrackingServer
@testable import TrackingVerifier

/// Checks of requests, and about requests and events together.
final class MixedCheckTests: XCTestCase {
  private let reporter = RecordingReporter()
  private lazy var verifier = TrackingVerifier(
    with: self, configuration: .init(timeout: 0, settling: 0, reporter: reporter))

  private func track(_ names: String...) {
    for name in names { verifier.tracker.trackEvent(TrackingEvent(name: name)) }
  }

  @discardableResult
  private func request(
    _ method: ReceivedRequest.Method, _ path: String, body: String = "", status: Int? = 200, isUnmatched: Bool = false
  ) -> Int? {
    verifier.journal.record(
      RecordedRequest(
        ReceivedRequest(method: method, path: path, body: Data(body.utf8)), connection: 1, exchange: 1,
        response: status.map { RecordedResponse(status: $0, isUnmatched: isUnmatched) }))
  }

  private func kind(_ check: TrackingCheck<CheckOutcome>) -> CheckFailure.Kind? {
    verifier.outcome(of: check).failure?.kind
  }

  func testAnOrderOfARequestAndAnEventIsThatOfTheirArrival() {
    request("POST", "/orders")
    track("order_placed")
    let outcome = verifier.wait(for: .inOrder([.request(.post, "/orders"), .named("order_placed")]))
    XCTAssertEqual(outcome.requests.map(\.target), ["/orders"])
    XCTAssertEqual(outcome.events.map(\.name), ["order_placed"])
    XCTAssertEqual(kind(.inOrder([.named("order_placed"), .request(.post, "/orders")])), .wrongOrder)
    XCTAssertEqual(kind(.inOrder([.request(.post, "/orders"), .request(.post, "/orders")])), .tooFew)
  }

  func testARequestSeparatesEventsOnlyIfAPatternIsForRequests() {
    track("a")
    request("GET", "/picture")
    track("b")
    XCTAssertNil(kind(.consecutive([.named("a"), .named("b")])))
    XCTAssertNil(kind(.consecutive([.named("a"), .request(.any, "/*"), .named("b")])))
    XCTAssertEqual(kind(.consecutive([.named("a"), .named("b").or(.request(.get, "/other"))])), .unexpectedExtra)
  }

  func testCountsAndAbsenceOfRequests() {
    request("GET", "/books/1")
    request("GET", "/books/2")
    XCTAssertEqual(verifier.wait(for: .request(.get, "/books/:id"), count: 2).map(\.target), ["/books/1", "/books/2"])
    XCTAssertEqual(verifier.wait(for: .request(.get, "/books/:id"), count: 1...).count, 2)
    XCTAssertNil(kind(.count(1...2, of: .request(.get, "/books/:id"))))
    XCTAssertNil(kind(.none(of: .request(.any, "/ads/*"))))
    XCTAssertEqual(kind(.none(of: .request(.any, "/books/*"))), .unexpectedExtra)
    XCTAssertEqual(kind(.count(.atMost(1), of: .request(.get, "/books/:id"))), .tooMany)
    XCTAssertEqual(reporter.messages, [])
  }

  func testAnyOrderAcrossKinds() {
    request("POST", "/orders")
    track("order_placed", "receipt_shown")
    XCTAssertNil(
      kind(.inAnyOrder([.named("receipt_shown"), .request(.post, "/orders"), .named("order_placed")])))
    XCTAssertEqual(kind(.inAnyOrder([.request(.post, "/orders"), .request(.post, "/orders")])), .tooFew)
  }

  func testNothingElseAmongRequests() {
    request("POST", "/orders")
    request("GET", "/picture")
    track("order_placed")
    verifier.wait(for: .request(.post, "/orders"))
    XCTAssertEqual(kind(.nothingElse(among: .requests)), .unexpectedExtra)
    XCTAssertNil(kind(.nothingElse(among: .requests, ignoring: [.request(.get, "/picture")])))
    XCTAssertEqual(
      kind(.nothingElse(among: [.events, .requests], ignoring: [.request(.get, "/picture")])), .unexpectedExtra)
  }

  func testTwoEqualRequestsAreDuplicates() {
    request("POST", "/orders", body: #"{"id": 1}"#)
    request("POST", "/orders", body: #"{"id": 2}"#)
    XCTAssertNil(kind(.noDuplicates(within: .infinity, among: .requests)))
    request("POST", "/orders", body: #"{ "id": 1.0 }"#)
    XCTAssertEqual(kind(.noDuplicates(within: .infinity, among: .requests)), .duplicate)
    XCTAssertNil(kind(.noDuplicates(within: .infinity)))
    let message = verifier.outcome(of: .noDuplicates(within: .infinity, among: .requests)).failure?.message.timeless
    assertText(
      message?.replacing(/[0-9.]+ ms apart/, with: "N ms apart"),
      """
      Two equal requests, #1 and #3, arrived N ms apart: POST /orders
      They are equal in method, path and JSON.

      Received, by time since the wait began:
          #1  +N ms  equal  POST /orders -> 200
          #2  +N ms  POST /orders -> 200
          #3  +N ms  equal  POST /orders -> 200
      """)
  }

  func testADuplicateThatCanNotBeReadWhollyIsADoubt() {
    for _ in 0..<2 {
      verifier.journal.record(
        RecordedRequest(
          ReceivedRequest(method: .post, path: "/orders", body: Data("{\"id\": 1}".utf8)), keeping: 5, connection: 1,
          exchange: 1))
    }
    let failure = verifier.outcome(of: .noDuplicates(within: .infinity, among: .requests)).failure
    XCTAssertEqual(failure?.kind, .duplicate)
    let sentence = "Can't tell whether the requests #1 and #2 are equal: only 5 of their 9 bytes were kept\n"
    XCTAssertTrue(failure?.message.hasPrefix(sentence) ?? false, failure?.message ?? "")
    // Whether a request is to be ignored may be unknown, too.
    let ignored = EntryPattern.request(.post, "/orders", body: .json(["id": 1]))
    let unread = verifier.outcome(of: .noDuplicates(within: .infinity, among: .requests, ignoring: [ignored])).failure
    XCTAssertTrue(
      unread?.message.contains("Can't tell whether #1 should be ignored: only 5 of its 9 bytes were kept.") ?? false,
      unread?.message ?? "")
  }

  func testBodiesOfAnEncoderThatOrdersMembersAnewAreEqual() throws {
    struct Payment: Encodable {
      let id = 42
      let amount = 9.5
      let currency = "EUR"
      let address = ["street": "Main Street", "city": "Springfield", "zip": "12345"]
    }
    var bodies: Set<Data> = []
    for _ in 0..<20 {
      verifier.reset()
      for _ in 0..<2 {
        let body = try JSONEncoder().encode(Payment())
        bodies.insert(body)
        request("POST", "/payments", body: String(decoding: body, as: UTF8.self))
      }
      XCTAssertEqual(kind(.noDuplicates(within: .infinity, among: .requests)), .duplicate)
    }
    XCTAssertGreaterThan(bodies.count, 1, "the encoder doesn't order members differently any more")
  }

  func testNextTakesWhatNoEarlierWaitHasMatched() {
    track("tapped")
    verifier.wait(for: .named("tapped"))
    verifier.wait(for: .named("tapped"))
    XCTAssertNil(verifier.wait(for: .next(.named("tapped"))))
    XCTAssertEqual(reporter.kinds, [.tooFew])
    track("tapped", "tapped")
    XCTAssertNotNil(verifier.wait(for: .next(.named("tapped"))))
    XCTAssertNotNil(verifier.wait(for: .next(.named("tapped"))))
    XCTAssertNil(verifier.wait(for: .next(.named("tapped"))))
    XCTAssertEqual(reporter.kinds, [.tooFew, .tooFew])
  }

  func testNextOfRequestsAndTypedEvents() async {
    request("GET", "/books/1")
    request("GET", "/books/2")
    let targets = [
      await verifier.wait(for: .next(.request(.get, "/books/:id"))),
      await verifier.wait(for: .next(.request(.get, "/books/:id"))),
    ]
    XCTAssertEqual(targets.map { $0?.target }, ["/books/1", "/books/2"])
    for quantity in 1...3 { verifier.tracker.track(AddedToCart(productID: "42", quantity: quantity)) }
    let first = await verifier.wait(for: .next(.typed(AddedToCart.self) { $0.quantity > 1 }))
    let second = await verifier.wait(for: .next(.typed(AddedToCart.self)))
    let third = await verifier.wait(for: .next(.typed(AddedToCart.self)))
    XCTAssertEqual([first?.quantity, second?.quantity, third?.quantity], [2, 1, 3])
    XCTAssertEqual(reporter.messages, [])
  }

  func testAMarkDividesRequestsAsItDividesEvents() {
    request("GET", "/books")
    let mark = verifier.mark()
    XCTAssertNil(verifier.wait(for: .request(.get, "/books"), since: mark))
    assertText(
      reporter.messages[0].timeless,
      """
      No request GET /books arrived within 0 s; #1 arrived before the mark

      Received, by time since the wait began:
          #1  +N ms  before the mark  GET /books -> 200
      """)
    request("GET", "/books")
    XCTAssertEqual(verifier.wait(for: .request(.get, "/books"), since: mark)?.number, 2)
  }

  func testAResponseThatIsAddedLaterEndsAWait() throws {
    let number = try XCTUnwrap(request("POST", "/orders", status: nil))
    track("order_placed")
    XCTAssertEqual(verifier.wait(for: .request(.post, "/orders"))?.hasResponse, false)
    XCTAssertEqual(kind(.count(1, of: .request(.post, "/orders").responded())), .tooFew)
    let (journal, waits) = (verifier.journal, verifier.waits)
    Thread.detachNewThread {
      let deadline = ContinuousClock.now + .seconds(10)
      while waits.count == 0, ContinuousClock.now < deadline { Thread.sleep(forTimeInterval: 0.001) }
      journal.complete(number, with: RecordedResponse(status: 201))
    }
    let outcome = verifier.wait(
      for: .inOrder([.named("order_placed"), .request(.post, "/orders").responded(in: 200...299)]), timeout: 10)
    XCTAssertEqual(outcome.requests.map(\.status), [201])
    XCTAssertEqual(kind(.none(of: .request(.post, "/orders").responded(201))), .unexpectedExtra)
    XCTAssertEqual(reporter.messages, [])
  }

  func testAFailureSaysThatARequestCannotBeMatchedByItsProcess() {
    request("GET", "/books")
    verifier.wait(for: .none(of: .request(.get, "/books").from("ShopWidget")))
    XCTAssertEqual(reporter.kinds, [.misuse])
    XCTAssertEqual(
      reporter.sentences,
      [
        "The pattern cannot match any request: the process of a request isn't known Match a header field that the process sets, and write `from` before `or`."
      ])
  }

  func testMatchersLookIntoJSONBodies() {
    request("POST", "/orders", body: #"{"product": 42, "note": "gift"}"#)
    XCTAssertNotNil(
      verifier.wait(
        for: .request(.post, "/orders", body: .json(["product": .greater(than: 3), "note": .hasPrefix("g")]))))
    XCTAssertNotNil(verifier.wait(for: .request(.post, "/orders", body: .json(.object(["product": 42])))))
    XCTAssertNotNil(verifier.wait(for: .request(.post, "/orders", body: .jsonSubset(["product": 42]))))
    XCTAssertNil(
      verifier.wait(for: .request(.post, "/orders", body: .json(["product": .greater(than: 50), "note": .any]))))
    assertText(
      reporter.messages[0].timeless,
      """
      No request POST /orders with the body {"note … (of 82) … t": greater than 50} arrived within 0 s; #1 has {"product": 42}

      Expected: the request POST /orders with the body {"note": any value, "product": greater than 50}

      Nearest is #1, N ms before the wait began (! differs):
                     expected         request
            path     /orders          /orders
            method   POST             POST
          ! product  greater than 50  42
      """)
    XCTAssertNil(verifier.wait(for: .request(.post, "/orders", body: .json(["product": 42]))))
  }

  func testALargeBodyMatchesAWaitAsItMatchedItsStub() async throws {
    verifier.start()
    verifier.stub(.request(.post, "/upload", body: .jsonSubset(["last": true])), .status(201))
    let filler = String(repeating: "x", count: 2_000_000)
    _ = try await AppClient(verifier).send(
      "POST", "/upload", #"{"filler":"\#(filler)","last":true}"#, type: "application/json")
    let upload = await verifier.wait(
      for: .request(.post, "/upload", body: .jsonSubset(["last": true])).responded(201), timeout: 5)
    XCTAssertEqual(upload?.bodySize, 2_000_025)
    XCTAssertEqual(reporter.messages, [])
  }

  func testABodyThatWasCutSaysSo() {
    let body = Data(#"{"last": true}"#.utf8)
    verifier.journal.record(
      RecordedRequest(
        ReceivedRequest(method: "POST", path: "/upload", body: body), keeping: 4, connection: 1, exchange: 1,
        response: RecordedResponse(status: 200)))
    verifier.wait(for: .request(.post, "/upload", body: .jsonSubset(["last": true])))
    assertText(
      reporter.messages[0].timeless,
      """
      No request POST /upload with {"last": true} arrived within 0 s; #1 has an incomplete body

      Nearest is #1, N ms before the wait began (! differs):
                    expected      request
            path    /upload       /upload
            method  POST          POST
          ! body    all 14 bytes  4 were kept: raise limits.recordedBodyBytes
      """)
  }

  func testARequestIsWaitedForWhileItsResponseIsDelayed() async throws {
    verifier.start()
    let mayRespond = DispatchSemaphore(value: 0)
    verifier.stub(.get, "/slow") { _ in
      mayRespond.wait()
      return .status(201)
    }
    let client = AppClient(verifier)
    async let status = client.statuses("/slow", count: 1)
    let request = await verifier.wait(for: .request(.get, "/slow"), timeout: 30)
    XCTAssertEqual(request?.hasResponse, false)
    mayRespond.signal()
    let responded = await verifier.wait(for: .request(.get, "/slow").responded(), timeout: 30)
    XCTAssertEqual(responded?.status, 201)
    _ = try await status
  }

  func testUnmatchedRequestsThatAWaitHasReportedAreNotReportedWhenTheTestEnds() {
    var configuration = TrackingVerifier.Configuration(timeout: 0, settling: 0, reporter: reporter)
    configuration.checksAtStop = [.delivery, .noUnmatchedRequests]
    verifier = TrackingVerifier(with: self, configuration: configuration)
    request("GET", "/book", status: 404, isUnmatched: true)
    verifier.wait(for: .request(.get, "/books"))
    verifier.stop()
    XCTAssertEqual(reporter.kinds, [.tooFew])
    request("GET", "/film", status: 404, isUnmatched: true)
    verifier.stop()
    XCTAssertEqual(reporter.kinds, [.tooFew, .unmatchedRequest])
    XCTAssertFalse(reporter.messages[1].contains("GET /book "), reporter.messages[1])
  }

  func testPatternsCombine() {
    request("GET", "/books")
    request("POST", "/orders", status: 500)
    let failed = TrackingCheck<RecordedRequest?>.request(.any, "/*").responded(in: 500...599)
    XCTAssertEqual(verifier.wait(for: failed)?.target, "/orders")
    XCTAssertEqual(verifier.wait(for: failed.not())?.target, "/books")
    XCTAssertEqual(verifier.wait(for: .request(.get, "/films").or(.request(.get, "/books")))?.target, "/books")
    XCTAssertNil(kind(.count(2, of: .request(.any, "/*").responded(in: 500...599).or(.request(.get, "/books")))))
    verifier.wait(for: .inOrder([.named("a").and(.request(.get, "/books"))]))
    XCTAssertEqual(reporter.kinds, [.misuse])
  }
}
