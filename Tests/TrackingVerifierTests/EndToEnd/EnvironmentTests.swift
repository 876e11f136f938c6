import Foundation
import TestSupport
import TrackingVerifier

/// Mistakes in the environment of a whole process.
final class EnvironmentTests: XCTestCase {
  private let mistakes = ["TRACKING_PLANS": "plan.json", "TRACKING_INSPECTOR": "yes", "TRACKING_FLOWS": "rec"]
  private let warnings = [
    "warning: the variable TRACKING_PLANS isn't read: did you mean TRACKING_PLAN?",
    "warning: TRACKING_FLOWS can't be \"rec\": its value is record",
    "warning: TRACKING_INSPECTOR can't be \"yes\": its values are 1, hold, 0 and off",
  ]

  /// Run in other processes.
  func testTwoVerifiersWithoutAServer() {
    for _ in 1...2 {
      let verifier = TrackingVerifier(with: self)
      verifier.tracker.trackEvent(.tapped)
      verifier.wait(for: .tapped)
      verifier.stop()
    }
  }

  func testAVerifierWithAServer() {
    TrackingVerifier(with: self).start()
  }

  func testATestProcessSaysItsMistakesOnce() throws {
    let text = try NestedTest.output(of: "EnvironmentTests/testTwoVerifiersWithoutAServer", environment: mistakes)
    XCTAssertEqual(lines(of: text), warnings, text)
    XCTAssertTrue(text.contains("Executed 1 test, with 0 failures"), text)
  }

  func testAnAppSaysNothingOfThem() throws {
    let process = Process()
    process.executableURL = try ProbeProcess.executable()
    process.environment = ProcessInfo.processInfo.environment.merging(mistakes) { $1 }
      .merging(["TRACKING_URL": "http://[::1]:1"]) { $1 }
    let error = Pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardError = error
    try process.run()
    let text = String(decoding: error.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    XCTAssertEqual(lines(of: text), [], text)
  }

  func testAWantedPageThatNoTestServesIsExplainedOnce() throws {
    for value in ["1", "hold"] {
      let environment = ["TRACKING_INSPECTOR": value]
      let without = try NestedTest.output(
        of: "EnvironmentTests/testTwoVerifiersWithoutAServer", environment: environment)
      XCTAssertEqual(
        lines(of: without),
        [
          """
          warning: TRACKING_INSPECTOR is set, but EnvironmentTests.testTwoVerifiersWithoutAServer has no page: it has not started \
          the server that would serve it, with start() or openInspector()
          """
        ], without)
    }
    let with = try NestedTest.output(
      of: "EnvironmentTests/testAVerifierWithAServer", environment: ["TRACKING_INSPECTOR": "1"])
    XCTAssertEqual(lines(of: with), [], with)
    XCTAssertTrue(with.contains("Executed 1 test, with 0 failures"), with)
  }

  private func lines(of text: String) -> [String] {
    text.split(separator: "\n").map(String.init).filter { $0.hasPrefix("warning: ") }
  }
}
