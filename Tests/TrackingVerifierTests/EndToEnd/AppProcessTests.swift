import TestSupport
@testable import TrackingVerifier

/// Real app processes, real sockets.
final class AppProcessTests: XCTestCase {
  private lazy var verifier = TrackingVerifier(with: self, configuration: .init(timeout: 30))

  private func counted(_ number: Int) -> TrackingEvent {
    TrackingEvent(name: "counted", params: ["number": .int(number)])
  }

  private func numbers(_ range: ClosedRange<Int>) -> [TrackingValue?] {
    range.map(TrackingValue.int)
  }

  func testFourAppsAtOnceReachTheirOwnVerifiers() throws {
    let verifiers = (0..<4).map { _ in TrackingVerifier(with: self, configuration: .init(timeout: 30)) }
    let apps = try verifiers.map { verifier in
      verifier.start()
      return try ProbeProcess(environment: verifier.launchEnvironment)
    }
    for (index, app) in apps.enumerated() {
      app.send("track \(index * 1_000 + 1) \(index * 1_000 + 200)")
    }
    for (index, verifier) in verifiers.enumerated() {
      verifier.wait(for: counted(index * 1_000 + 200))
      XCTAssertEqual(verifier.events.map { $0.params["number"] }, numbers(index * 1_000 + 1...index * 1_000 + 200))
    }
    for app in apps {
      XCTAssertEqual(app.finish(), "")
    }
  }

  func testAnAppWhoseLaunchArgumentsAreSpeltOtherwiseSendsItsEventsNowhere() throws {
    verifier.start()
    let (url, session) = (verifier.endpoint.url.absoluteString, verifier.endpoint.session ?? "")
    for (arguments, isRead) in [
      (["--TRACKING_URL=\(url)", "TRACKING_SESSION=\(session)"], true),
      (["-TrackingURL", "http://[::1]:1", "-TrackingURL", url, "-TrackingSession", session], true),
      (["-TRACKING_URL \(url) -TRACKING_SESSION \(session)"], false),
      ([#"{"TRACKING_URL": "\#(url)", "TRACKING_SESSION": "\#(session)"}"#], false),
      (["-TRACKING_URL ", url, "-TRACKING_SESSION ", session], false),
    ] {
      let app = try ProbeProcess(environment: [:], arguments: arguments)
      app.send("track 1 1")
      app.send("flush")
      XCTAssertEqual(
        app.finish(),
        isRead
          ? "delivered: 1 tracked: 1 delivered, 0 pending, 0 failed\n"
          : "not delivered: 1 tracked: 0 delivered, 0 pending, 1 failed\n", "\(arguments)")
    }
    XCTAssertEqual(verifier.events.count, 2)
  }

  func testAScenarioThatIsSpeltOtherwiseIsReadOrFailsEveryRequest() throws {
    let reporter = RecordingReporter()
    let verifier = TrackingVerifier(with: self, configuration: .init(reporter: reporter))
    verifier.start()
    for (arguments, response) in [
      (["StubScenario=greeting"], "200 hello"),
      (["--StubScenario", "other", "-StubScenario", "greeting"], "200 hello"),
      (
        ["-StubScenario greeting"],
        """
        GET localhost/greeting gets no response: the launch argument "-StubScenario greeting" isn't read; write -StubScenario \
        and a name, or StubScenario=name; there are greeting
        """
      ),
    ] {
      let app = try ProbeProcess(environment: verifier.launchEnvironment, arguments: arguments)
      app.send("get http://localhost:1/greeting")
      XCTAssertEqual(app.finish(), response + "\n", "\(arguments)")
    }
    verifier.stop()
    XCTAssertEqual(reporter.kinds, [.rejected])
  }

  func testTenThousandEventsInATightLoopSurviveARestartOfTheServer() throws {
    verifier.start()
    let app = try ProbeProcess(environment: verifier.launchEnvironment)
    app.send("track 1 10000")
    verifier.wait(for: counted(1_000))
    verifier.stop()
    verifier.start()
    app.send("flush")
    XCTAssertEqual(app.finish(), "delivered: 10000 tracked: 10000 delivered, 0 pending, 0 failed\n")
    XCTAssertEqual(verifier.events.map { $0.params["number"] }, numbers(1...10_000))
  }

  func testAnAppThatIsLaunchedBeforeTheServerRespondsLosesNothing() throws {
    verifier.start()
    let environment = verifier.launchEnvironment
    verifier.stop()
    let app = try ProbeProcess(environment: environment)
    app.send("track 1 50")
    verifier.start()
    verifier.wait(for: counted(50))
    XCTAssertEqual(app.finish(), "")
    XCTAssertEqual(verifier.events.map { $0.params["number"] }, numbers(1...50))
  }

  func testAFailureSaysThatTheAppIsGone() throws {
    let reporter = RecordingReporter()
    let verifier = TrackingVerifier(with: self, configuration: .init(reporter: reporter))
    verifier.start()
    let app = try ProbeProcess(environment: verifier.launchEnvironment)
    app.send("track 1 3")
    verifier.wait(for: counted(3))
    app.kill()
    while verifier.server.journal.openConnections > 0 { Thread.sleep(forTimeInterval: 0.001) }
    verifier.wait(for: counted(4), timeout: 0)
    XCTAssertEqual(reporter.messages.count, 1)
    let message = try XCTUnwrap(reporter.messages.first)
    XCTAssertNotNil(message.firstMatch(of: /The app's connection closed [0-9.]+ (ms|s) after its last event/), message)
  }

  func testAKilledAppContinuesAfterItsNextLaunch() throws {
    verifier.start()
    let first = try ProbeProcess(environment: verifier.launchEnvironment)
    first.send("track 1 10")
    verifier.wait(for: counted(10))
    first.kill()
    let second = try ProbeProcess(environment: verifier.launchEnvironment)
    second.send("track 1 10")
    XCTAssertEqual(second.finish(), "")
    XCTAssertEqual(verifier.events.map { $0.params["number"] }, numbers(1...10) + numbers(1...10))
  }

  func testAnAppWithoutAnEndpointHasNoDouble() throws {
    let app = try ProbeProcess(environment: [:])
    XCTAssertEqual(app.finish(), "no endpoint was passed\n")
  }
}
