import TestSupport

@testable import TrackerDouble
@testable import TrackingSockets

final class RetryTests: DoubleTestCase {
  func testAServerMayStartLate() throws {
    let port = try freePort()
    let tracker = tracker(for: endpoint(port: port))
    tracker.track(1...150)
    XCTAssertFalse(tracker.flush(timeout: 0.05))
    XCTAssertEqual(tracker.delivery, DeliveryCounts(tracked: 150, delivered: 0, failed: 0))
    let peer = try peer(port: port)
    XCTAssertTrue(tracker.flush(timeout: long))
    XCTAssertEqual(peer.recorded, names(1...150))
    XCTAssertEqual(lines.all, [], "what arrives in the end is not worth a line")
  }

  func testAConnectionMayBeClosedBeforeTheRequestIsRead() throws {
    let peer = try peer(welcome: { $0 <= 3 ? .close : .serve })
    let tracker = tracker(for: peer)
    tracker.track(1...5)
    XCTAssertTrue(tracker.flush(timeout: long))
    XCTAssertEqual(peer.recorded, names(1...5))
  }

  func testAConnectionMayBeClosedInTheMiddleOfARequest() throws {
    let peer = try peer(welcome: { $0 <= 3 ? .closeAfterReading(bytes: $0 * 40) : .serve })
    let tracker = tracker(for: peer)
    // Large enough that the rest of it does not fit the system's buffers.
    tracker.trackEvent(
      TrackingEvent(name: "event 1", params: ["text": .string(String(repeating: "x", count: 3_000_000))]))
    tracker.track(2...3)
    XCTAssertTrue(tracker.flush(timeout: long))
    XCTAssertEqual(peer.recorded, names(1...3))
  }

  func testAConnectionMayBeClosedAfterTheRequestAndBeforeTheResponse() throws {
    let peer = try peer(respond: { $0.number % 3 == 0 ? .response(Responses.noContent) : .close })
    let tracker = tracker(for: peer) { $0.batchLimit = 10 }
    tracker.track(1...50)
    XCTAssertTrue(tracker.flush(timeout: long))
    XCTAssertEqual(peer.recorded, names(1...50))
    XCTAssertEqual(tracker.delivery, DeliveryCounts(tracked: 50, delivered: 50, failed: 0))
    for (number, request) in peer.requests.all.enumerated().dropFirst() where number % 3 != 0 {
      XCTAssertEqual(request.sequence, peer.requests.all[number - 1].sequence, "the same events again")
    }
  }

