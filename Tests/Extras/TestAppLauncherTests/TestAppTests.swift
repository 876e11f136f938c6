import TestSupport
@testable import TestAppLauncher

final class TestAppTests: XCTestCase {
  /// The shell as a program that does what it is told.
  private func shell(_ script: String) -> TestApp {
    let app = TestApp(executable: URL(filePath: "/bin/sh"))
    app.launchArguments = ["-c", script]
    return app
  }

  /// The path of a pipe that isn't open: a program that reads it waits, since a bare machine has no `sleep`.
  private func namedPipe() -> String {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    XCTAssertEqual(mkfifo(path, 0o600), 0)
    addTeardownBlock { unlink(path) }
    return path
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

  func testALineThatIsTypedGetsAResponse() throws {
    let app = shell("while read line; do echo \"got $line\"; done")
    try app.launch()
    try app.type("one")
    try app.waitForOutput(containing: "got one")
    XCTAssertNil(app.exitStatus)
    try app.type("two")
    try app.waitForOutput { $0.hasSuffix("got two\n") }
  }

  func testAConditionMayReadTheOutput() throws {
    let app = shell("echo one; read line; echo two")
    try app.launch()
    try app.waitForOutput { app.output == $0 && $0 == "one\n" }
    try app.waitForOutput { text in
      // The program continues while the condition runs.
      if text == "one\n" { try? app.type("") }
      return text == "one\ntwo\n"
    }
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
    XCTAssertThrowsError(try app.type("x")) { XCTAssertEqual(($0 as? TestAppError)?.reason, .notLaunched) }
    try app.launch()
    XCTAssertNil(app.exitStatus)
    try app.type("again")
    XCTAssertEqual(try app.waitForExit(), 0)
    XCTAssertEqual(app.output, "up\nagain\n")
  }

  func testTypingIntoAnEndedProgramThrowsItsStatusAndTheEndOfItsStandardError() throws {
    let app = shell("echo first >&2; echo trouble >&2; exit 3")
    try app.launch()
    try app.waitForExit()
    let (type, line) = ({ try app.type("buy 42") }, #line)
    XCTAssertThrowsError(try type()) {
      XCTAssertEqual(
        "\($0)",
        """
        TestAppTests.swift:\(line): the program exited with status 3; the end of its standard error:
          first
          trouble
        """)
    }
  }

  func testTypingIntoAProgramThatEndsMeanwhileThrowsAtTheLatestAfterItsEnd() throws {
    let app = shell("exec 1>&-; sleep 0.1; exit 4")
    try app.launch()
    let line = String(repeating: "x", count: 1_000)
    // More than a pipe holds, so that a blocking write would never return.
    XCTAssertThrowsError(try (0..<1_000).forEach { _ in try app.type(line) }) { error in
      guard case .ended(let ending) = (error as? TestAppError)?.reason else { return XCTFail("\(error)") }
      XCTAssertEqual(ending.status, 4)
    }
  }

  func testTypingIntoAProgramThatReadsNothingThrowsAfterTheTimeout() throws {
    // Only what a shell has built in, so that the test runs where there is nothing else.
    let app = shell("i=0; while [ $i -lt 3000000 ]; do i=$((i+1)); done")
    try app.launch()
    let lines = String(repeating: "0123456789\n", count: 20_000)
    let (type, line) = ({ try app.type(lines, timeout: 0.05) }, #line)
    XCTAssertThrowsError(try type()) {
      XCTAssertEqual(
        "\($0)",
        "TestAppTests.swift:\(line): the program's standard input is full, and it has read nothing for 0.05 s")
    }
  }

  func testMoreThanAPipeHoldsIsTypedIntoAProgramThatReadsIt() throws {
    let app = shell("n=0; while [ $n -lt 20000 ] && read line; do n=$((n+1)); done; echo $n")
    try app.launch()
    try app.type(String(repeating: "0123456789\n", count: 20_000))
    XCTAssertEqual(try app.waitForExit(), 0)
    XCTAssertEqual(app.output.filter(\.isNumber), "20000")
  }

  func testACrashIsToldByItsSignalAndTheLastLinesOfStandardError() throws {
    let app = shell("i=1; while [ $i -le 30 ]; do echo line $i >&2; i=$((i+1)); done; kill -SEGV $$")
    try app.launch()
    XCTAssertEqual(try app.waitForExit(), SIGSEGV)
    let ending = try XCTUnwrap(app.ending)
    XCTAssertTrue(ending.isSignal)
    XCTAssertEqual(ending.lastErrorLines, (11...30).map { "line \($0)" })
    XCTAssertTrue(
      ending.description.hasPrefix(
        "The program was ended by signal 11 (Segmentation fault"), ending.description)
  }

  func testACrashReportIsCutToItsReasonAndTheFramesOfTheCrashedThread() throws {
    let frames = (0..<30).map {
      "  \($0 + 2) [ra] 0x0000561e7ec2\(5000 + $0) deeper() + \($0) in shop at /src/main.swift:\($0):3"
    }
    let registers = (0..<40).map { "r\($0) 0x0000000000000000  0" }
    let noise = (0..<30).map { "line \($0)" }
    let report = [
      "shop/main.swift:3: Fatal error: no database", "", "*** Signal 4: Backtracing from 0x7fa5e66f9361... done ***",
      "",
      "*** Program crashed: Illegal instruction at 0x00007fa5e66f9361 ***", "", "Platform: x86_64 Linux", "",
      "Thread 0 \"shop\":", "", "  0 0x0000561e7ec24f5d wait() + 4 in libc.so.6", "", "Thread 1 \"worker\" crashed:",
      "",
      "  0               0x00007fa5e66f9361 _assertionFailure(_:_:file:line:flags:) + 225 in libswiftCore.so",
      "  1 [inlined] [ra] 0x0000561e7ec2509b open(_:) + 138 in shop at /src/main.swift:3:3", "",
      "    2│ func open(_ name: String) -> Int {", "    3│   fatalError(\"no database\")", "     │   ▲",
    ]
    let rest =
      ["", "Thread 2:", "", "  0 0x0000561e7ec24f5d other() + 4 in libc.so.6", "", "Registers:", ""] + registers
    func lines(_ text: [String]) throws -> [String] {
      let app = shell("printf '%s' \"$0\" >&2; kill -ILL $$")
      app.launchArguments.append(text.joined(separator: "\n") + "\n")
      try app.launch()
      try app.waitForExit()
      let ending = try XCTUnwrap(app.ending)
      let lines = ending.lastErrorLines.map { "\n  \($0)" }.joined()
      XCTAssertTrue(ending.description.hasPrefix("The program was ended by signal 4 (Illegal instruction"))
      XCTAssertTrue(ending.description.hasSuffix("; from its standard error:" + lines), ending.description)
      return ending.lastErrorLines
    }
    XCTAssertEqual(
      try lines(noise.prefix(2) + report + rest),
      [
        "line 0", "line 1", "shop/main.swift:3: Fatal error: no database", "Thread 1 \"worker\" crashed:",
        "  0 _assertionFailure(_:_:file:line:flags:) + 225 in libswiftCore.so",
        "  1 open(_:) + 138 in shop at /src/main.swift:3:3",
      ])
    // The backtracer may begin before the reason is written.
    XCTAssertEqual(
      try lines(noise.prefix(2) + report[1...2] + report.prefix(1) + report.dropFirst(3) + rest).prefix(3),
      ["shop/main.swift:3: Fatal error: no database", "line 0", "line 1"])
    // Other threads may write on while the program ends, and a recursion has many frames.
    XCTAssertEqual(
      try lines(report.prefix(1) + noise + report.dropFirst() + frames + rest),
      ["shop/main.swift:3: Fatal error: no database"] + (22..<30).map { "line \($0)" }
        + [
          "Thread 1 \"worker\" crashed:", "  0 _assertionFailure(_:_:file:line:flags:) + 225 in libswiftCore.so",
          "  1 open(_:) + 138 in shop at /src/main.swift:3:3",
        ] + (0..<8).map { "  \($0 + 2) deeper() + \($0) in shop at /src/main.swift:\($0):3" })
  }

  func testTheReasonOfACrashIsToldWithoutAReport() throws {
    let app = shell("printf '%s' \"$0\" >&2; kill -ILL $$")
    let lines = ["main.swift:3: Fatal error: no database"] + (1...30).map { "line \($0)" }
    app.launchArguments.append(lines.joined(separator: "\n"))
    try app.launch()
    try app.waitForExit()
    XCTAssertEqual(app.ending?.lastErrorLines, [lines[0]] + lines.suffix(19))
  }

  func testAFileThatIsStillBeingWrittenIsLaunchedWhenItIsClosed() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    addTeardownBlock { try? FileManager.default.removeItem(at: file) }
    try FileManager.default.copyItem(at: URL(filePath: "/bin/sh").resolvingSymlinksInPath(), to: file)
    let writer = try FileHandle(forWritingTo: file)
    DispatchQueue.global().asyncAfter(deadline: .now() + 0.1) { try? writer.close() }
    let app = TestApp(executable: file)
    app.launchArguments = ["-c", "exit 3"]
    try app.launch()
    XCTAssertEqual(try app.waitForExit(), 3)
  }

  func testARunningProgramHasNoEnding() throws {
    let app = shell("read line")
    XCTAssertNil(app.ending)
    try app.launch()
    XCTAssertNil(app.ending)
    try app.type("")
    try app.waitForExit()
    XCTAssertEqual(
      app.ending?.description, "The program exited with status 0 and wrote nothing to standard error")
  }

  func testThreadsMayTypeAndLaunchAtTheSameTime() throws {
    let app = shell("while read line; do echo $line; done")
    try app.launch()
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<50 { try? app.type("x") }
    }
    try app.waitForOutput { $0.utf8.count == 800 }
    DispatchQueue.concurrentPerform(iterations: 8) { _ in try? app.launch() }
    XCTAssertNil(app.exitStatus)
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
    let (launch, line) = ({ try app.launch() }, #line)
    XCTAssertThrowsError(try launch()) { error in
      let text = "\(error)"
      XCTAssertTrue(text.hasPrefix("TestAppTests.swift:\(line): \(app.executable.path) could not be started: "), text)
      XCTAssertFalse(text.contains(".."), text)
      XCTAssertTrue(
        text.hasSuffix("If it is a target of this package, let the test target depend on it."), text)
    }
  }

  func testOutputThatDoesNotComeIsReportedWithWhatCame() throws {
    let app = shell("echo something; echo trouble >&2; exit 1")
    try app.launch()
    _ = try app.waitForExit()
    let (wait, line) = ({ try app.waitForOutput(containing: "ready", timeout: 5) }, #line)
    XCTAssertThrowsError(try wait()) {
      XCTAssertEqual(
        "\($0)",
        """
        TestAppTests.swift:\(line): "ready" did not appear before the program exited with status 1.
        Standard output:
        something

        Standard error:
        trouble

        """)
    }
  }

  func testAProgramThatEndsIsNotSaidToRunWhenItsOutputEnds() throws {
    for ending in ["kill -SEGV $$", "kill -KILL $$", "exit 3"] {
      for _ in 0..<40 {
        let app = shell("echo started; \(ending)")
        try app.launch()
        XCTAssertThrowsError(try app.waitForOutput(containing: "ready", timeout: 600)) {
          guard case .noOutput(_, let seconds, let ending?, "started\n", "") = ($0 as? TestAppError)?.reason else {
            return XCTFail("\($0)")
          }
          XCTAssertLessThan(seconds, 600)
          let verb = ending.isSignal ? "was ended by signal \(ending.status)" : "exited with status 3"
          XCTAssertTrue("\($0)".contains(": \"ready\" did not appear before the program \(verb)"), "\($0)")
        }
      }
    }
  }

  func testOutputThatMayBeBufferedIsReportedWithTheRemedy() throws {
    let app = shell("read line")
    try app.launch()
    let (wait, line) = ({ try app.waitForOutput(timeout: 0.05) { !$0.isEmpty } }, #line)
    XCTAssertThrowsError(try wait()) {
      XCTAssertEqual(
        "\($0)",
        """
        TestAppTests.swift:\(line): the expected output did not appear within 0.05 s; the program is still running. What it writes with `print` arrives when 4 KiB are full or it ends, because its output is a pipe: `fflush(nil)` after `print` sends it at once.
        Standard output:

        Standard error:

        """)
    }
  }

  func testAMisspeltProgramIsToldWithTheOneThatIsThere() {
    let app = TestApp("App_Prob")
    XCTAssertThrowsError(try app.launch()) { error in
      let text = "\(error)"
      XCTAssertTrue(
        text.hasSuffix(
          "; did you mean \"AppProbe\"? If it is a target of this package, let the test target depend on it."), text)
    }
  }

  func testAStoppedProgramHasNotEnded() {
    XCTAssertTrue([CLD_EXITED, CLD_KILLED, CLD_DUMPED].allSatisfy { Program.isEnd(Int32($0)) })
    XCTAssertFalse([CLD_STOPPED, CLD_CONTINUED, CLD_TRAPPED].contains { Program.isEnd(Int32($0)) })
  }

  func testAProgramThatDoesNotEndIsReported() throws {
    let app = shell("read line")
    try app.launch()
    XCTAssertThrowsError(try app.waitForExit(timeout: 0.05)) {
      XCTAssertEqual(($0 as? TestAppError)?.reason, .stillRunning(after: 0.05))
    }
  }

  func testAProgramThatHasEndedIsNotSaidToRunWhileItsChildHasItsOutput() throws {
    let pipe = namedPipe()
    let app = shell("{ read line <'\(pipe)'; } & exit 2")
    try app.launch()
    // Foundation on Linux reports the end, and calls `onExit`, only when the child has ended, too.
    var message = ""
    repeat {
      XCTAssertThrowsError(try app.waitForExit(timeout: 0.2, file: "Tests.swift", line: 1)) { message = "\($0)" }
    } while message.contains("is still running")
    XCTAssertEqual(
      message,
      "Tests.swift:1: the program has ended, but a process that it started still has its output open after 0.2 s, so it can't be read to its end"
    )
    close(open(pipe, O_WRONLY))
    XCTAssertEqual(try app.waitForExit(), 2)
  }

  func testALateEndOfAKilledProgramIsNotThatOfTheNextLaunch() throws {
    let pipe = namedPipe()
    let app = shell("{ read line <'\(pipe)'; } & echo started; read line")
    try app.launch()
    try app.waitForOutput(containing: "started")
    app.launchArguments = ["-c", "read line; exit 3"]
    try app.launch()
    // The child of the first launch ends, and with it what keeps Foundation on Linux from reporting the end.
    close(open(pipe, O_WRONLY))
    // Long enough for the report, which without the number of its launch would be taken for the second one's.
    let report = expectation(description: "a report of the first launch")
    report.isInverted = true
    app.onExit { report.fulfill() }
    wait(for: [report], timeout: 0.25)
    XCTAssertNil(app.exitStatus)
    try app.type("go")
    XCTAssertEqual(try app.waitForExit(), 3)
  }

  func testAProgramOfThePackageIsFoundBesideTheTests() throws {
    let app = TestApp("AppProbe")
    try app.launch()
    XCTAssertNil(app.exitStatus)
  }
}
