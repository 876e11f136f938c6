import TestSupport
import TrackingAudit
import TrackingRules
import TrackingServer
import TrackingSockets

@testable import TrackingInspector
@testable import TrackingVerifier

/// The inspector of a test's verifier, over the wire.
final class VerifierTests: XCTestCase {
  private let reporter = RecordingReporter()
  private func verifier(timeout: TimeInterval = 5, _ use: TrackingVerifier.InspectorOccasion = .onRequest)
    -> TrackingVerifier
  {
    TrackingVerifier(
      with: self, configuration: .init(timeout: timeout, settling: 0, inspector: use, reporter: reporter))
  }

  /// The inspector of a verifier, which takes pages for closed that request nothing for a moment.
  private func open(_ verifier: TrackingVerifier) -> URL? {
    let url = verifier.openInspector()
    verifier.server.page.withLock { $0 as? Inspector }?.pageLife = .milliseconds(100)
    return url
  }

  /// The page's own way to the feed.
  private func feed(_ url: URL) async throws -> [String: Any] { try await Self.feed(url, "") }

  private static func feed(_ url: URL, _ query: String) async throws -> [String: Any] {
    var feed = try XCTUnwrap(URLComponents(url: url, resolvingAgainstBaseURL: true))
    let token = try XCTUnwrap(feed.fragment?.split(separator: "=").last)
    // URLSession of Linux takes no IPv6 literals.
    (feed.host, feed.fragment, feed.path, feed.query) = (
      "127.0.0.1", nil, "/-tracking/feed", query.isEmpty ? nil : query
    )
    var request = URLRequest(url: try XCTUnwrap(feed.url))
    request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
    let (data, response) = try await URLSession.shared.data(for: request)
    XCTAssertEqual((response as? HTTPURLResponse)?.statusCode, 200)
    return try XCTUnwrap(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  func testATimeThatIsNoNumberHoldsForNoTime() {
    for seconds in [TimeInterval.nan, -.infinity] {
      let verifier = verifier(timeout: 0, .onFailure(holdFor: seconds))
      verifier.start()
      verifier.wait(for: .named("a"))
      verifier.stop()
    }
    XCTAssertEqual(reporter.kinds, [.tooFew, .tooFew])
  }

  func testTheClassOfTheInspectorIsFoundByItsName() {
    XCTAssertTrue(NSClassFromString("TrackingInspector.InspectorLinkage") is any InspectorLink.Type)
    XCTAssertNotNil(LinkedInspector.link.type)
  }

  func testOpeningStartsTheServerAndIsOneInspectorHoweverOften() async throws {
    let verifier = verifier()
    let url = try XCTUnwrap(open(verifier))
    XCTAssertEqual(open(verifier), url)
    XCTAssertTrue(url.absoluteString.contains("/-tracking/#token="), url.absoluteString)
    verifier.tracker.trackEvent(TrackingEvent(name: "tapped"))
    let entries = try await feed(url)["entries"] as? [[String: Any]]
    XCTAssertEqual(entries?.map { $0["name"] as? String }, ["tapped"])
  }

  func testACheckIsShownWhileItRunsWithTheReportOfItsFailure() async throws {
    let verifier = verifier()
    let url = try XCTUnwrap(open(verifier))
    verifier.tracker.trackEvent(TrackingEvent(name: "purchase", params: ["total": 3]))
    async let event = verifier.wait(for: .named("purchase", params: ["total": 4]))
    // It begins in another task, which may not have started yet.
    var waits: [[String: String]] = []
    while waits.isEmpty { waits = try await feed(url)["waits"] as? [[String: String]] ?? [] }
    XCTAssertTrue(try XCTUnwrap(waits[0]["location"]).hasPrefix("VerifierTests.swift:"))
    let miss = try XCTUnwrap(waits[0]["nearestMiss"])
    XCTAssertTrue(miss.contains("Nearest is #1") && miss.contains("- total: 4") && miss.contains("+ total: 3"), miss)
    verifier.tracker.trackEvent(TrackingEvent(name: "purchase", params: ["total": 4]))
    _ = await event
    let after = try await feed(url)
    XCTAssertEqual((after["waits"] as? [Any])?.count, 0)
    let entries = try XCTUnwrap(after["entries"] as? [[String: Any]])
    XCTAssertNil(entries[0]["isMatched"])
    XCTAssertEqual(entries[1]["isMatched"] as? Bool, true)
  }

  func testAnOpenWaitSaysWhatHasNotArrivedYetAndLeavesTheTimelineToThePage() async throws {
    let verifier = verifier()
    let url = try XCTUnwrap(open(verifier))
    verifier.tracker.trackEvent(TrackingEvent(name: "purchase"))
    async let event = verifier.wait(for: .inOrder([.named("purchase"), .named("confirmed")]))
    var waits: [[String: String]] = []
    while waits.isEmpty { waits = try await feed(url)["waits"] as? [[String: String]] ?? [] }
    XCTAssertEqual(
      waits[0]["progress"], #"Expected 2 events in order, but the 2nd, "confirmed", didn't arrive so far"#)
    assertText(
      waits[0]["nearestMiss"],
      """
      Expected 2 events in order, but the 2nd, "confirmed", didn't arrive so far

      Expected:
          1. an event named "purchase"
          2. an event named "confirmed"
      """)
    verifier.tracker.trackEvent(TrackingEvent(name: "confirmed"))
    _ = await event
  }

  func testAFailedWaitEndsInTheRevisionThatHasItsFailure() async {
    let verifier = verifier(timeout: 0.05)
    verifier.openInspector()
    let notes = verifier.server.sessionNotes
    let revisions = Locked<[String]>([])
    @Sendable func follow() {
      _ = notes.wake(after: notes.revision) {
        let now = notes.snapshot()
        revisions.withLock { $0.append("\(now.waits.count) open, \(now.failures.count) failed") }
        follow()
      }
    }
    follow()
    await verifier.wait(for: .named("never"))
    XCTAssertEqual(revisions.withLock { $0 }, ["1 open, 0 failed", "0 open, 1 failed"])
    XCTAssertEqual(reporter.messages.count, 1)
  }

  func testAPageGetsWhatTheStopFindsBeforeTheServerIsGone() async throws {
    let verifier = TrackingVerifier(
      with: self,
      configuration: .init(timeout: 0, settling: 0, checksAtStop: [.nothingElse()], reporter: reporter))
    let url = try XCTUnwrap(open(verifier))
    verifier.tracker.trackEvent(TrackingEvent(name: "extra"))
    async let page = VerifierTests.lastFailures(at: url)
    var isOpen = false
    while !isOpen { isOpen = await (try feed(url)["entries"] as? [Any])?.isEmpty == false }
    await Task.detached { verifier.stop() }.value
    let failures = try await page
    XCTAssertEqual(failures.count, 1)
    XCTAssertTrue(
      failures.first?.hasPrefix("The test expected nothing else, but 1 more event arrived") == true, "\(failures)")
  }

  /// The failures that a page has when the server is gone: it polls again and again, and gets a response when there is news.
  private static func lastFailures(at url: URL) async throws -> [String] {
    var cursor = ""
    var failures: [String] = []
    while let part = try? await feed(url, cursor) {
      failures = (part["failures"] as? [[String: String]] ?? []).compactMap { $0["message"] }
      cursor = (part["cursor"] as? [String: Int] ?? [:]).map { "\($0)=\($1)" }.joined(separator: "&")
    }
    return failures
  }

  func testARequestComesWithItsResponse() async throws {
    let verifier = verifier()
    let url = try XCTUnwrap(open(verifier))
    verifier.stub(.post, "/orders", .json(["id": 7], status: 201).with(header: "X-Kind", "test"))
    verifier.stub(.get, "/picture", .data(Data([0x89, 0x50, 0xFF, 0]), type: "image/png"))
    let base = try XCTUnwrap(verifier.server.endpoint?.url.port)
    for (method, path) in [("POST", "orders"), ("GET", "picture"), ("GET", "none")] {
      var request = URLRequest(url: try XCTUnwrap(URL(string: "http://127.0.0.1:\(base)/\(path)")))
      request.httpMethod = method
      _ = try await URLSession.shared.data(for: request)
    }
    let session = try XCTUnwrap(
      JSONSerialization.jsonObject(with: verifier.server.sessionJSON) as? [String: Any])
    for part in [try await feed(url), session] {
      let entries = try XCTUnwrap(part["entries"] as? [[String: Any]])
      let response = try XCTUnwrap(entries[0]["response"] as? [String: Any])
      let fields = try XCTUnwrap(response["fields"] as? [[String: String]])
      XCTAssertTrue(fields.contains(["name": "X-Kind", "value": "test"]), "\(fields)")
      XCTAssertEqual(response["body"] as? String, #"{"id":7}"#)
      XCTAssertEqual(response["bodySize"] as? Int, 8)
      XCTAssertGreaterThanOrEqual(try XCTUnwrap(response["milliseconds"] as? Double), 0)
      let picture = try XCTUnwrap(entries[1]["response"] as? [String: Any])
      XCTAssertEqual(picture["bodyBase64"] as? String, "iVD/AA==")
      XCTAssertEqual(entries[2]["isUnmatched"] as? Bool, true)
    }
  }

  func testAPageWithoutEntriesIsToldWhatLeadsToAFirstEvent() async throws {
    let verifier = verifier()
    let url = try XCTUnwrap(open(verifier))
    let port = try XCTUnwrap(verifier.server.endpoint?.url.port)
    let empty = try await feed(url)
    let setup = try XCTUnwrap(empty["setup"] as? [String: Any])
    XCTAssertEqual(setup["url"] as? String, "http://localhost:\(port)")
    XCTAssertEqual((setup["environment"] as? [String: String])?["TRACKING_URL"], "http://[::1]:\(port)")
    verifier.tracker.trackEvent(TrackingEvent(name: "tapped"))
    let part = try await feed(url)
    XCTAssertNil(part["setup"])
  }

  /// The variable's value for the time of a test.
  private func set(_ variable: TestVariable, to value: String) {
    setenv(variable.name, value, 1)
    addTeardownBlock { unsetenv(variable.name) }
  }

  func testTestsThatAreInspectedFromTheirStartShareOnePage() async throws {
    let run = try XCTUnwrap(InspectorRun.current)
    run.inspector.pageLife = .milliseconds(100)
    let url = try XCTUnwrap(run.inspector.url)
    // By the configuration, and by the variable.
    for (name, use) in [("first", .fromStart), ("second", .onRequest)] as [(String, TrackingVerifier.InspectorOccasion)]
    {
      if use == .onRequest { set(.inspector, to: "1") }
      let verifier = verifier(timeout: 0, use)
      verifier.start()
      verifier.tracker.trackEvent(TrackingEvent(name: name))
      let entries = try await feed(url)["entries"] as? [[String: Any]]
      XCTAssertEqual(entries?.map { $0["name"] as? String }, [name])
      verifier.stop()
    }
    let part = try await feed(url)
    let tests = try XCTUnwrap(part["tests"] as? [[String: Any]])
    XCTAssertEqual(tests.suffix(2).map { $0["state"] as? String }, ["passed", "passed"])
    XCTAssertTrue(tests.allSatisfy { "\($0["title"] ?? "")".contains("testTestsThatAreInspected") }, "\(tests)")
  }

  private struct NoRefunds: EventRule {
    let expectation = "no refunds"

    func findings(in event: TrackingEvent) -> [PlanFinding] {
      event.name == "refund" ? [PlanFinding(kind: .unplannedEvent, reason: "the plan has no refund")] : []
    }
  }

  func testStepsAndFindingsOfThePlanAreInPageAndAttachment() async throws {
    var configuration = TrackingVerifier.Configuration(timeout: 0, settling: 0, checksAtStop: [], reporter: reporter)
    configuration.plan = PlanSource { NoRefunds() }
    let verifier = TrackingVerifier(with: self, configuration: configuration)
    let url = try XCTUnwrap(open(verifier))
    verifier.note("Asks for the money back")
    verifier.tracker.trackEvent(TrackingEvent(name: "refund"))
    await verifier.wait(for: .named("never"))
    let session = try XCTUnwrap(reporter.attachments.first { $0.form == .json }).text
    for text in [try await String(decoding: JSONSerialization.data(withJSONObject: feed(url)), as: UTF8.self), session]
    {
      XCTAssertTrue(text.contains("Asks for the money back"), text)
      XCTAssertTrue(text.contains("the plan has no refund"), text)
    }
  }

  func testTheChangesThatATestWouldNoticeAreInPageSessionAndReport() async throws {
    var configuration = TrackingVerifier.Configuration(
      timeout: 0, settling: 0, checksAtStop: [], inspector: .onRequest, reporter: reporter)
    configuration.keepsJournal = .always
    configuration.mutations = .always
    func pins(_ session: [String: Any]) -> [String: String] {
      let mutants = session["mutants"] as? [String: Any]
      let event = (mutants?["events"] as? [String: Any])?["purchase"] as? [String: Any]
      return (event?["params"] as? [String: [String: Any]] ?? [:]).compactMapValues { $0["pinned"] as? String }
    }
    let expected = ["total": "check", "currency": "discarded"]
    for isOpen in [false, true] {
      let server = TrackingServer()
      defer { server.stop() }
      let verifier = TrackingVerifier(with: self, server: server, configuration: configuration)
      let url = isOpen ? try XCTUnwrap(open(verifier)) : nil
      verifier.tracker.trackEvent(TrackingEvent(name: "purchase", params: ["total": 120, "currency": "EUR"]))
      await verifier.wait(for: .named("purchase", params: ["total": 120]))
      verifier.stop()
      XCTAssertEqual(reporter.messages, [])
      if let url {
        let page = try await feed(url)
        XCTAssertEqual(pins(page), expected)
      }
      let session = try XCTUnwrap(reporter.attachments.last { $0.form == .json }).text
      let members = try JSONSerialization.jsonObject(with: Data(session.utf8)) as? [String: Any]
      XCTAssertEqual(pins(members ?? [:]), expected)
      let report = try XCTUnwrap(reporter.attachments.last { $0.form == .report }).text
      XCTAssertTrue(report.contains(#""pinned":"discarded""#))
    }
  }

  func testAFailureKeepsTheReportBesideTextAndSession() async throws {
    let verifier = verifier(timeout: 0)
    verifier.tracker.trackEvent(TrackingEvent(name: "purchase", params: ["total": 3]))
    await verifier.wait(for: .named("refund"))
    XCTAssertEqual(reporter.attachments.map(\.form), [.timeline, .json, .report])
    let report = try XCTUnwrap(reporter.attachments.last)
    XCTAssertTrue(report.fileName.hasSuffix("-report.html"), report.fileName)
    XCTAssertTrue(report.text.hasPrefix("<!DOCTYPE html>"))
    XCTAssertTrue(report.text.contains(#"\"refund\""#), "the failure is part of it")
    XCTAssertLessThan(report.text.utf8.count, 300_000)
  }

  func testWithoutAFailureNothingHoldsTheEnd() {
    let verifier = verifier(.onFailure(holdFor: 600))
    verifier.start()
    verifier.tracker.trackEvent(TrackingEvent(name: "tapped"))
    let began = ContinuousClock.now
    verifier.stop()
    XCTAssertLessThan(ContinuousClock.now - began, .seconds(60))
    XCTAssertEqual(reporter.messages, [])
  }

  func testAfterAFailureTheServerStaysUpUntilThePageIsClosed() async throws {
    // By the configuration, and by the variable.
    for use in [.onFailure(holdFor: 600), .onRequest] as [TrackingVerifier.InspectorOccasion] {
      if use == .onRequest { set(.inspector, to: "hold") }
      let verifier = verifier(timeout: 0, use)
      verifier.start()
      let url = try XCTUnwrap(open(verifier))
      await verifier.wait(for: .named("never"))
      verifier.tracker.trackEvent(TrackingEvent(name: "left_over"))
      let stopped = Task.detached { verifier.stop() }
      var part: [String: Any] = [:]
      while part["isHeld"] as? Bool != true { part = try await feed(url) }
      let failures = try XCTUnwrap(part["failures"] as? [[String: String]])
      XCTAssertTrue(try XCTUnwrap(failures[0]["message"]).contains("never"))
      XCTAssertNotNil(verifier.server.endpoint)
      // The page was there, and requests nothing more.
      await stopped.value
      XCTAssertNil(verifier.server.endpoint)
    }
  }

  func testTheTimeOfAHoldIsALimit() async {
    let verifier = verifier(timeout: 0, .onFailure(holdFor: 0.05))
    verifier.start()
    await verifier.wait(for: .named("never"))
    verifier.stop()
    XCTAssertNil(verifier.server.endpoint)
  }

  func testPathsOfTheInspectorAreRefusedToStubs() {
    let verifier = verifier()
    verifier.stub(.get, "/-tracking/feed", .json([:]))
    XCTAssertEqual(reporter.messages.count, 1)
    assertText(
      reporter.messages.first,
      """
      The stub GET /-tracking/feed was not installed: paths under /-tracking/ belong to the inspector: choose another one.
      """)
  }

  func testFiftyOpenInspectorsDoNotKeepTheServerFromStopping() throws {
    let server = TrackingServer()
    let url = try XCTUnwrap(server.openInspector())
    let token = try XCTUnwrap(url.fragment?.split(separator: "=").last)
    let polls = try (0..<50).map { _ in
      let poll = try Poll(port: UInt16(XCTUnwrap(url.port)))
      try poll.send(
        "GET /-tracking/feed?after=0&revision=1&responses=0 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(token)\r\n\r\n"
      )
      return poll
    }
    // All of them wait: an event that wakes them would bring a response. Sent on another connection, so that the server has looked at them.
    let other = try Poll(port: UInt16(XCTUnwrap(url.port)))
    for _ in 0..<2 {
      try other.send("GET /-tracking/none HTTP/1.1\r\nHost: localhost\r\n\r\n")
      XCTAssertTrue(try other.receive().hasPrefix("HTTP/1.1 404"))
    }
    let began = ContinuousClock.now
    server.stop()
    XCTAssertLessThan(ContinuousClock.now - began, .seconds(10))
    for poll in polls { XCTAssertEqual(try poll.receive(), "") }
  }
}

/// A connection on a bare socket.
private final class Poll {
  private let socket: Socket

  init(port: UInt16) throws {
    socket = try Socket.connecting(to: SocketAddress(.ipv4, port: port))
    XCTAssertTrue(socket.wait(for: Int32(POLLOUT), until: .now + .seconds(10)))
  }

  deinit { socket.close() }

  func send(_ text: String) throws {
    let bytes = Array(text.utf8)
    guard case .bytes(bytes.count) = bytes.withUnsafeBytes({ socket.send($0) }) else { return XCTFail("not sent") }
  }

  /// The beginning of a response; nothing when the server has closed the connection.
  func receive() throws -> String {
    XCTAssertTrue(socket.wait(for: Int32(POLLIN), until: .now + .seconds(10)))
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    guard case .bytes(let count) = buffer.withUnsafeMutableBytes({ socket.receive(into: $0) }) else { return "" }
    return String(decoding: buffer.prefix(count), as: UTF8.self)
  }
}
