import TrackerDouble
import TestSupport
import TrackingServer
import TrackingVerifier

final class LifecycleTests: XCTestCase {
  private let reporter = RecordingReporter()
  private lazy var verifier = TrackingVerifier(with: self, configuration: .init(timeout: 5, reporter: reporter))

  func testStartTwiceIsOneStart() {
    verifier.start()
    let endpoint = verifier.endpoint
    verifier.start()
    XCTAssertEqual(verifier.endpoint, endpoint)
    XCTAssertEqual(reporter.messages, [])
  }

  func testStopTwiceAndStopWithoutStartDoNothing() {
    verifier.stop()
    verifier.start()
    verifier.stop()
    verifier.stop()
    XCTAssertEqual(reporter.messages, [])
  }

  func testPortSessionAndEventsAreKeptOverAStopAndAStart() {
    verifier.start()
    let endpoint = verifier.endpoint
    let tracker = TrackerDouble(endpoint: endpoint)
    tracker.trackEvent(.tapped)
    verifier.wait(for: .tapped)
    verifier.stop()
    XCTAssertEqual(verifier.endpoint, endpoint)
    tracker.track(AddedToCart(productID: "42", quantity: 1))
    verifier.start()
    XCTAssertEqual(verifier.endpoint, endpoint)
    verifier.wait(for: .typed(AddedToCart.self))
    XCTAssertEqual(verifier.events.map(\.name), ["button_tapped", "added_to_cart"])
    XCTAssertEqual(reporter.messages, [])
  }

  func testTheFirstUseOfTheAddressStartsTheServer() throws {
    let uses: [(TrackingVerifier) -> TrackingEndpoint?] = [
      { $0.endpoint },
      { TrackingEndpoint(environment: $0.launchEnvironment) },
      { TrackingEndpoint(arguments: $0.launchArguments) },
      { TrackingEndpoint(url: $0.baseURL) },
    ]
    for use in uses {
      let verifier = TrackingVerifier(with: self, configuration: .init(reporter: reporter))
      TrackerDouble(endpoint: try XCTUnwrap(use(verifier))).trackEvent(.tapped)
      verifier.wait(for: .tapped)
      verifier.stop()
    }
    XCTAssertEqual(reporter.messages, [])
  }

  func testFirstUsesOnManyThreadsStartOneServer() {
    let verifier = verifier
    let endpoints = Locked<Set<TrackingEndpoint>>([])
    DispatchQueue.concurrentPerform(iterations: 64) { _ in
      let endpoint = verifier.endpoint
      endpoints.withLock { _ = $0.insert(endpoint) }
    }
    XCTAssertEqual(endpoints.withLock { $0 }, [verifier.endpoint])
    XCTAssertEqual(reporter.messages, [])
  }

  func testAServerThatCanNotStartByItselfFailsTheTestOnceWhereTheVerifierWasMade() throws {
    let other = TrackingVerifier(with: self, configuration: .init(reporter: reporter))
    let port = try XCTUnwrap(other.endpoint.url.port.flatMap(UInt16.init(exactly:)))
    let (verifier, line) = (
      TrackingVerifier(with: self, configuration: .init(server: .init(port: port), reporter: reporter)), #line as UInt
    )
    XCTAssertEqual(verifier.launchEnvironment, ["TRACKING_URL": "http://127.0.0.1:1"])
    XCTAssertEqual(verifier.launchArguments, ["-TrackingURL", "http://127.0.0.1:1"])
    XCTAssertEqual(reporter.kinds, [.notStarted])
    XCTAssertEqual(reporter.failures.map(\.location.line), [line])
  }

  func testAfterAStopNothingStartsByItself() throws {
    verifier.stop()
    XCTAssertEqual(verifier.launchEnvironment, ["TRACKING_URL": "http://127.0.0.1:1"])
    verifier.start()
    let tracker = TrackerDouble(endpoint: verifier.endpoint)
    tracker.trackEvent(.tapped)
    XCTAssertTrue(tracker.flush(timeout: 30))
    verifier.stop()
    _ = (verifier.endpoint, verifier.baseURL, verifier.launchEnvironment, verifier.launchArguments)
    verifier.reset()
    XCTAssertEqual(silence(of: verifier), "The verifier was stopped, so nothing could reach it.")
    XCTAssertEqual(reporter.messages, [])
  }

