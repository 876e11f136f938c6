import TestSupport
import TestAppLauncher

/// The output of commands: to a terminal, a full disk, a reader that has gone, and as JSON.
final class OutputTests: ToolTestCase {
  func testAResultThatCannotBeWrittenIsStatusTwo() throws {
    guard let full = FileHandle(forWritingAtPath: "/dev/full") else { throw XCTSkip("this system has no /dev/full") }
    for words in [["sdks"], ["help", "serve"], ["--completions", "bash"]] {
      let process = try tracking(words, output: full)
      finish(process)
      XCTAssertEqual(process.terminationStatus, 2, "\(words)")
      XCTAssertEqual(
        try text("err"), "tracking: standard output can't be written: No space left on device\n", "\(words)")
    }
  }

  func testAReaderThatHasSeenEnoughHearsNoComplaint() throws {
    let command = TestApp("tracking").executable.path
    let shell = try launch(
      try Self.program("sh"), ["-c", "\"\(command)\" sdks | { read -r line; printf '%s\\n' \"$line\"; }"])
    finish(shell)
    XCTAssertEqual(try text("out"), "amplitude        http://localhost:8080/2/httpapi\n")
    XCTAssertEqual(try text("err"), "")
  }

  func testAMistakeInTheEnvironmentIsSaidOnStandardError() throws {
    let environment = ["TRACKING_SERVER": "http://localhost:8080/", "TRACKING_FLOWS": "rec"]
    XCTAssertEqual(try run("sdks", environment: environment), 0)
    XCTAssertEqual(
      try text("err"),
      """
      warning: the variable TRACKING_SERVER isn't read: did you mean TRACKING_SERVE?
      warning: TRACKING_FLOWS can't be "rec": its value is record

      """)
    XCTAssertEqual(try run("--complete", "s", environment: environment), 0)
    XCTAssertEqual(try text("err"), "")
  }

