import TestSupport
@testable import TrackingServer

/// An event endpoint that responds as the test says.
final class EventResponseTests: ServerTestCase {
  private let event = #"{"name":"a"}"#

  private func sentEvents(_ server: TrackingServer) -> [String] {
    server.journal.events.map { "\($0.event.name) \($0.isAcknowledged ? "acknowledged" : "lost")" }
  }

  // MARK: Plain clients

  func testWhatIsRefusedIsNotRecorded() throws {
    try withServer { server in
      try server.respondToEvents(with: .status(503), .status(503), .ok)
      let client = try RawClient(server)
      XCTAssertEqual(try (0..<4).map { try client.post(#"{"name":"\#($0)"}"#).status }, [503, 503, 200, 200])
      XCTAssertEqual(sentEvents(server), ["2 acknowledged", "3 acknowledged"])
      XCTAssertEqual(
        server.journal.requests.map { "\($0)" }, ["POST / -> 503", "POST / -> 503"])
      XCTAssertEqual(server.journal.requests.map(\.request.text), [#"{"name":"0"}"#, #"{"name":"1"}"#])
      XCTAssertEqual(server.journal.rejections, [])
    }
  }

  func testWhatIsRecordedAndThenRefusedIsDistinguished() throws {
    try withServer { server in
      try server.respondToEvents(with: .status(500), .ok, recording: .all)
      let client = try RawClient(server)
      XCTAssertEqual(try (0..<2).map { _ in try client.post(event).status }, [500, 200])
      XCTAssertEqual(sentEvents(server), ["a lost", "a acknowledged"])
    }
  }

  func testALostResponseTakesNothingBack() throws {
    try withServer { server in
      for (position, end) in [
        (HTTPFault.Position.response, RawClient.End.reset), (.responseBody, .reset), (.afterResponse, .reset),
      ] {
        try server.respondToEvents(with: .text("done").failing(HTTPFault(.reset, at: position)))
        let client = try RawClient(server)
        try client.send(RawClient.post(event))
        XCTAssertEqual(try client.readToEnd().end, end)
      }
      XCTAssertEqual(sentEvents(server), ["a lost", "a lost", "a acknowledged"])
      XCTAssertEqual(
        server.journal.requests.map { "\($0)" },
        [
          "POST / -> no response, reset at response", "POST / -> 200, reset at responseBody",
          "POST / -> 200, reset at afterResponse",
        ])
    }
  }

  func testARequestWhoseEventsDoNotFitIsRecordedWithTheResponseThatWasSent() throws {
    let gate = StubGate()
    gate.open()
    let responses: [StubResponse] = [
      .ok.delayed(by: 0.01), .ok.held(by: gate), .text("done").dribbled(over: 0.01), .status(500),
      .ok.failing(HTTPFault(.close, at: .afterResponse)), .ok.failing(HTTPFault(.reset, at: .response)),
    ]
    try withServer(.init(limits: .init(journalEvents: responses.count))) { server in
      let client = try RawClient(server)
      for _ in responses { XCTAssertEqual(try client.post(event).status, 204) }
      // The responses that a check sees, which runs when the journal has news.
      let seen = Locked<Set<String>>([])
      @Sendable func watch() {
        let sent = server.journal.requests.filter { $0.sending != nil }.map { "\($0)" }
        seen.withLock { $0.formUnion(sent) }
        _ = server.journal.news(
          from: server.journal.nextNumber, revision: server.journal.revision, orWake: { watch() })
      }
      watch()
      for response in responses + [.ok] {
        try server.respondToEvents(with: response, recording: .all)
        XCTAssertEqual(try client.post(event).status, 507, "\(response)")
      }
      XCTAssertEqual(server.journal.requests.map { "\($0)" }, responses.map { _ in "POST / -> 507" })
      XCTAssertEqual(seen.withLock { $0 }, ["POST / -> 507"])
      XCTAssertEqual(server.journal.requests.map { $0.sending != nil }, responses.map { _ in true })
      XCTAssertEqual(server.journal.refusedAsFull, responses.count + 1)
    }
  }

  func testASubmissionMayBeBrokenOff() throws {
    try withServer { server in
      try server.respondToEvents(
        with: .fault(HTTPFault(.close, at: .requestHead)), .fault(HTTPFault(.reset, at: .requestBody)), .ok)
      let request = RawClient.post(event)
      let first = try RawClient(server)
      try first.send(String(request.dropLast(event.count)))
      XCTAssertEqual(try first.readToEnd(), "")
      let second = try RawClient(server)
      try second.send(String(request.dropLast(event.count / 2)))
      XCTAssertEqual(try second.readToEnd().end, .reset)
      XCTAssertEqual(sentEvents(server), [])
      XCTAssertEqual(try RawClient(server).post(event).status, 200)
      XCTAssertEqual(sentEvents(server), ["a acknowledged"])
      XCTAssertEqual(
        server.journal.requests.map { "\($0)" },
        ["POST / -> no response, close at requestHead", "POST / -> no response, reset at requestBody"])
    }
  }

  func testWhatIsNoSubmissionUsesNoResponseUp() throws {
    try withServer { server in
      try server.respondToEvents(with: .fault(HTTPFault(.close, at: .requestHead)), .status(503), .ok)
      let client = try RawClient(server)
      XCTAssertEqual(try client.post(event, "Tracking-Session: another").status, 403)
      XCTAssertEqual(try client.post(event, "Origin: http://page.test").status, 403)
      XCTAssertEqual(try client.get("/").status, 405)
      try client.send(RawClient.post(event))
      XCTAssertEqual(try client.readToEnd(), "")
      let other = try RawClient(server)
      XCTAssertEqual(try other.post("nothing").status, 400)
      XCTAssertEqual(try other.post(event).status, 503)
      XCTAssertEqual(try other.post(event).status, 200)
    }
  }

  func testResponsesMayBeLateAndSayWhatTheyLike() throws {
    try withServer { server in
      try server.respondToEvents(
        with: .json(["ok": true], status: 202).delayed(by: 0.05).with(header: "Retry-After", "1"))
      let response = try RawClient(server).post(event)
      XCTAssertEqual(response.status, 202)
      XCTAssertEqual(response.content, #"{"ok":true}"#)
      XCTAssertEqual(response.field("Retry-After"), "1")
      XCTAssertEqual(sentEvents(server), ["a acknowledged"])
      XCTAssertEqual(server.journal.requests.map(\.status), [202])
    }
  }

  func testResponsesAreTakenBackWithTheStubs() throws {
    try withServer { server in
      let owner = server.stubs.makeOwner()
      let refusal = try PreparedResponse(.status(503), folder: nil)
      server.stubs.respondToEvents(with: [refusal], recording: .accepted, of: owner)
      let client = try RawClient(server)
      XCTAssertEqual(try client.post(event).status, 503)
      server.stubs.removeStubs(of: server.stubs.makeOwner())
      XCTAssertEqual(try client.post(event).status, 503)
      server.stubs.removeStubs(of: owner)
      XCTAssertEqual(try client.post(event).status, 204)
    }
  }
}
