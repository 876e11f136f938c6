import TestAppLauncher
import TestSupport
import TrackerDouble
import TrackingVerifier

/// The failures of a verifier whose program has ended.
final class EndedProgramTests: XCTestCase {
  private let reporter = RecordingReporter()
  private lazy var verifier = TrackingVerifier(with: self, configuration: .init(timeout: 0, reporter: reporter))

  /// The shell as a program that is launched with the verifier's address.
  private func shell(_ script: String) -> TestApp {
    let app = TestApp(executable: URL(filePath: "/bin/sh"))
    app.launchArguments = ["-c", script]
    verifier.start()
    app.launchEnvironment = verifier.launchEnvironment
    return app
  }

  private var unflushed: String {
    noConnection(" before the program ended: does it call `flush(timeout:)` of its double before it exits?")
  }

  private func noConnection(_ reason: String) -> String {
    "No connection reached \(verifier.endpoint.url.absoluteString)\(reason)"
  }

  private func silence(_ ending: String, _ reason: String, clause: String = "no app connected") -> String {
    """
    No event named "a" arrived within 0 s; \(clause)

    \(ending)\(reason)
    """
  }

  /// The last failure, with the sentence about the connection on one line.
  private func failure() -> String? {
    verifier.wait(for: .named("a"))
    guard let message = reporter.messages.last, let start = message.firstRange(of: /No (connection|app)/)?.lowerBound
    else {
      return nil
    }
    return String(message[..<start]) + String(message[start...]).replacing("\n", with: " ")
  }

  /// Waits for the end of a program, which the verifier isn't told of.
  private func waitForEnd(of app: TestApp) {
    let end = expectation(description: "the program has ended")
    app.onExit { end.fulfill() }
    wait(for: [end], timeout: 30)
  }

  func testACrashedProgramIsReportedWithoutADescription() throws {
    let app = shell("echo oh no >&2; kill -KILL $$")
    try app.launch()
    try app.waitForExit()
    // The signal has another name on each system.
    let ending = try XCTUnwrap(app.ending?.description) + "\n\n"
    XCTAssertTrue(ending.hasPrefix("The program was ended by signal 9 (Killed"), ending)
    XCTAssertTrue(ending.hasSuffix("; the end of its standard error:\n  oh no\n\n"), ending)
    let message = silence(
      "The end of its standard error:\n  oh no\n\n", unflushed,
      clause: "t\(ending.dropFirst().prefix { $0 != ";" })")
    XCTAssertEqual(failure(), message)
    // The test's own description is not repeated.
    verifier.describeApp { app.ending?.description }
    XCTAssertEqual(failure(), message)
    app.terminate()
    XCTAssertEqual(failure(), message)
  }

  func testAProgramThatRunsOrThatTheTestHasEndedIsNotTold() throws {
    let app = shell("read line; exit 3")
    try app.launch()
    XCTAssertEqual(
      failure(),
      silence("", noConnection(", with which the running program was launched: does it make a `TrackerDouble()`?")))
    app.terminate()
    XCTAssertEqual(failure(), silence("", noConnection(" before the test terminated the program.")))
    try app.launch()
    try app.type("")
    try app.waitForExit()
    XCTAssertEqual(
      failure(),
      silence(
        "The program exited with status 3 and wrote nothing to standard error\n\n", unflushed,
        clause: "the program exited with status 3"))
  }

  func testAProgramOfAnotherVerifierIsNotTold() throws {
    let app = shell("exit 3")
    app.launchEnvironment = ["SERVER_PORT": "1", "URL": "http://localhost:1\(verifier.endpoint.url.port ?? 0)"]
    try app.launch()
    try app.waitForExit()
    let unknown = silence(
      "",
      """
      No app connected to \(verifier.endpoint.url.absoluteString). Did you pass `launchEnvironment` to the app before \
      launching it?
      """)
    XCTAssertEqual(failure(), unknown)
    app.launchEnvironment = [:]
    app.launchArguments += ["\(verifier.baseURL)"]
    try app.launch()
    try app.waitForExit()
    XCTAssertNotEqual(failure(), unknown)
  }

  // MARK: Waits

  /// A verifier that waits for a minute, and for a short time after the end of a program.
  private lazy var patient = TrackingVerifier(
    with: self,
    configuration: changed(.init(timeout: 60, settling: 0, reporter: reporter)) { $0.arrivalTime = 0.05 })

  private func launch(_ app: TestApp) throws -> TestApp {
    patient.start()
    app.launchEnvironment = patient.launchEnvironment
    try app.launch()
    return app
  }

  private var ended: String {
    """
    The program exited with status 3 before it tracked "a"; no app connected

    The program exited with status 3 and wrote nothing to standard error

    No connection reached \(patient.endpoint.url.absoluteString) before the program ended: does it call `flush(timeout:)` of
    its double before it exits?
    """
  }