  func testEventsThatAreSentAgainKeepTheirCallSites() throws {
    let peer = try peer(respond: { $0.number <= 2 ? .reset : .response(Responses.noContent) })
    let tracker = tracker(for: peer)
    for number in 1...20 {
      tracker.track(TrackingEvent(name: "event \(number)"), fileID: "Shop/Cart \"\(number)\".swift", line: number)
    }
    XCTAssertTrue(tracker.flush(timeout: long))
    let requests = peer.requests.all
    XCTAssertEqual(requests.prefix(3).map(\.sequence), [1, 1, 1])
    let texts = requests.map { String(decoding: $0.body, as: UTF8.self) }
    for text in texts.prefix(3) { XCTAssertTrue(text.contains(#""at":"Shop/Cart \"1\".swift:1""#), text) }
    let bodies = texts.dropFirst(2).joined()
    for number in 1...20 {
      XCTAssertTrue(bodies.contains(#""at":"Shop/Cart \"\#(number)\".swift:\#(number)""#), bodies)
    }
  }

  func testAConnectionMayBeReset() throws {
    let peer = try peer(respond: { $0.number <= 3 ? .reset : .response(Responses.noContent) })
    let tracker = tracker(for: peer)
    tracker.track(1...5)
    XCTAssertTrue(tracker.flush(timeout: long))
    XCTAssertEqual(peer.recorded, names(1...5))
  }

  func testAConnectionMayBeClosedInTheMiddleOfAResponse() throws {
    let cuts = ["HTTP", "HTTP/1.1 204 No Content\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n123"]
    let peer = try peer(respond: { request in
      request.number <= cuts.count ? .lastResponse(cuts[request.number - 1]) : .response(Responses.noContent)
    })
    let tracker = tracker(for: peer)
    tracker.track(1...1)
    XCTAssertTrue(tracker.flush(timeout: long))
    XCTAssertEqual(peer.requests.all.map(\.sequence), [1, 1, 1, 1])
  }

  func testErrorsOfTheServerAreTriedAgain() throws {
    let errors = ["500 Internal Server Error", "503 Service Unavailable", "408 Request Timeout", "507 Journal Full"]
    let peer = try peer(respond: { request in
      .response(request.number <= errors.count ? Responses.status(errors[request.number - 1]) : Responses.noContent)
    })
    let tracker = tracker(for: peer)
    tracker.track(1...1)
    XCTAssertTrue(tracker.flush(timeout: long))
    XCTAssertEqual(peer.requests.all.count, 5)
    XCTAssertEqual(peer.connections.all, [1], "an error doesn't end the connection")
  }

  func testAResponseMayComeByteByByte() throws {
    let peer = try peer(respond: { _ in
      .slowResponse("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc")
    })
    let tracker = tracker(for: peer) { $0.batchLimit = 1 }
    tracker.track(1...20)
    XCTAssertTrue(tracker.flush(timeout: long))
    XCTAssertEqual(peer.requests.all.map(\.sequence), Array(1...20))
    XCTAssertEqual(peer.connections.all, [1])
  }

  func testAnAttemptWithoutAResponseTimesOutAndIsRepeated() throws {
    let gate = Gate()
    let peer = try peer(respond: { request in
      if request.number == 1 { gate.pass() }
      return .response(Responses.noContent)
    })
    let tracker = tracker(for: peer) { $0.attemptTimeout = 0.05 }
    tracker.track(1...1)
    XCTAssertTrue(tracker.flush(timeout: long))
    gate.open()
    XCTAssertEqual(peer.requests.all.map(\.sequence), [1, 1])
    XCTAssertEqual(peer.connections.all, [1, 2], "a late response must not be taken for the next one's")
  }

  func testAResponseMayTakeItsTime() throws {
    let gates = (1...5).map { _ in Gate() }
    let peer = try peer(respond: { request in
      gates[request.number - 1].pass()
      return .response(Responses.noContent)
    })
    let tracker = tracker(for: peer) { $0.batchLimit = 1 }
    tracker.track(1...5)
    for (number, gate) in gates.enumerated() {
      peer.requests.wait { $0.count == number + 1 }
      XCTAssertEqual(tracker.delivery.pending, 5 - number, "one POST is in flight at a time")
      gate.open()
    }
    XCTAssertTrue(tracker.flush(timeout: long))
    XCTAssertEqual(peer.recorded, names(1...5))
  }

  func testAServerThatClosesAfterEachResponseIsReachedAgainForEach() throws {
    let responses = [
      "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n",
      "HTTP/1.0 200 OK\r\n\r\nsome text until the end",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
      "HTTP/1.1 200 OK\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Length: 9999999\r\n\r\nno end of it",
    ]
    let peer = try peer(respond: { .lastResponse(responses[$0.number - 1]) })
    let tracker = tracker(for: peer) { $0.batchLimit = 1 }
    tracker.track(1...5)
    XCTAssertTrue(tracker.flush(timeout: long))
    XCTAssertEqual(peer.requests.all.map(\.sequence), Array(1...5))
    XCTAssertEqual(peer.connections.all, [1, 2, 3, 4, 5])
  }

  func testBytesBeyondAResponseAreNotTakenForTheNextOne() throws {
    let peer = try peer(respond: { request in
      .response(request.number == 1 ? Responses.noContent + Responses.status("404 Not Found") : Responses.noContent)
    })
    let tracker = tracker(for: peer) { $0.batchLimit = 1 }
    tracker.track(1...3)
    XCTAssertTrue(tracker.flush(timeout: long))
  }

  func testAPeerThatDoesNotSpeakHTTPIsTriedAgain() throws {
    let peer = try peer(respond: { request in
      .lastResponse(request.number == 1 ? "SSH-2.0-OpenSSH_9.2\r\n" : Responses.noContent)
    })
    let tracker = tracker(for: peer)
    tracker.track(1...1)
    XCTAssertTrue(tracker.flush(timeout: long))
    XCTAssertEqual(peer.requests.all.count, 2)
  }

  func testAnotherServerOnThePortIsNotMistakenForTheVerifier() throws {
    let responses = [
      Responses.noContent, Responses.noContent(session: "another"), Responses.noContent(session: "mine"),
    ]
    let peer = try peer(respond: { .response(responses[min($0.number, 3) - 1]) })
    let tracker = tracker(for: peer, session: "mine")
    tracker.track(1...1)
    XCTAssertTrue(tracker.flush(timeout: long))
    XCTAssertEqual(peer.requests.all.map(\.connection), [1, 2, 3], "the verifier may be behind a new connection")
  }

  func testAnotherServerOnThePortIsNamedAtTheDeadline() throws {
    // Without a response to the later attempts, which the deadline cuts short.
    let peer = try peer(respond: { .response($0.number == 1 ? Responses.noContent : "") })
    let tracker = tracker(for: peer, session: "mine") { $0.deadline = 0.5 }
    tracker.track(1...1)
    XCTAssertFalse(tracker.flush(timeout: long))
    XCTAssertEqual(
      failures.all.map(\.reason),
      [
        "gave up at the deadline of 0.5 seconds: another server uses the port: it responded with 204 No Content without this session's token"
      ])
  }

  func testAServerThatRestartsInTheMiddleLosesNothing() throws {
    let port = try freePort()
    let gate = Gate()
    let first = try ScriptedPeer(
      port: port,
      respond: { request in
        if request.sequence > 3_000 {
          gate.open()
          return .close
        }
        return .response(Responses.noContent)
      })
    let tracker = tracker(for: endpoint(port: port))
    let thread = Thread { tracker.track(1...10_000) }
    thread.start()
    gate.pass()
    first.stop()
    let second = try peer(port: port)
    while tracker.delivery.tracked < 10_000 { XCTAssertTrue(tracker.flush(timeout: long)) }
    XCTAssertTrue(tracker.flush(timeout: long))
    var seen: Set<String> = []
    let all = (first.recorded + second.recorded).filter { seen.insert($0).inserted }
    XCTAssertEqual(all, names(1...10_000))
    XCTAssertEqual(tracker.delivery, DeliveryCounts(tracked: 10_000, delivered: 10_000, failed: 0))
  }
}
