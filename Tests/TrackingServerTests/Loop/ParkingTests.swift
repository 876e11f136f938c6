import TestSupport
import TrackingSockets

@testable import TrackingServer

/// Requests that a handler parks: they wait for whatever resumes them, without a thread.
///
/// The connection is driven by hand, so a test says what time it is.
final class ParkingTests: XCTestCase {
  /// Parks each request for `/parked` until the test resumes it.
  private final class ParkingHandler: RequestHandler {
    let resume = Locked<(@Sendable (@escaping Continuation) -> Void)?>(nil)
    let ended = Locked(0)
    let abandoned = Locked(0)
    let timeout: Duration?

    init(timeout: Duration? = nil) {
      self.timeout = timeout
    }

    func handle(_ exchange: inout Exchange) -> RequestOutcome {
      guard exchange.head.path(equals: "/parked") else { return .pass }
      let late: Continuation = { _ in .respond(PlannedResponse(.json(504, ["late": true]))) }
      return .park(
        Parking(timeout: timeout.map { ($0, late) }, abandon: { [abandoned] in abandoned.withLock { $0 += 1 } }) {
          [self] resume in
          self.resume.withLock { $0 = resume }
          return { self.ended.withLock { $0 += 1 } }
        })
    }
  }

  /// Responds to what is passed on to it.
  private final class LastHandler: RequestHandler {
    func handle(_ exchange: inout Exchange) -> RequestOutcome {
      .respond(PlannedResponse(.json(200, ["path": .string(exchange.head.path)])))
    }
  }

  private let now = ContinuousClock.now

  /// Runs `body` with a connection whose request is parked.
  private func withParkedRequest(
    _ handler: ParkingHandler,
    _ body: (inout Connection, _ client: RawClient, _ messages: () -> [Mailbox.Message]) throws -> Void
  ) throws {
    let listener = try Listener(port: 0)
    defer { listener.close() }
    let client = try RawClient(port: listener.address.port)
    var accepted: Socket?
    for socket in listener.sockets where accepted == nil {
      _ = socket.wait(for: Int32(POLLIN), until: .now + .milliseconds(200))
      accepted = try socket.accept()
    }
    let configuration = TrackingServer.Configuration()
    let mailbox = Mailbox(wakePipe: try WakePipe())
    let context = ServerContext(
      configuration: configuration, session: "s", journal: TrackingJournal(limits: configuration.limits),
      stubs: StubStore(),
      backend: BackendSlot(nil))
    var connection = Connection(
      socket: try XCTUnwrap(accepted), number: 1, context: context,
      handlers: HandlerChain(handlers: [handler, LastHandler()]), mailbox: mailbox, now: now)
    var isOpen = true
    defer { if isOpen { connection.close() } }
    try client.send(RawClient.get("/parked") + RawClient.get("/next"))
    XCTAssertTrue(connection.socket.wait(for: Int32(POLLIN), until: RawClient.deadline))
    XCTAssertTrue(connection.receive(date: DateField(), now: now))
    XCTAssertTrue(connection.flush(now))
    XCTAssertTrue(connection.awaitsMessage)
    XCTAssertTrue(client.hearsNothing)
    try body(&connection, client) { mailbox.takeAll() }
    isOpen = false
    connection.close()
  }

  func testAParkedRequestGetsItsResponseWhenItIsResumedAndTheNextOneFollows() throws {
    let handler = ParkingHandler()
    try withParkedRequest(handler) { connection, client, messages in
      let resume = try XCTUnwrap(handler.resume.withLock { $0 })
      resume { _ in .respond(PlannedResponse(.json(200, ["resumed": true]))) }
      // Only the first call counts.
      resume { _ in .respond(PlannedResponse(.json(500, [:]))) }
      let sent = messages()
      XCTAssertEqual(sent.count, 2)
      for message in sent {
        connection.take(message, date: DateField(), now: now)
        XCTAssertTrue(connection.flush(now))
      }
      XCTAssertEqual(try client.response().content, "{\"resumed\":true}\n")
      XCTAssertEqual(try client.response().content, "{\"path\":\"/next\"}\n")
      XCTAssertEqual(handler.ended.withLock { $0 }, 1)
    }
    XCTAssertEqual(handler.ended.withLock { $0 }, 1)
    XCTAssertEqual(handler.abandoned.withLock { $0 }, 0)
  }

  func testAContinuationThatPassesLeadsToTheNextHandler() throws {
    let handler = ParkingHandler()
    try withParkedRequest(handler) { connection, client, messages in
      let resume = try XCTUnwrap(handler.resume.withLock { $0 })
      resume { _ in .pass }
      for message in messages() { connection.take(message, date: DateField(), now: now) }
      XCTAssertTrue(connection.flush(now))
      XCTAssertEqual(try client.response().content, "{\"path\":\"/parked\"}\n")
    }
  }

  func testAParkedRequestWhoseTimeIsUpContinuesByItself() throws {
    let handler = ParkingHandler(timeout: .seconds(30))
    try withParkedRequest(handler) { connection, client, messages in
      XCTAssertEqual(connection.deadline, now + .seconds(30))
      XCTAssertTrue(connection.expire(date: DateField(), now: now + .seconds(30)))
      XCTAssertEqual(try client.response().statusLine, "HTTP/1.1 504 Gateway Timeout")
      XCTAssertEqual(handler.ended.withLock { $0 }, 1)
      XCTAssertEqual(handler.abandoned.withLock { $0 }, 0)
      // A response after the timeout is ignored.
      let resume = try XCTUnwrap(handler.resume.withLock { $0 })
      resume { _ in .respond(PlannedResponse(.json(200, [:]))) }
      for message in messages() { connection.take(message, date: DateField(), now: now) }
      XCTAssertTrue(connection.flush(now))
      XCTAssertEqual(try client.response().content, "{\"path\":\"/next\"}\n")
      XCTAssertTrue(client.hearsNothing)
    }
  }

  func testARequestWithoutATimeLimitStaysParked() throws {
    let handler = ParkingHandler()
    try withParkedRequest(handler) { connection, client, _ in
      XCTAssertTrue(connection.expire(date: DateField(), now: now + .seconds(3_600)))
      XCTAssertTrue(client.hearsNothing)
      XCTAssertTrue(connection.awaitsMessage)
    }
    // Closing the connection, as a stop does, ends the waiting.
    XCTAssertEqual(handler.ended.withLock { $0 }, 1)
    XCTAssertEqual(handler.abandoned.withLock { $0 }, 1)
  }
}