  func testATrackerAloneOpensNoSocket() {
    verifier.tracker.trackEvent(.tapped)
    verifier.wait(for: .tapped)
    XCTAssertEqual(verifier.events.count, 1)
    verifier.reset()
    XCTAssertEqual(
      silence(of: verifier),
      "`launchEnvironment` wasn't passed to any app, so only `verifier.tracker` could send events.")
    XCTAssertEqual(
      verifier.outcome(of: .named("a"), timeout: 0).failure?.message.components(separatedBy: "\n").first,
      #"No event named "a" arrived within 0 s; nothing arrived since the reset"#)
  }

  func testAVerifierOfASharedServerStopsWithItsTestAlsoAfterAFailedStart() throws {
    let first = TrackingServer()
    try first.start()
    let port = try XCTUnwrap(first.endpoint?.url.port.flatMap(UInt16.init(exactly:)))
    let server = TrackingServer(configuration: .init(port: port))
    addTeardownBlock {
      first.stop()
      server.stop()
    }
    let reporter = RecordingReporter()
    // Blocks run from the last to the first: this one after the stop.
    addTeardownBlock { XCTAssertEqual(reporter.kinds, [.notStarted, .unexpectedExtra]) }
    let verifier = TrackingVerifier(
      with: self, server: server,
      configuration: .init(checksAtStop: [.none(of: .named("button_tapped"))], reporter: reporter))
    verifier.start()
    verifier.tracker.trackEvent(.tapped)
  }

  func testNothingStartsBetweenTheStopAndTheEndOfTheTest() {
    let reporter = RecordingReporter()
    let verifier = TrackingVerifier(with: self, configuration: .init(reporter: reporter))
    // Blocks run from the last to the first: this one after the stop.
    addTeardownBlock {
      XCTAssertEqual(verifier.launchEnvironment, ["TRACKING_URL": "http://127.0.0.1:1"])
      verifier.start()
      XCTAssertEqual(verifier.endpoint.url.absoluteString, "http://127.0.0.1:1")
      XCTAssertEqual(reporter.kinds, [.notStarted, .notStarted])
    }
    verifier.tracker.trackEvent(.tapped)
  }

  /// The reason that a failure names when nothing has arrived.
  private func silence(of verifier: TrackingVerifier) -> String? {
    verifier.outcome(of: .named("a"), timeout: 0).failure?.message.components(separatedBy: "\n\n").last?
      .replacing("\n", with: " ")
  }

  func testEachFirstUseOnASharedServerIsAStart() throws {
    let server = TrackingServer()
    addTeardownBlock { server.stop() }
    let uses: [(TrackingVerifier) -> Void] = [
      { _ = $0.events }, { _ = $0.requests }, { _ = $0.unacknowledgedEvents }, { _ = $0.mark() }, { $0.reset() },
      { $0.wait(for: .nothingElse()) }, { _ = $0.outcome(of: .named("a"), timeout: 0) }, { _ = $0.tracker },
      { $0.stub(.get, "/a", .ok) }, { $0.inject(HTTPFault(.reset, at: .response)) }, { $0.respondToEvents(with: []) },
      { _ = $0.launchEnvironment }, { _ = $0.baseURL }, { _ = $0.stubsEnvironment(for: []) }, { $0.resetStubs() },
      { $0.removeFaults() }, { _ = $0.unusedStubs }, { $0.note("begins") },
    ]
    for (number, use) in uses.enumerated() {
      let reporter = RecordingReporter()
      // Blocks run from the last to the first: this one after the stop.
      addTeardownBlock { XCTAssertEqual(reporter.kinds, [.unexpectedExtra], "use \(number)") }
      let check = TrackingCheck<CheckOutcome>.none(of: .named("last_words"))
      use(
        TrackingVerifier(
          with: self, server: server, configuration: .init(settling: 0, checksAtStop: [check], reporter: reporter)))
    }
    let tracker = TrackerDouble(endpoint: try XCTUnwrap(server.endpoint))
    tracker.trackEvent(TrackingEvent(name: "last_words"))
    XCTAssertTrue(tracker.flush(timeout: 30))
  }

  func testAnotherVerifierThatWasPassedIsNamedWhereNothingArrives() {
    verifier.start()
    let second = TrackingVerifier(with: self, configuration: .init(timeout: 0, reporter: reporter))
    let third = TrackingVerifier(with: self, configuration: .init(timeout: 0, reporter: reporter))
    third.start()
    let (_, line) = (second.start(), #line)
    verifier.wait(for: .tapped, timeout: 0)
    XCTAssertFalse(reporter.messages.last?.contains("A second verifier") ?? true)
    let environment = verifier.launchEnvironment.merging(second.launchEnvironment) { $1 }
    XCTAssertEqual(environment, second.launchEnvironment)
    verifier.wait(for: .tapped, timeout: 0)
    XCTAssertEqual(
      reporter.messages.last?.components(separatedBy: "\n\n").last?.replacing("\n", with: " "),
      """
      No app connected to \(verifier.endpoint.url.absoluteString). Did you pass `launchEnvironment` to the app before \
      launching it? A second verifier, started at LifecycleTests.swift:\(line), was also passed to the app: \
      an app with the launch variables of both reports to the later one.
      """)
  }

  func testAPortThatIsTakenFailsTheTestWithTheCause() throws {
    verifier.start()
    let port = try XCTUnwrap(verifier.endpoint.url.port.flatMap(UInt16.init(exactly:)))
    let address = verifier.endpoint.url.absoluteString.dropFirst("http://".count)
    let second = TrackingVerifier(
      with: self, configuration: .init(server: .init(port: port), reporter: reporter))
    let (_, line) = (second.start(), #line as UInt)
    XCTAssertEqual(reporter.failures.map(\.location.line), [line])
    XCTAssertEqual(
      reporter.sentences,
      [
        """
        The tracking verifier could not start: port \(port) is already in use (bind on \(address), errno \
        \(EADDRINUSE)) Use port 0 to let the system choose.
        """
      ])
  }

  func testAfterAFailedStartNoFailureAdvisesAStart() throws {
    let other = TrackingVerifier(with: self, configuration: .init(reporter: reporter))
    other.start()
    let port = try XCTUnwrap(other.endpoint.url.port)
    let verifier = TrackingVerifier(
      with: self, configuration: .init(server: .init(port: UInt16(port)), timeout: 0, reporter: reporter))
    verifier.start()
    XCTAssertEqual(verifier.endpoint.url.absoluteString, "http://127.0.0.1:1")
    // At once: the test would take more than a day.
    verifier.wait(for: .named("a"), timeout: 100_000)
    XCTAssertEqual(reporter.kinds, [.notStarted, .tooFew])
    assertText(
      reporter.messages.last,
      """
      No event named "a" arrived, because the verifier could not start
      """)
    // The test's own process may track without a server.
    let tracker = verifier.tracker
    Thread.detachNewThread { tracker.trackEvent(TrackingEvent(name: "a")) }
    verifier.wait(for: .named("a"), timeout: 60)
    verifier.wait(for: .named("b"), timeout: 0)
    assertText(
      reporter.messages.last?.timeless,
      """
      No event named "b" arrived within 0 s

      Received, by time since the wait began:
          #1  +N ms  a()
      """)
    // Nor does one that starts after all.
    other.stop()
    verifier.start()
    let double = TrackerDouble(environment: verifier.launchEnvironment)
    double?.trackEvent(TrackingEvent(name: "c"))
    verifier.wait(for: .named("c"), timeout: 60)
    XCTAssertEqual(reporter.kinds.count, 3)
  }

  func testAfterAFailedRestartAWaitSeesWhatHadArrived() throws {
    let verifier = TrackingVerifier(with: self, configuration: .init(timeout: 60, reporter: reporter))
    verifier.start()
    let port = UInt16(try XCTUnwrap(verifier.endpoint.url.port))
    let double = TrackerDouble(environment: verifier.launchEnvironment)
    double?.trackEvent(TrackingEvent(name: "a"))
    verifier.wait(for: .named("a"))
    verifier.stop()
    let other = TrackingServer(configuration: .init(port: port))
    try other.start()
    defer { other.stop() }
    verifier.start()
    verifier.wait(for: .named("a"))
    XCTAssertEqual(reporter.kinds, [.notStarted])
    verifier.wait(for: .named("b"), timeout: 100_000)
    XCTAssertEqual(reporter.kinds, [.notStarted, .tooFew])
  }

  func testASharedServerOutlivesItsVerifiersAndEachBeginsAtItsMark() throws {
    let server = TrackingServer()
    try server.start()
    let tracker = TrackerDouble(endpoint: try XCTUnwrap(server.endpoint))

    let first = TrackingVerifier(with: self, server: server)
    first.start()
    tracker.trackEvent(.tapped)
    first.wait(for: .tapped)
    first.stop()
    XCTAssertNotNil(server.endpoint)

    let second = TrackingVerifier(with: self, server: server)
    second.start()
    XCTAssertEqual(second.events, [])
    XCTAssertEqual(second.endpoint, server.endpoint)
    tracker.track(AddedToCart(productID: "42", quantity: 1))
    second.wait(for: .typed(AddedToCart.self))
    XCTAssertEqual(second.events.count, 1)
    second.reset()
    XCTAssertEqual(second.events, [])
    XCTAssertEqual(first.events.count, 2)
    server.stop()
  }

  func testAVerifierStartsASharedServerThatIsNotRunning() {
    let server = TrackingServer()
    let verifier = TrackingVerifier(with: self, server: server)
    verifier.start()
    XCTAssertEqual(verifier.endpoint, server.endpoint)
    server.stop()
  }

  func testATestCaseIsNotKeptByItsVerifier() {
    weak var kept: XCTestCase?
    let verifier: TrackingVerifier
    do {
      let testCase = XCTestCase.idle()
      kept = testCase
      verifier = TrackingVerifier(with: testCase, configuration: .init(reporter: reporter))
    }
    XCTAssertNil(kept)
    verifier.start()
    verifier.stop()
    XCTAssertEqual(reporter.messages, [])
  }

  func testAFullJournalFailsTheTestAtItsStop() {
    var configuration = TrackingVerifier.Configuration(reporter: reporter)
    configuration.server.limits.journalEvents = 2
    let verifier = TrackingVerifier(with: self, configuration: configuration)
    let (_, line) = (verifier.start(), #line as UInt)
    for _ in 1...4 {
      verifier.tracker.trackEvent(.tapped)
    }
    verifier.stop()
    XCTAssertEqual(verifier.events.count, 2)
    XCTAssertEqual(reporter.failures.map(\.kind), [.journalFull])
    XCTAssertEqual(reporter.failures.map(\.location.line), [line])
    XCTAssertEqual(
      reporter.sentences,
      [
        """
        2 submissions were refused: the journal is full (2 events or 256 MiB of bodies); reset the verifier
        """
      ])
  }

  func testTheBlockThatIsAddedLastRunsBeforeTheVerifierStops() {
    let verifier = TrackingVerifier(
      with: self, configuration: .init(checksAtStop: [.none(of: .named("last_words"))], reporter: reporter))
    // Blocks run from the last to the first: this one after the stop.
    let reporter = reporter
    addTeardownBlock { XCTAssertEqual(reporter.kinds, [.unexpectedExtra]) }
    verifier.start()
    addTeardownBlock { verifier.tracker.trackEvent(TrackingEvent(name: "last_words")) }
  }

  func testTheArticleOnLimitsHasTheDefaults() throws {
    let (limits, double) = (TrackingServer.Limits(), TrackerDouble.Configuration())
    func grouped(_ number: Int) -> String {
      var (digits, text) = (Substring("\(number)"), "")
      while digits.count > 3 { (text, digits) = (",\(digits.suffix(3))\(text)", digits.dropLast(3)) }
      return digits + text
    }
    func mebibytes(_ bytes: Int) -> String { "\(Double(bytes) / 1_048_576) MiB".replacing(".0 ", with: " ") }
    func seconds(_ seconds: Double) -> String { "\(seconds) s".replacing(".0 ", with: " ") }
    let table = """
      | events in a journal | \(grouped(limits.journalEvents)) | `Limits.journalEvents` |
      | bytes of bodies in a journal | \(mebibytes(limits.journalBodyBytes)) | `Limits.journalBodyBytes` |
      | one body | \(mebibytes(limits.body)) | `Limits.body` |
      | nesting of JSON | \(grouped(limits.jsonDepth)) levels | `Limits.jsonDepth` |
      | connections | \(grouped(limits.connections)) | `Limits.connections` |
      | events that wait in a double | \(grouped(double.queueLimit)) | `TrackerDouble.Configuration` |
      | how long a double tries to deliver an event | \(seconds(double.deadline)) | `TrackerDouble.Configuration` |
      | a wait | \(seconds(TrackingVerifier.Configuration().timeout)) | `timeout:` of the call or of the configuration |
      """
    let article = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../Sources/TrackingVerifier/TrackingVerifier.docc/Limits.md")
    let lines = try String(contentsOf: article, encoding: .utf8).components(separatedBy: "\n")
    XCTAssertEqual(
      lines.drop { $0 != "| Limit | Default | Setting |" }.dropFirst(2).prefix { $0.hasPrefix("|") }
        .joined(separator: "\n"), table)
  }
}