  func testClosedDescriptorsAreNotMistakenForFiles() throws {
    let command = TestApp("tracking").executable.path
    let shell = try launch(
      try Self.program("sh"),
      [
        "-c", "exec \"\(command)\" serve --write-env \"$1\" --save \"$0\" <&- >&- 2>&-", path("session.json"),
        path("serve.env"),
      ])
    try wait(for: "the server") { FileManager.default.fileExists(atPath: path("serve.env")) }
    XCTAssertEqual(stop(shell), 0)
    XCTAssertTrue(try text("session.json").hasPrefix(#"{"began":"#))
  }

  // MARK: - Terminals

  /// The lines of `replay` on a terminal for a request that isn't recorded; checks that the terminal's settings stay the same.
  private func unrecorded(_ environment: [String: String], _ words: String...) async throws -> String {
    let terminal = try PseudoTerminal()
    let settings = terminal.settings
    let process = try tracking(["replay", path("checkout")] + words, environment, output: terminal.inside)
    defer { end(process) }
    var screen = ""
    let url: String
    if words.isEmpty {
      url = try line(in: "err", after: "The app's backend is now ")
    } else {
      try wait(for: "the URL") {
        screen += terminal.read()
        return screen.contains("\n")
      }
      url = try JSONDecoder().decode(Started.self, from: Data(screen.utf8)).url ?? ""
    }
    _ = try await get("\(url)/cups")
    XCTAssertEqual(stop(process), 1)
    XCTAssertEqual(terminal.settings, settings)
    return screen + terminal.read()
  }

  func testColorsAreForTerminalsWithoutNO_COLOR() async throws {
    try await recordBooks()
    let colored = try await unrecorded(["TERM": "xterm", "NO_COLOR": ""])
    XCTAssertTrue(colored.contains("\n\u{1B}[31m    not recorded"), colored)
    XCTAssertTrue(colored.contains("\u{1B}[0m\r\n"), colored)
    for environment in [["TERM": "xterm", "NO_COLOR": "1"], ["TERM": "dumb", "NO_COLOR": ""]] {
      let plain = try await unrecorded(environment)
      XCTAssertTrue(plain.contains("\n    not recorded"), plain)
      XCTAssertFalse(plain.contains("\u{1B}"), plain)
    }
    // JSON has no colors.
    let json = try await unrecorded(["TERM": "xterm", "NO_COLOR": ""], "--json")
    XCTAssertTrue(json.contains(#""isMatched":false"#), json)
    XCTAssertFalse(json.contains("\u{1B}"), json)
  }

  func testAnEventsNameMovesNoCursor() throws {
    try write(
      #"{"format":"tracking-session","version":1,"entries":[{"kind":"event","name":"a\u001b[2J\u202e","number":1}]}"#,
      to: "session.json")
    try write(#"{"plan":"Shop","events":{}}"#, to: "plan.json")
    for words in [
      ["check", path("session.json"), "--plan", path("plan.json")],
      ["report", path("session.json"), "--markdown"],
      ["coverage", path("session.json"), "--plan", path("plan.json")], ["draft", path("session.json")],
    ] {
      let terminal = try PseudoTerminal()
      finish(try tracking(words, ["TERM": "xterm"], output: terminal.inside))
      let screen = terminal.read()
      XCTAssertTrue(screen.contains("[2J") && screen.contains("202e"), "\(words): \(screen)")
      XCTAssertFalse(screen.contains { "\u{1B}\u{202E}".contains($0) }, "\(words): \(screen)")
    }
    // A file gets the text as it is.
    XCTAssertTrue(try result("draft", path("session.json")).out.contains("\u{202E}"))
  }

  func testAnAppsTextsDoNotMoveTheCursor() async throws {
    let process = try tracking(["serve"])
    let url = try line(in: "err", after: "  TRACKING_URL=")
    let status = try await post(#"{"name":"\u001b[2Jtapped\u202e","params":{"a\r":"b"}}"#, to: url)
    XCTAssertEqual(status, 204)
    XCTAssertEqual(try line(in: "out", after: "#1  "), #"\u{1b}[2Jtapped\u{202e}(a\u{d}: "b")"#)
    XCTAssertEqual(stop(process), 0)
  }

  // MARK: - JSON

  func testEachVerbWritesNothingButJSONToStandardOutput() throws {
    try write(#"{"events":{"tapped":{"params":{}}}}"#, to: "plan.json")
    try write(#"{"events":{"tapped":{"params":{}},"opened":{}}}"#, to: "new.json")
    try write(
      #"{"format":"tracking-session","version":1,"entries":[{"kind":"event","number":1,"name":"tapped","params":{}}]}"#,
      to: "session.json")
    for (words, members) in [
      (
        ["report", "session.json", "-o", "report.html"],
        ["entries", "events", "failures", "findings", "report", "title"]
      ),
      (["sdks", "segment"], ["endpoints", "name", "url"]),
      (["check", "plan.json"], ["problems"]),
      (["check", "session.json", "--plan", "plan.json"], ["events", "findings"]),
      (["compare", "plan.json", "new.json"], ["breaksApps", "change", "changes", "name"]),
      (
        ["coverage", "--plan", "plan.json", "session.json", "--allow-unchecked"],
        [
          "arrived", "checks", "covered", "events", "matched", "noticed", "params", "plan", "tests", "tornLines",
          "unplanned",
          "values",
        ]
      ),
      (["coverage", "session.json"], ["covered", "events", "noticed", "tests", "tornLines"]),
      (
        ["compare", "session.json", "session.json"],
        [
          "changes", "eventsWithoutTest", "failed", "leftOut", "runs", "tests", "testsOfBaseOnly", "testsOfHeadOnly",
          "tornLines", "unknown", "volatile",
        ]
      ),
      (["draft", "session.json", "--output", "draft.json"], ["events", "file", "params"]),
      (["generate", "plan.json", "--output", "generated"], ["files"]),
    ] {
      let files = words.map { $0.contains(".") || $0 == "generated" ? path($0) : $0 }
      let process = try tracking(files + ["--json"])
      finish(process)
      let (out, err) = (try text("out"), try text("err"))
      XCTAssertEqual(process.terminationStatus, 0, "\(words) \(err)")
      let json = try JSONSerialization.jsonObject(with: Data(out.utf8))
      let object = (json as? [Any])?.first as? [String: Any] ?? json as? [String: Any]
      XCTAssertEqual(object?.keys.sorted(), members, "\(words) \(out)")
    }
  }

  func testJSONAndAPlanOnStandardOutputAreRefused() throws {
    let result = try result("draft", path("plan.json"), "--json")
    XCTAssertEqual(result.status, 2)
    XCTAssertEqual(result.out, "")
    XCTAssertTrue(result.err.contains("--json and the plan can't both go to standard output"), result.err)
  }
}
