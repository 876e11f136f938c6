import TestAppLauncher
import TestSupport

/// `tracking serve -- COMMAND`: its variables, its signals, its terminal and its status.
final class ServedCommandTests: ToolTestCase {
  /// Runs a shell's program in `tracking serve`.
  private func serve(_ program: String, _ options: String...) throws -> (status: Int32, out: String, err: String) {
    let process = try tracking(["serve"] + options + ["--", "sh", "-c", program], Self.path)
    finish(process)
    return (process.terminationStatus, try text("out"), try text("err"))
  }

  /// With the command `tracking`.
  private static var path: [String: String] {
    let folder = TestApp("tracking").executable.deletingLastPathComponent().path
    return ["PATH": "\(folder):\(ProcessInfo.processInfo.environment["PATH"] ?? "")"]
  }

  /// Skips the test without the programs that its command runs.
  private func require(_ programs: String...) throws {
    for program in programs { _ = try Tool(program) }
  }

  /// A command that sends the event `a`.
  private var sends: String { "python3 -IS \(path("send.py"))" }

  override func setUpWithError() throws {
    try super.setUpWithError()
    try write(
      """
      import os, urllib.request
      urllib.request.urlopen(urllib.request.Request(
        os.environ["TRACKING_URL"], b'{"name": "a"}', {"Content-Type": "application/json"}))
      """, to: "send.py")
  }

  func testTheCommandHasTheVariablesOfWriteEnvAndItsOwnOutput() throws {
    try require("grep")
    let names = ["TRACKING_URL", "TRACKING_SESSION", "TRACKING_SERVE", "TRACKING_SERVE_URL", "TRACKING_SERVE_TOKEN"]
    let program = names.map {
      "echo \($0)=\"$\($0)\"; grep -F \"export \($0)='$\($0)'\" serve.env >/dev/null || exit 9"
    }
    let result = try serve(
      "cd \(folder.path); \(program.joined(separator: "; "))", "--write-env", path("serve.env"))
    XCTAssertEqual(result.status, 0, result.err)
    XCTAssertEqual(result.out.split(separator: "\n").map { String($0.prefix { $0 != "=" }) }, names)
    XCTAssertTrue(result.err.hasSuffix("0 events; 0 rejected\n"), result.err)
    XCTAssertFalse(result.err.contains("Ctrl-C"), result.err)
    XCTAssertFalse(FileManager.default.fileExists(atPath: path("serve.env")))
    // Its arguments are its own, an empty one and one like an option, too.
    let words = try served("serve", "--", "sh", "-c", "echo \"$# $2\"", "sh", "", "--help")
    XCTAssertEqual(words.out, "2 --help\n", words.err)
  }

  private func served(_ words: String...) throws -> (status: Int32, out: String, err: String) {
    let process = try tracking(words)
    finish(process)
    return (process.terminationStatus, try text("out"), try text("err"))
  }