  func testAWaitEndsWithTheProgramThatItWaitsFor() throws {
    let app = TestApp(executable: URL(filePath: "/bin/sh"))
    app.launchArguments = ["-c", "read line; exit 3"]
    let began = ContinuousClock.now
    _ = try launch(app)
    try app.type("")
    waitForEnd(of: app)
    patient.wait(for: .named("a"))
    _ = try launch(app)
    Thread.detachNewThread { try? app.type("") }
    patient.wait(for: .named("a"))
    XCTAssertEqual(reporter.messages, [ended, ended])
    XCTAssertLessThan(ContinuousClock.now - began, .seconds(30))
  }

  func testASuspendedWaitEndsWithTheProgram() async throws {
    let app = TestApp(executable: URL(filePath: "/bin/sh"))
    app.launchArguments = ["-c", "read line; exit 3"]
    let began = ContinuousClock.now
    _ = try launch(app)
    DispatchQueue.global().async { try? app.type("") }
    await patient.wait(for: .named("a"))
    XCTAssertEqual(reporter.messages, [ended])
    XCTAssertLessThan(ContinuousClock.now - began, .seconds(30))
  }

  func testWhatAProgramHasSentBeforeItsEndCounts() throws {
    patient = TrackingVerifier(with: self, configuration: .init(timeout: 60, settling: 0, reporter: reporter))
    let app = try launch(TestApp("AppProbe"))
    for command in ["track 1 500", "flush", "crash"] { try app.type(command) }
    patient.wait(for: .named("counted"), count: 500)
    XCTAssertEqual(reporter.messages, [])
  }

  func testAWaitThatAnotherSenderCouldMatchLasts() throws {
    let app = TestApp(executable: URL(filePath: "/bin/sh"))
    app.launchArguments = ["-c", "exit 3"]
    let sender = TestApp("AppProbe")
    for other in ["a program", "a connection", "the test's own process"] {
      _ = try launch(app)
      waitForEnd(of: app)
      var double: TrackerDouble?
      switch other {
      case "a program": _ = try launch(sender)
      case "a connection":
        double = TrackerDouble(environment: patient.launchEnvironment)
        double?.trackEvent(TrackingEvent(name: "b"))
        patient.wait(for: .named("b"))
      default: patient.tracker.trackEvent(TrackingEvent(name: "c"))
      }
      patient.wait(for: .named("a"), timeout: 0.15)
      XCTAssertEqual(
        reporter.messages.last?.hasPrefix("No event named \"a\" arrived within 0.15 s"), true, other)
      sender.terminate()
      withExtendedLifetime(double) {}
    }
    XCTAssertEqual(reporter.messages.count, 3)
  }

  func testAWaitForAnotherAppOutlivesAProgramWhoseEndTheTestHasWaitedFor() throws {
    let app = TestApp(executable: URL(filePath: "/bin/sh"))
    for status in [0, 3] {
      app.launchArguments = ["-c", "exit \(status)"]
      try launch(app).waitForExit()
      let environment = patient.launchEnvironment
      DispatchQueue.global().asyncAfter(deadline: .now() + 0.15) {
        TrackerDouble(environment: environment)?.trackEvent(TrackingEvent(name: "a\(status)"))
      }
      patient.wait(for: .named("a\(status)"))
    }
    XCTAssertEqual(reporter.messages, [])
  }

  func testAWaitEndsWithAProgramThatEndsWithoutAnErrorBeforeItOrMeanwhile() throws {
    let app = TestApp(executable: URL(filePath: "/bin/sh"))
    app.launchArguments = ["-c", "read line; exit 0"]
    let began = ContinuousClock.now
    _ = try launch(app)
    try app.type("")
    waitForEnd(of: app)
    patient.wait(for: .named("a"))
    // The end of an earlier launch is another one.
    _ = try launch(app)
    try app.type("")
    try app.waitForExit()
    _ = try launch(app)
    DispatchQueue.global().asyncAfter(deadline: .now() + 0.05) { try? app.type("") }
    patient.wait(for: .named("a"))
    let message = ended.replacing("exited with status 3", with: "exited with status 0")
    XCTAssertEqual(reporter.messages, [message, message])
    XCTAssertLessThan(ContinuousClock.now - began, .seconds(30))
  }

  func testAnAppThatRunsAndIsSilentIsTold() throws {
    let app = try launch(TestApp("AppProbe"))
    try app.type("track 1 2")
    patient.wait(for: .named("counted"), count: 2)
    patient.wait(for: .named("a"), timeout: 1.1)
    let text = reporter.messages.last?.replacing(/[0-9.]+ s ago/, with: "N s ago") ?? ""
    XCTAssertEqual(
      text.split(separator: "\n").last, "The app is running and has sent nothing since #2, N s ago.", text)
  }

