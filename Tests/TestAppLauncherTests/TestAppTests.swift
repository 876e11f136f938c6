import Foundation
import TestAppLauncher
import XCTest

final class TestAppTests: XCTestCase {
  /// The shell as a program that does what it is told.
  private func shell(_ script: String) -> TestApp {
    let app = TestApp(executable: URL(filePath: "/bin/sh"))
    app.launchArguments = ["-c", script]
    return app
  }

  func testAProgramSeesItsEnvironmentAndArgumentsAndIsReadToItsEnd() throws {
    let app = shell(#"echo "$GREETING $0"; echo warning >&2; exit 3"#)
    app.launchArguments.append("world")
    app.launchEnvironment["GREETING"] = "hello"
    try app.launch()
    XCTAssertEqual(try app.waitForExit(), 3)
    XCTAssertEqual(app.output, "hello world\n")
    XCTAssertEqual(app.errorOutput, "warning\n")
    XCTAssertEqual(app.exitStatus, 3)
  }

  func testALineThatIsTypedIsAnswered() throws {
    let app = shell("while read line; do echo \"got $line\"; done")
    try app.launch()
    try app.type("one")
    try app.waitForOutput(containing: "got one")
    XCTAssertNil(app.exitStatus)
    try app.type("two")
    try app.waitForOutput { $0.hasSuffix("got two\n") }
  }

  func testMoreOutputThanAPipeHoldsDoesNotBlockTheProgram() throws {
    let app = shell("i=0; while [ $i -lt 20000 ]; do echo 0123456789; i=$((i+1)); done")
    try app.launch()
    XCTAssertEqual(try app.waitForExit(), 0)
    XCTAssertEqual(app.output.utf8.count, 220_000)
  }

  func testATerminatedProgramIsGoneAndCanBeLaunchedAgain() throws {
    let app = shell("echo up; read line; echo $line")
    try app.launch()
    try app.waitForOutput(containing: "up")
    app.terminate()
    XCTAssertEqual(try app.waitForExit(), SIGKILL)
    XCTAssertThrowsError(try app.type("x")) { XCTAssertEqual($0 as? TestAppError, .notLaunched) }
    try app.launch()
    XCTAssertNil(app.exitStatus)
    try app.type("again")
    XCTAssertEqual(try app.waitForExit(), 0)
    XCTAssertEqual(app.output, "up\nagain\n")
  }

  func testTheEndOfAProgramIsTold() throws {
    let ended = expectation(description: "ended")
    let app = shell("read line")
    try app.launch()
    app.onExit { ended.fulfill() }
    try app.type("")
    wait(for: [ended], timeout: 10)
  }

  func testWhatCannotBeStartedSaysWhatToDo() {
    let app = TestApp("no-such-program")
    XCTAssertThrowsError(try app.launch()) { error in
      let text = "\(error)"
      XCTAssertTrue(text.hasPrefix("\(app.executable.path) could not be started: "), text)
      XCTAssertTrue(
        text.hasSuffix("If it is a target of this package, let the test target depend on it."), text)
    }
  }

  func testOutputThatDoesNotComeIsReportedWithWhatCame() throws {
    let app = shell("echo something; echo trouble >&2; exit 1")
    try app.launch()
    _ = try app.waitForExit()
    XCTAssertThrowsError(try app.waitForOutput(containing: "ready", timeout: 5)) {
      XCTAssertEqual(
        "\($0)",
        """
        the expected output did not come within 5.0 s; the program has ended with status 1.
        Standard output:
        something

        Standard error:
        trouble

        """)
    }
  }

  func testAProgramThatDoesNotEndIsReported() throws {
    let app = shell("read line")
    try app.launch()
    XCTAssertThrowsError(try app.waitForExit(timeout: 0.05)) {
      XCTAssertEqual($0 as? TestAppError, .stillRunning(after: 0.05))
    }
  }

  func testAProgramOfThePackageIsFoundBesideTheTests() throws {
    let app = TestApp("AppProbe")
    try app.launch()
    XCTAssertNil(app.exitStatus)
  }
}