  func testTheStatusIsTheCommandsOrThatOfTheFindings() throws {
    try require("python3", "curl", "rm", "touch")
    try write(#"{"events": {"b": {}}}"#, to: "plan.json")
    try write("", to: "text")
    try FileManager.default.createDirectory(atPath: path("gone"), withIntermediateDirectories: true)
    let endings =
      [
        ("exit 3", [], 3, "0 events; 0 rejected"), ("kill -KILL $$", [], 137, "0 events; 0 rejected"),
        ("true", [], 0, "0 events; 0 rejected"),
        // The command's own status comes before the findings.
        ("\(sends); exit 4", ["--plan", path("plan.json")], 4, "doesn't match the plan"),
        (sends, ["--plan", path("plan.json")], 1, "doesn't match the plan"),
        // The finish: a request without a stub.
        ("curl -s $TRACKING_URL/books", [], 1, "GET /books"),
        // The command has done it.
        ("curl -s $TRACKING_URL/books; tracking finish || true", [], 0, "0 events; 0 rejected"),
        (
          "rm -r \(path("gone")) && touch \(path("gone"))", ["--save", path("gone/session.json")], 2, "can't be written"
        ),
      ] as [(program: String, options: [String], status: Int32, line: String)]
    let calls = endings.map { ["serve"] + $0.options + ["--", "sh", "-c", $0.program] }
    for ((program, _, expected, line), (status, _, err)) in zip(endings, try results(of: calls, Self.path)) {
      XCTAssertEqual(status, expected, "\(program) \(err)")
      XCTAssertTrue(err.contains(line), "\(program) \(err)")
    }
    let unstarted = [
      ("no-such-command", Int32(127), "no-such-command isn't found: No such file or directory"),
      (path("text"), 126, "text can't be run: Permission denied"),
    ]
    for ((_, expected, reason), (status, _, err)) in zip(
      unstarted, try results(of: unstarted.map { ["serve", "--", $0.0] }))
    {
      XCTAssertEqual(status, expected)
      XCTAssertTrue(err.contains("tracking serve: \(reason)\n"), err)
    }
  }

  func testTheSessionHasWhatTheCommandHasSent() throws {
    try require("python3")
    let result = try serve("\(sends); exit 5", "--save", path("session.json"))
    XCTAssertEqual(result.status, 5, result.err)
    XCTAssertTrue(try text("session.json").contains(#""name":"a""#))
    XCTAssertTrue(result.err.contains("\n#1  a()\n"), result.err)
    let json = try serve(sends, "--json")
    XCTAssertEqual(json.out, "")
    XCTAssertTrue(json.err.contains(#""kind":"ended""#), json.err)
  }

  func testTermAndHangUpReachTheCommandAndTheServerOutlivesIt() throws {
    try require("python3", "sleep")
    for (signal, name) in [(SIGTERM, "TERM"), (SIGHUP, "HUP")] {
      let process = try tracking(
        [
          "serve", "--save", path("session.json"), "--", "sh", "-c",
          "trap '\(sends); exit 6' \(name); echo ready; while :; do sleep 0.01; done",
        ], Self.path)
      _ = try line(in: "out", after: "ready")
      kill(process.processIdentifier, signal)
      finish(process)
      XCTAssertEqual(process.terminationReason, .exit)
      XCTAssertEqual(process.terminationStatus, 6, name)
      XCTAssertTrue(try text("session.json").contains(#""name":"a""#))
    }
  }

  func testASignalThatTheCommandIgnoresEndsBothAtTheSecondOne() throws {
    try require("sleep")
    for second in [SIGTERM, SIGINT] {
      let holders = try NamedPipe(at: path("\(second)"))
      let process = try tracking(
        [
          "serve", "--", "sh", "-c",
          "exec 9>\(holders.path); trap 'echo got' TERM; echo ready; while :; do sleep 0.01; done",
        ])
      _ = try line(in: "out", after: "ready")
      kill(process.processIdentifier, SIGTERM)
      _ = try line(in: "out", after: "got")
      XCTAssertTrue(process.isRunning)
      kill(process.processIdentifier, second)
      finish(process)
      XCTAssertEqual(process.terminationReason, .uncaughtSignal)
      XCTAssertEqual(process.terminationStatus, second)
      XCTAssertTrue(holders.end(), "the command still runs")
    }
  }

  func testTheCommandHasDefaultSignalsButNotAnIgnoredHangUp() throws {
    let command = TestApp("tracking").executable.path
    let survives = "kill -$0 $$; echo survived"
    let pipe = try launch(try Self.program("sh"), ["-c", "exec \"\(command)\" serve -- sh -c '\(survives)' PIPE"])
    finish(pipe)
    XCTAssertEqual(pipe.terminationStatus, 128 + SIGPIPE)
    let hangUp = try launch(
      try Self.program("sh"), ["-c", "trap '' HUP; exec \"\(command)\" serve -- sh -c '\(survives)' HUP"])
    finish(hangUp)
    XCTAssertEqual(hangUp.terminationStatus, 0)
    XCTAssertEqual(try text("out"), "survived\n")
    // The mask of the process that starts the server.
    let blocked = try launch(
      Tool.python().executable,
      Tool.pythonArguments + [
        "-c",
        "import os, signal; signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1]); os.execv('\(command)', ['tracking', 'serve', '--', 'sh', '-c', '\(survives)', 'USR1'])",
      ])
    finish(blocked)
    XCTAssertEqual(blocked.terminationStatus, 128 + SIGUSR1)
  }

  func testTheCommandHasNoDescriptorOfTheServer() throws {
    try require("ls")
    let command = TestApp("tracking").executable.path
    let program = "ls /dev/fd; echo --; exec \"\(command)\" serve -- ls /dev/fd"
    finish(try launch(try Self.program("sh"), ["-c", program]))
    let found = try text("out").components(separatedBy: "--\n").map { Set($0.split(separator: "\n")) }
    XCTAssertEqual(found.count, 2)
    XCTAssertTrue(found[1].isSuperset(of: ["0", "1", "2"]), "\(found)")
    XCTAssertTrue(found[1].isSubset(of: found[0]), "\(found)")
  }

  func testAServerWhoseParentHasGoneEndsWithItsCommand() throws {
    try require("sleep")
    let command = TestApp("tracking").executable.path
    let holders = try NamedPipe(at: path("holders"))
    let parent = try launch(
      try Self.program("sh"),
      [
        "-c",
        "exec 9>\(holders.path); \"\(command)\" serve --save \(path("session.json")) -- sh -c 'echo ready; while :; do sleep 0.01; done' & wait",
      ])
    _ = try line(in: "out", after: "ready")
    kill(parent.processIdentifier, SIGKILL)
    finish(parent)
    XCTAssertTrue(holders.end(), "the server or its command still runs")
    XCTAssertTrue(FileManager.default.fileExists(atPath: path("session.json")))
  }

  /// Runs a shell's program in `tracking serve` in a separate terminal, does something when it is ready, and returns its output and status.
  private func inTerminal(_ program: String, then action: String) throws -> String {
    let driver = """
      import os, pty, sys
      child, terminal = pty.fork()
      if child == 0: os.execv(sys.argv[1], sys.argv[1:])
      shown = b""
      while b"ready" not in shown: shown += os.read(terminal, 1000)
      \(action)
      try:
          while True: shown += os.read(terminal, 1000)
      except OSError: pass
      print(shown.decode().replace("\\r\\n", "\\n"), os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
      """
    let python = try Tool.python().executable
    let process = try launch(
      python,
      Tool.pythonArguments + [
        "-c", driver, TestApp("tracking").executable.path, "serve", "--save", path("session.json"), "--", "sh", "-c",
        program,
      ])
    finish(process)
    let err = try text("err")
    XCTAssertEqual(process.terminationStatus, 0, err)
    return try text("out")
  }

  func testCtrlCReachesTheCommandFromTheTerminalOnce() throws {
    let shown = try inTerminal(
      "trap 'echo interrupted; exit 7' INT; echo ready; while :; do sleep 0.01; done",
      then: #"os.write(terminal, b"\x03")"#)
    XCTAssertEqual(shown.matches(of: /interrupted/).count, 1, shown)
    XCTAssertTrue(shown.hasSuffix(" 7\n"), shown)
    XCTAssertTrue(FileManager.default.fileExists(atPath: path("session.json")))
  }

  func testAClosedTerminalEndsBoth() throws {
    let shown = try inTerminal(
      "trap 'echo closed >\(path("closed")); exit 8' HUP; echo ready; while :; do sleep 0.01; done",
      then: "os.close(terminal)")
    XCTAssertTrue(shown.hasSuffix(" 8\n"), shown)
    XCTAssertEqual(try text("closed"), "closed\n")
    XCTAssertTrue(FileManager.default.fileExists(atPath: path("session.json")))
  }

  func testACommandIsOnlyTakenAfterTwoDashes() throws {
    for (words, line) in [
      (["serve", "pytest", "-q"], "a command comes after --: tracking serve -- pytest -q"),
      (["serve", "--port", "0", "npm", "test"], "a command comes after --: tracking serve --port 0 -- npm test"),
      (["serve", "--"], "the command after -- is missing"),
    ] {
      let process = try tracking(words)
      finish(process)
      XCTAssertEqual(process.terminationStatus, 2)
      XCTAssertEqual(try text("err").split(separator: "\n").first, "tracking serve: \(line)")
    }
  }
}
