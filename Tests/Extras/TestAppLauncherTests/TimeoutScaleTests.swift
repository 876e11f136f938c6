import TestAppLauncher
import TestSupport
import TrackingChecks

@testable import TrackingVerifier

/// The variable that scales the timeouts of a run, in test processes that have it from the beginning.
final class TimeoutScaleTests: XCTestCase {
  private static let variable = "TRACKING_TIMEOUT_SCALE"

  private let scale = ProcessInfo.processInfo.environment[variable]
  private let reporter = RecordingReporter()
  private lazy var verifier = TrackingVerifier(
    with: self, configuration: .init(timeout: 0.1, settling: 0.1, reporter: reporter))

  /// Runs a test of this class in a process with a factor, in which it must pass.
  ///
  /// - Returns: What it wrote to standard error.
  @discardableResult
  private func run(_ test: String, with factor: String) throws -> String {
    let executable = try XCTUnwrap(Bundle.main.executableURL)
    try XCTSkipUnless(executable.pathExtension == "xctest", "a test bundle that isn't a program")
    let process = TestApp(executable: executable)
    process.launchArguments = ["TestAppLauncherTests.TimeoutScaleTests/\(test)"]
    process.launchEnvironment = [Self.variable: factor]
    try process.launch()
    XCTAssertEqual(try process.waitForExit(timeout: 60), 0, process.output + process.errorOutput)
    XCTAssertTrue(process.output.contains("Executed 1 test, with 0 failures"), process.output)
    return process.errorOutput
  }

  func testEachWaitLastsForTheScaledTimeAndNamesIt() throws {
    guard scale == "0.5" else {
      try run("testEachWaitLastsForTheScaledTimeAndNamesIt", with: "0.5")
      return
    }
    verifier.wait(for: .named("a"))
    verifier.wait(for: .named("a"), timeout: 0.04)
    verifier.wait(for: .named("a"), count: 2)
    verifier.wait(for: AddedToCart(productID: "42", quantity: 2))
    verifier.expect(.named("a")) {}
    XCTAssertThrowsError(try verifier.require(.named("a")))
    XCTAssertThrowsError(try verifier.require(.named("a")) {})
    XCTAssertEqual(
      reporter.messages.map { $0.firstMatch(of: /within ([0-9.]+) s/).map { "\($0.1)" } },
      ["0.05", "0.02", "0.05", "0.05", "0.05", "0.05", "0.05"])
  }

  func testAWaitOfATaskLastsForTheScaledTime() async throws {
    guard scale == "0.5" else {
      try run("testAWaitOfATaskLastsForTheScaledTime", with: "0.5")
      return
    }
    await verifier.wait(for: .inOrder([.named("a"), .named("b")]))
    XCTAssertTrue(reporter.messages[0].contains("didn't arrive within 0.05 s;"), reporter.messages[0])
  }

  func testSettlingTimesAreScaledAndTheSecondsOfACheckAreNot() throws {
    guard scale == "0.5" else {
      try run("testSettlingTimesAreScaledAndTheSecondsOfACheckAreNot", with: "0.5")
      return
    }
    func times(_ check: TrackingCheck<CheckOutcome>, timeout: TimeInterval? = nil) throws -> [TimeInterval] {
      let call = try verifier.call(check, since: nil, timeout, at: .wholeTest)
      return [call.timeout, call.settling]
    }
    XCTAssertEqual(try times(.count(2, of: .named("a"))), [0.05, 0.05])
    XCTAssertEqual(try times(.count(2, of: .named("a")), timeout: 1), [0.5, 0.05])
    XCTAssertEqual(try times(.none(of: .named("a"))), [0.05, 0.05])
    XCTAssertEqual(try times(.none(of: .named("a"), within: 0.3)), [0.3, 0.3])
    XCTAssertEqual(try times(.noDuplicates(within: 0.3)), [0.35, 0.3])
    XCTAssertEqual(try times(.count(2, of: .named("a")), timeout: .infinity), [.infinity, 0.05])
  }

  func testTheTimeoutsOfAProgramAreScaled() throws {
    guard scale == "0.5" else {
      try run("testTheTimeoutsOfAProgramAreScaled", with: "0.5")
      return
    }
    // Only what a shell has built in, so that it doesn't read.
    let app = TestApp(executable: URL(filePath: "/bin/sh"))
    app.launchArguments = ["-c", "while :; do :; done"]
    try app.launch()
    func assertThrows(_ kind: TestAppError.Reason, _ body: () throws -> Void) {
      XCTAssertThrowsError(try body()) { XCTAssertEqual(($0 as? TestAppError)?.reason, kind) }
    }
    assertThrows(.stillRunning(after: 0.05)) { try app.waitForExit(timeout: 0.1) }
    assertThrows(.noOutput(containing: "up", after: 0.05, ending: nil, output: "", errorOutput: "")) {
      try app.waitForOutput(containing: "up", timeout: 0.1)
    }
    assertThrows(.notReading(after: 0.05)) { try app.type(String(repeating: "x", count: 1_000_000), timeout: 0.1) }
  }

  func testAValueThatIsNoFactorIsReportedOnceAndScalesNothing() throws {
    guard scale == "0" else {
      let errorOutput = try run("testAValueThatIsNoFactorIsReportedOnceAndScalesNothing", with: "0")
      let lines = errorOutput.split(separator: "\n").filter { $0.contains(Self.variable) }
      XCTAssertEqual(
        lines,
        [
          """
          warning: \(Self.variable) can't be "0": it is a number greater than 0 and at most 100, so timeouts aren't scaled
          """[...]
        ])
      return
    }
    verifier.wait(for: .named("a"), timeout: 0.02)
    verifier.wait(for: .named("a"), timeout: 0.02)
    XCTAssertEqual(reporter.messages.map { $0.hasPrefix("No event named \"a\" arrived within 0.02 s;") }, [true, true])
  }

  func testFactorsAreAboveZeroAndAtMostOneHundred() {
    XCTAssertEqual(["3", "0.5", "100", "1e-3"].map(TimeoutScale.factor), [3, 0.5, 100, 0.001])
    for text in ["0", "-1", "100.1", "1e3", "nan", "inf", "three", "3x", " 3", "0,5", ""] {
      XCTAssertNil(TimeoutScale.factor(text), text)
    }
  }
}
