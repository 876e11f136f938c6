import Foundation
import TrackingPlanKit
import XCTest

/// The help pages, the suggestions for what is misspelt, the version and the completions.
final class HelpTests: ToolTestCase {
  private static let verbs = [
    "serve", "wait", "ask", "mark", "finish", "record", "replay", "import", "report", "vendors", "plan check",
    "plan coverage", "plan compare",
    "plan draft", "plan generate", "plan convert",
  ]

  private func help(_ verb: String) throws -> String {
    let process = try tracking(["help"] + verb.split(separator: " ").map(String.init))
    finish(process)
    XCTAssertEqual(process.terminationStatus, 0, verb)
    return try text("out")
  }

  func testEachVerbHasOnePageOfHelpWithAnExample() throws {
    for verb in Self.verbs {
      let lines = try help(verb).split(separator: "\n", omittingEmptySubsequences: false)
      XCTAssertLessThanOrEqual(lines.count, 50, verb)
      XCTAssertEqual(lines.filter { $0.count > 80 }, [], verb)
      let example = try XCTUnwrap(lines.firstIndex { $0.hasPrefix("Example") }, verb)
      XCTAssertTrue(lines[example...].contains { $0.contains("tracking \(verb) ") }, verb)
      XCTAssertTrue(lines.contains { $0.hasPrefix("  --json  ") && $0.contains("Writes JSON") }, verb)
    }
  }

  func testThePlansVerbsHaveTheOptionsOfTheToolThatTheyCall() throws {
    for verb in Self.verbs where verb.hasPrefix("plan ") && verb != "plan convert" {
      var page = ""
      _ = CommandLineTool().run(
        [String(verb.dropFirst(5)), "--help"], output: .init(standard: { page += $0 }, error: { _ in }))
      let options = page.matches(of: /(?m)^ +(--[a-z-]+)/).map { String($0.1) }
      XCTAssertFalse(options.isEmpty)
      let help = try help(verb)
      XCTAssertEqual(options.filter { !help.contains("\($0) ") }, [], verb)
    }
  }

  func testWhatIsMisspeltIsNamedWithTheNearest() throws {
    for (words, message) in [
      (["srve"], "tracking: there is no verb srve; the nearest is serve"),
      (["help", "plan", "cehck"], "tracking plan: there is no verb cehck; the nearest is check"),
      (
        ["sing"],
        "tracking: there is no verb sing; there are serve, wait, ask, mark, finish, record, replay, import, plan, report, vendors"
      ),
      (
        ["drift", "Recordings/checkout", "--max-age", "90d"],
        "tracking: drift is gone; record the backend again, and `git diff` shows what has changed in its answers\n"
      ),
      (
        ["convert", "har", "a.har", "b"],
        "tracking: convert is gone; `tracking import SESSION.har FOLDER` makes a recording of a HAR file; nothing else is read or written\n"
      ),
      (["serve", "--accpt", "all"], "Error: Unknown option '--accpt'. Did you mean '--accept'?"),
      (["plan", "check", "a", "--jsno"], "Error: Unknown option '--jsno'. Did you mean '--json'?"),
      (
        ["serve", "--accept", "segmnt"],
        "Error: The value 'segmnt' is invalid for '--accept <sdks>': there is no SDK segmnt; the nearest is segment; "
          + "`tracking vendors` lists all"
      ),
      (
        ["vendors", "psthog"],
        "Error: The value 'psthog' is invalid for '<name>': there is no SDK psthog; the nearest is posthog; "
          + "`tracking vendors` lists all"
      ),
      (
        ["serve", "--port", "99999"],
        "Error: The value '99999' is invalid for '--port <port>': a port is a number from 0 to 65535"
      ),
      (["import", "a.har"], "Error: Missing expected argument '<folder>'"),
      (["plan", "diff", "a"], "tracking plan: there is no verb diff; it is called compare"),
      (["plan", "compare", "a"], "Error: Missing expected argument '<head>'"),
      ([], "OVERVIEW: Receives, checks and reports"),
      (["plan"], "OVERVIEW: Converts, checks and compares tracking plans, and generates types."),
    ] {
      let process = try tracking(words)
      finish(process)
      XCTAssertEqual(process.terminationStatus, 2, "\(words)")
      let err = try text("err")
      XCTAssertTrue(err.hasPrefix(message), "\(words): \(err)")
      XCTAssertEqual(try text("out"), "", "\(words)")
    }
  }

  func testTheVersionIsTheChangelogs() throws {
    let changelog = try String(
      contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
        "../../../CHANGELOG.md"), encoding: .utf8)
    let version = try XCTUnwrap(changelog.firstMatch(of: /\n## \[(.+?)\]/)?.1).lowercased()
    let result = try result("--version")
    XCTAssertEqual(result.out, version == "unreleased" ? "tracking (unreleased)\n" : "tracking \(version)\n")
    XCTAssertEqual(result.status, 0)
  }

  func testBashCompletesVerbsOptionsAndValues() throws {
    let bash = try Self.program("bash")
    XCTAssertEqual(try run("--generate-completion-script", "bash"), 0)
    try FileManager.default.copyItem(atPath: path("out"), toPath: path("completions"))
    let script = """
      source "$0"
      function=$(complete -p tracking); function=${function##*-F }; function=${function%% *}
      complete() {
        COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}; COMPREPLY=()
        $function tracking "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
        echo "${COMPREPLY[*]}"
      }
      complete tracking re
      complete tracking plan c
      complete tracking serve --acc
      complete tracking serve --accept se
      complete tracking plan check --p
      complete tracking plan check --limits f
      complete tracking vendors seg
      """
    let process = try launch(bash, ["-c", script, path("completions")])
    finish(process)
    XCTAssertEqual(
      try text("out"),
      """
      record replay report
      check coverage compare convert
      --accept
      segment sentry
      --personal-data --plan
      firebase
      segment

      """)
    XCTAssertEqual(try text("err"), "")
  }
}
