import TestSupport
import TrackerDouble
import TrackingServer

@testable import TrackingChecks
@testable import TrackingVerifier

/// The failures of a verifier whose app was launched and has sent nothing.
final class SilentLaunchTests: XCTestCase {
  private let reporter = RecordingReporter()
  private lazy var verifier = TrackingVerifier(with: self, configuration: .init(timeout: 0, reporter: reporter))
  private let process = ProcessInfo.processInfo.processName

  private func wait(until isMet: () -> Bool) {
    let end = Date(timeIntervalSinceNow: 30)
    while !isMet(), Date() < end {}
  }

  private var launches: [SilentLaunch] { verifier.server.journal.silentLaunches(since: .beginning) }

  private func silence() -> String? {
    verifier.wait(for: .named("a"))
    return reporter.sentences.last?.replacing(/[0-9.]+ m?s later/, with: "N ms later")
      .components(separatedBy: "  ").last
  }

  func testAnAppThatIsSilentAndOneThatIsGoneAreDistinguished() throws {
    verifier.start()
    var double = TrackerDouble(environment: verifier.launchEnvironment)
    XCTAssertNotNil(double)
    wait { launches.count == 1 }
    XCTAssertEqual(silence(), "\(process) was launched with `launchEnvironment`, but tracked no event.")
    verifier.wait(for: .request(.get, "/a"))
    XCTAssertEqual(
      reporter.sentences.last?.components(separatedBy: "  ").last,
      "\(process) was launched with `launchEnvironment`, but sent no request: does the app use `verifier.baseURL`?")
    double = nil
    wait { launches.first?.closed != nil }
    XCTAssertEqual(
      silence(),
      """
      \(process) was launched with `launchEnvironment`, and the connection closed N ms later without an event: did the app \
      quit or crash?
      """)
    XCTAssertEqual(verifier.events, [])
    XCTAssertEqual(verifier.server.journal.entries(from: 1).count, 0)
  }

  func testAFailureNamesAReasonForAnAppThatEndsAtLaunch() throws {
    verifier.start()
    var double = TrackerDouble(environment: verifier.launchEnvironment)
    XCTAssertNotNil(double)
    wait { launches.count == 1 }
    func silence(_ sentence: String?) -> String {
      var context = FailureContext(in: verifier.server.journal, since: .beginning, origin: .beginning)
      context.reachability = .listening(verifier.endpoint.url, connections: 1)
      context.endAtLaunch = sentence
      return context.silence(about: .events).replacing("\n", with: " ")
    }
    XCTAssertFalse(silence("It has no scenes.").contains("scenes"))
    double = nil
    wait { launches.first?.closed != nil }
    XCTAssertTrue(silence("It has no scenes.").hasSuffix("did the app quit or crash? It has no scenes."))
    XCTAssertTrue(silence(nil).hasSuffix("did the app quit or crash?"))
    XCTAssertTrue(
      silence(FailureContext.lackOfScenes).hasSuffix(
        """
        Built with the iOS 27 SDK, an app ends at launch if its Info.plist has no `UIApplicationSceneManifest`, or one without a \
        delegate class (`UISceneDelegateClassName`).
        """))
  }

  func testAnAppThatHasTrackedIsNotSilent() throws {
    verifier.start()
    let double = try XCTUnwrap(TrackerDouble(environment: verifier.launchEnvironment))
    wait { launches.count == 1 }
    double.trackEvent(TrackingEvent(name: "b"))
    XCTAssertTrue(double.flush(timeout: 30))
    XCTAssertEqual(launches, [])
    verifier.reset()
    XCTAssertEqual(silence(), #"No event named "a" arrived within 0 s; nothing arrived since the reset"#)
  }

  func testAConnectionWithoutADoubleIsTold() async throws {
    verifier.start()
    _ = try await AppClient(verifier).send("GET", "/books")
    _ = await verifier.wait(for: .named("a"))
    XCTAssertEqual(
      reporter.sentences.last?.components(separatedBy: "  ").last,
      "1 connection reached \(verifier.endpoint.url.absoluteString), but sent no event, and no `TrackerDouble` has connected."
    )
  }

  func testALaunchBeforeTheVerifierBeganIsNotItsOwn() throws {
    verifier.start()
    let double = TrackerDouble(environment: verifier.launchEnvironment)
    wait { launches.count == 1 }
    verifier.tracker.trackEvent(TrackingEvent(name: "b"))
    verifier.reset()
    XCTAssertEqual(verifier.server.journal.silentLaunches(since: verifier.beginning), [])
    XCTAssertNotNil(double)
  }
}