  func testTheReasonOfACrashIsInTheFailure() throws {
    let app = try launch(TestApp("AppProbe"))
    try app.type("crash")
    patient.wait(for: .named("a"))
    let lines = try XCTUnwrap(reporter.messages.last).split(separator: "\n")
    XCTAssertTrue(
      lines.contains { $0.replacing(/[0-9]+/, with: "N") == "  AppProbe/AppProbe.swift:N: Fatal error: no database" },
      "\(lines)")
    XCTAssertFalse(lines.contains { $0.hasPrefix("  rax") || $0.hasPrefix("  Images") }, "\(lines)")
  }

  // MARK: The end of the test

  func testAProgramEndsWithTheTestOfItsVerifier() throws {
    let app = TestApp(executable: URL(filePath: "/bin/sh"))
    app.launchArguments = ["-c", "read line"]
    // Teardown blocks run from the last to the first: this one after the verifier's.
    addTeardownBlock { XCTAssertEqual(app.exitStatus, SIGKILL) }
    _ = try launch(app)
    patient.stop()
    XCTAssertNil(app.exitStatus, "a test may stop and start its server while its app runs")
  }

  func testUsingAProgramThatEndedWithItsTestNamesThatTest() throws {
    let app = shell("echo up; read line")
    try app.launch()
    try app.waitForOutput(containing: "up")
    verifier.stopForGood()
    let text = """
      the program ended with the test that launched it, EndedProgramTests.testUsingAProgramThatEndedWithItsTestNamesThatTest.
      To keep it for several tests, launch it before the first, in XCTest in `class func setUp()`.
      """
    let uses: [(TestApp) throws -> Void] = [
      { try $0.type("a") }, { try $0.waitForOutput(containing: "b") }, { try $0.waitForExit() },
    ]
    for use in uses {
      XCTAssertThrowsError(try use(app)) {
        XCTAssertEqual(
          ($0 as? TestAppError)?.reason,
          .endedWithTest("EndedProgramTests.testUsingAProgramThatEndedWithItsTestNamesThatTest"))
        XCTAssertTrue("\($0)".hasSuffix(": \(text)"), "\($0)")
      }
    }
    XCTAssertNoThrow(try app.waitForOutput(containing: "up"))
    // Another verifier at the same port, as the next test has on a shared server.
    let port = try XCTUnwrap(verifier.endpoint.url.port.flatMap(UInt16.init(exactly:)))
    verifier = TrackingVerifier(
      with: self, configuration: .init(server: .init(port: port), timeout: 0, reporter: reporter))
    verifier.start()
    let expected = silence(text + "\n\n", noConnection(" before the test terminated the program."))
    XCTAssertEqual(failure()?.prefix(expected.count), expected[...])
    try app.launch()
    try app.type("")
    XCTAssertEqual(try app.waitForExit(), 0)
  }

  func testAProgramThatTheTestHasEndedDidNotEndWithIt() throws {
    let (app, other) = (shell("read line"), shell("exit 3"))
    try app.launch()
    try other.launch()
    app.terminate()
    try other.waitForExit()
    verifier.stopForGood()
    for ended in [app, other] {
      XCTAssertThrowsError(try ended.type("a")) { XCTAssertFalse("\($0)".contains("with the test")) }
    }
    XCTAssertEqual(try [app, other].map { try $0.waitForExit() }, [SIGKILL, 3])
  }

  func testAProgramOfASharedServerEndsWithTheTestThatLaunchedIt() throws {
    let server = TrackingServer()
    try server.start()
    addTeardownBlock { server.stop() }
    let app = TestApp(executable: URL(filePath: "/bin/sh"))
    app.launchArguments = ["-c", "read line"]
    addTeardownBlock { XCTAssertEqual(app.exitStatus, SIGKILL) }
    let verifier = TrackingVerifier(with: self, server: server)
    verifier.start()
    app.launchEnvironment = verifier.launchEnvironment
    try app.launch()
  }

  // MARK: Programs of several tests

  private static let port = Locked<UInt16>(0)
  private static let shared = TestApp(executable: URL(filePath: "/bin/sh"))

  /// Launches a program for all tests, with a port that their verifiers have.
  override class func setUp() {
    let server = TrackingServer()
    try? server.start()
    port.withLock { $0 = UInt16(server.endpoint?.url.port ?? 0) }
    server.stop()
    shared.launchArguments = ["-c", "read line", "\(port.withLock { $0 })"]
    try? shared.launch()
  }

  override class func tearDown() {
    shared.terminate()
  }

  func testAProgramThatWasLaunchedForSeveralTestsOutlivesEach() {
    addTeardownBlock { XCTAssertNil(Self.shared.exitStatus) }
    let verifier = TrackingVerifier(
      with: self, configuration: .init(server: .init(port: Self.port.withLock { $0 }), reporter: reporter))
    verifier.start()
  }
}
