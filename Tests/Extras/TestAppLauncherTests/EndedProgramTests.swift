import TestAppLauncher
import TestSupport
import TrackingVerifier
import XCTest

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

  private func failure() -> String? {
    verifier.wait(for: .named("a"))
    return reporter.messages.last
  }

  private func silence(_ ending: String) -> String {
    """
    Waited 0 s for an event named "a"
    No event arrived.

    \(ending)No connection reached \(verifier.endpoint.url.absoluteString): was `launchEnvironment` handed to the app before launch?
    """
  }

  func testAProgramThatHasCrashedIsToldWithoutBeingAsked() throws {
    let app = shell("echo oh no >&2; kill -KILL $$")
    try app.launch()
    try app.waitForExit()
    // The signal has another name on each system.
    let ending = try XCTUnwrap(app.ending?.description) + "\n\n"
    XCTAssertTrue(ending.hasPrefix("the program was ended by signal 9 (Killed"), ending)
    XCTAssertTrue(ending.hasSuffix("; the end of its standard error:\n  oh no\n\n"), ending)
    XCTAssertEqual(failure(), silence(ending))
    // The test's own description is not repeated.
    verifier.describeApp { app.ending?.description }
    XCTAssertEqual(failure(), silence(ending))
    app.terminate()
    XCTAssertEqual(failure(), silence(ending))
  }

  func testAProgramThatRunsOrThatTheTestHasEndedIsNotTold() throws {
    let app = shell("read line; exit 3")
    try app.launch()
    XCTAssertEqual(failure(), silence(""))
    app.terminate()
    XCTAssertEqual(failure(), silence(""))
    try app.launch()
    try app.type("")
    try app.waitForExit()
    XCTAssertEqual(
      failure(), silence("the program has ended with status 3 and has written nothing to standard error\n\n"))
  }

  func testAProgramOfAnotherVerifierIsNotTold() throws {
    let app = shell("exit 3")
    app.launchEnvironment = ["SERVER_PORT": "1", "URL": "http://localhost:1\(verifier.endpoint.url.port ?? 0)"]
    try app.launch()
    try app.waitForExit()
    XCTAssertEqual(failure(), silence(""))
    app.launchEnvironment = [:]
    app.launchArguments += ["\(verifier.baseURL)"]
    try app.launch()
    try app.waitForExit()
    XCTAssertNotEqual(failure(), silence(""))
  }
}
