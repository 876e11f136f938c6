import TestAppLauncher
import TestSupport
import TrackingJSON
import TrackingModel

@testable import TrackingCommand

/// The words of the command line: help, mistakes, hints, the version and the completions.
final class HelpTests: ToolTestCase {
  /// Runs a command line in this process.
  private func output(_ words: [String], columns: Int = 80) -> (status: Int32, out: String, err: String) {
    var (out, err) = ("", "")
    var output = Output(standard: { out += $0 }, error: { err += $0 })
    output.columns = columns
    let status = Command.run(words, output: output)
    return (status, out, err)
  }

  func testEachVerbHasOnePageOfHelpWithAnExample() throws {
    for verb in AllVerbs.list {
      let page = output(["help", verb.name])
      XCTAssertEqual(page.status, 0)
      XCTAssertEqual(page.out, output([verb.name, "a", "--help"]).out)
      let lines = page.out.split(separator: "\n", omittingEmptySubsequences: false)
      XCTAssertLessThanOrEqual(lines.count, 62, verb.name)
      XCTAssertEqual(lines.filter { $0.count > 80 }, [], verb.name)
      let example = try XCTUnwrap(lines.firstIndex { $0.hasPrefix("Example") }, verb.name)
      XCTAssertTrue(lines[example...].contains { $0.contains("tracking \(verb.name) ") }, verb.name)
      XCTAssertTrue(lines.contains { $0.hasPrefix("  --json  ") && $0.contains("Writes JSON") }, page.out)
      for option in verb.options { XCTAssertTrue(page.out.contains("\(option.usage)"), "\(verb.name) \(option.name)") }
    }
  }

  func testTheHelpListsAllVerbs() {
    let help = output(["help"])
    XCTAssertEqual(help.status, 0)
    for verb in AllVerbs.list { XCTAssertTrue(help.out.contains("\n  \(verb.name) "), verb.name) }
    XCTAssertEqual(help.out.split(separator: "\n").filter { $0.count > 80 }, [])
    for words in [["--help"], ["-h"]] { XCTAssertEqual(output(words).out, help.out) }
    let none = output([])
    XCTAssertEqual(none.status, 2)
    XCTAssertEqual(none.err, help.out)
    XCTAssertEqual(none.out, "")
  }

  func testTheHelpGroupsTheVerbsByWhatTheyAreFor() {
    XCTAssertEqual(
      output(["help"]).out.split(separator: "\n").filter { $0.hasSuffix(":") },
      [
        "Receive events:", "Check them, from any language:", "Plans and runs of tests:", "Reports:",
        "The app's backend:",
        "Topics of `tracking help`:",
      ])
    XCTAssertEqual(Set(AllVerbs.list.map(\.name)).count, AllVerbs.list.count)
  }

  func testEachTopicIsAScreen() {
    let list = output(["help"]).out
    for topic in HelpTopic.all {
      XCTAssertTrue(list.contains("\n  \(topic.name) "), topic.name)
      let page = output(["help", topic.name])
      XCTAssertEqual(page.status, 0)
      let lines = page.out.split(separator: "\n", omittingEmptySubsequences: false)
      XCTAssertLessThanOrEqual(lines.count, 48, page.out)
      XCTAssertEqual(lines.filter { $0.count > 80 }, [], topic.name)
    }
    XCTAssertEqual(
      output(["help", "exit-codes"]).out.firstMatch(of: /wait +(.+)/)?.1,
      "The check fails, and standard error says why.")
  }

  func testTheArticlesOfThePagesExist() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..")
    for page in [output(["help"]).out] + HelpTopic.all.map({ output(["help", $0.name]).out }) {
      let words = page.split(whereSeparator: \.isWhitespace)
      let names = words.filter { $0.contains(/\.md,?$/) }.map { $0.replacing(",", with: "") }
      XCTAssertFalse(names.isEmpty, page)
      let folder = try XCTUnwrap(words.last { $0.hasSuffix(".docc") })
      for name in names {
        let article = root.appendingPathComponent("\(folder)/\(name)").path
        XCTAssertTrue(FileManager.default.fileExists(atPath: article), article)
      }
    }
  }

  func testTheChecksOfTheHelpAreAllThereAre() throws {
    let page = output(["help", "waits"]).out
    for example in JSONCheck.examples {
      XCTAssertNoThrow(try RunnerCheck(JSONNode(Array(example.json.utf8))), example.json)
      XCTAssertTrue(page.contains(example.json), example.json)
    }
    for form in JSONCheck.all.compactMap(\.form.selector) { XCTAssertTrue(page.contains("{\"\(form)\": "), form) }
    let words = page.matches(of: /(?m)^  (\w+ [^"\n]*=[^"\n]*[^".])$/).map { String($0.1) }
    XCTAssertEqual(
      try words.map { try CheckWords.call([$0], standardInput: { Data() }).json.text(.compact) },
      [
        #"{"event":"purchase","params":{"total":120},"paramsSchema":{"allOf":[{"properties":{"email":{"not":{"type":"null"}}},"required":["email"]},{"else":{"properties":{"items":{"minItems":1,"prefixItems":[{"properties":{"price":{"maximum":5,"type":"number"}},"required":["price"],"type":"object"}],"type":"array"}},"required":["items"],"type":"object"},"if":{"required":["items[0].price"]},"then":{"properties":{"items[0].price":{"maximum":5,"type":"number"}}}}],"title":"items[0].price<=5 email=*"}}"#,
        #"{"request":"POST /orders","responded":201}"#,
      ])
  }

  func testTheFilesOfTheHelpAreRead() throws {
    XCTAssertEqual(try ScenarioFile(JSONNode(Array(HelpTopic.scenario.utf8)), hasFolder: true).stubs.count, 3)
    try write(HelpTopic.format, to: "track.json")
    XCTAssertNoThrow(try FormatFile(contentsOf: path("track.json")))
    // The rows below have every member; what isn't one is refused.
    for (topic, example) in [("scenarios", "[{\"request\": \"/a\", \"x\": 1}]"), ("formats", "{\"x\": 1}")] {
      try write(example, to: "x.json")
      let page = output(["help", topic]).out
      let message =
        topic == "formats"
        ? mistake { _ = try FormatFile(contentsOf: path("x.json")) }
        : mistake { _ = try ScenarioFile(JSONNode(Array(example.utf8)), hasFolder: true) }
      let members = message.firstMatch(of: /(?:there are|one of) (.+)$/).map { $0.1.split(separator: ", ") } ?? []
      XCTAssertGreaterThan(members.count, 5, message)
      for member in members {
        XCTAssertTrue(page.contains(try Regex("(?m)^  (\\w+, )*\(member)\\b")), "\(topic): \(member)")
      }
    }
  }

  private func mistake(_ read: () throws -> Void) -> String {
    do { try read() } catch let error as JSONError { return error.reason } catch { return "\(error)" }
    return ""
  }

  func testTheVariablesOfTheHelpAreAllThereAre() {
    let page = output(["help", "environment"]).out
    for variable in TestVariable.all { XCTAssertTrue(page.contains("\n  \(variable.name)"), variable.name) }
  }

  func testTheHelpFitsTheTerminal() throws {
    for (columns, widest) in [(60, 50...60), (200, 90...100)] {
      let terminal = try PseudoTerminal()
      try terminal.set(columns: columns)
      finish(try tracking(["help"], ["TERM": "xterm"], output: terminal.inside))
      let lines = terminal.read().split { $0.isNewline }
      let prose = lines.filter { !$0.hasPrefix("Example:") }
      XCTAssertTrue(widest.contains(prose.map(\.count).max() ?? 0), "\(columns): \(prose)")
    }
    XCTAssertEqual(
      output(["help"], columns: 40).out.split(separator: "\n").filter {
        $0.count > 40 && !$0.hasPrefix("Example") && !$0.hasPrefix("Compl") && !$0.contains(".docc")
      }, [])
  }

  func testAWrongCommandLineIsNamedWithWhatIsMeant() {
    for (words, message) in [
      (["srve"], "tracking: there is no verb srve; the nearest is serve"),
      (["help", "cehck"], "tracking: there is no verb or topic cehck; the nearest is check"),
      (["help", "wiats"], "tracking: there is no verb or topic wiats; the nearest is waits"),
      (
        ["help", "import"],
        "tracking: there is no verb import; record the backend instead of reading a HAR file: `tracking record URL FOLDER`"
      ),
      (
        ["sing"],
        "tracking: there is no verb sing; there are serve, sdks, wait, mark, finish, check, coverage, compare, draft, generate, report, record, replay"
      ),
      (
        ["import", "a.har", "b"],
        "tracking: there is no verb import; record the backend instead of reading a HAR file: `tracking record URL FOLDER`"
      ),
      (["--plan", "a"], "tracking: there is no option --plan in front of a verb; `tracking help` lists the verbs"),
      (["--completions"], "tracking: --completions: expected bash, zsh or fish"),
      (["--completions", "csh"], "tracking: --completions: expected bash, zsh or fish, found csh"),
      (["check", ""], "tracking: an argument is empty; is a variable not set?"),
      (["serve", "--accpt", "all"], "tracking serve: unknown option --accpt; the nearest is --accept"),
      (["check", "a", "--jsno"], "tracking check: unknown option --jsno; the nearest is --json"),
      (["check", "a", "--json=1"], "tracking check: unknown option --json"),
      (["check", "a", "--plan"], "tracking check: --plan needs a value: <plan>"),
      (["check", "a", "--plan", "--json"], "tracking check: --plan needs a value: <plan>"),
      (
        ["check", "--limits", "fierbase", "a"],
        "tracking check: --limits: \"fierbase\" is unknown; the nearest is firebase"
      ),
      (
        ["coverage", "a", "--report", "xml"],
        "tracking coverage: --report: \"xml\" is unknown; expected one of text, markdown, json, github"
      ),
      (["serve", "extra"], "tracking serve: a command comes after --: tracking serve -- extra"),
      (["serve", "--port", "1", "--port", "2"], "tracking serve: --port is given twice"),
      (["report", "a", "-o", "b", "--output=c"], "tracking report: --output is given twice"),
      (["mark", "--json", "--json"], "tracking mark: --json is given twice"),
      (
        ["compare", "a", "b", "--fail-on", "x", "--fail-on", "y"],
        "tracking compare: --fail-on: \"x\" is unknown; expected one of any, apps, lost, types, unpinned"
      ),
      (["mark", "x"], "tracking mark: unexpected argument \"x\""),
      (["compare", "a"], "tracking compare: <head> is missing"),
      (["compare", "-", "-"], "tracking compare: only one plan can come from standard input"),
      (["record", "http://localhost:1"], "tracking record: <folder> is missing"),
      (
        ["serve", "--accept", "segmnt"],
        "tracking serve: there is no SDK segmnt; the nearest is segment; `tracking sdks` lists all"
      ),
      (
        ["serve", "--accept", "al"], "tracking serve: there is no SDK al; the nearest is all; `tracking sdks` lists all"
      ),
      (["serve", "--accept", ","], "tracking serve: --accept names no SDK"),
      (["sdks", "psthog"], "tracking sdks: there is no SDK psthog; the nearest is posthog; `tracking sdks` lists all"),
      (["serve", "--port", "99999"], "tracking serve: --port: \"99999\" isn't a whole number from 0 to 65535"),
      (["serve", "--port=-1"], "tracking serve: --port: \"-1\" isn't a whole number from 0 to 65535"),
      (
        ["serve", "--device"],
        "tracking serve: unknown option --device; use a simulator, or forward the port over a cable, as `adb reverse` does"
      ),
      (
        ["serve", "--interface", "en0"],
        "tracking serve: unknown option --interface; `serve` listens on this machine alone"
      ),
      (["serve", "--hours", "9"], "tracking serve: unknown option --hours; end `serve` with SIGINT or SIGTERM"),
      (["serve", "--source", "iOS"], "tracking serve: --source needs --plan"),
      (["serve", "--recording", "a"], "tracking serve: --recording needs --record"),
      (["wait", "a", "--timeout", "-1"], "tracking wait: --timeout: \"-1\" isn't a number of seconds from 0 to 86400"),
      (["wait", "a", "--count", "-1"], "tracking wait: --count: \"-1\" isn't a whole number of at least 0"),
      (["wait", "a", "--count", "1.5"], "tracking wait: --count: \"1.5\" isn't a whole number of at least 0"),
      (
        ["report", "a", "-o", "-", "--json"],
        "tracking report: --json and the report can't both go to standard output; name a file with --output"
      ),
      (
        ["draft", "a", "--json"],
        "tracking draft: --json and the plan can't both go to standard output; name the plan's file with --output"
      ),
    ] {
      let result = output(words)
      XCTAssertEqual(result.status, 2, "\(words)")
      XCTAssertEqual(result.err.split(separator: "\n").first.map(String.init), message, "\(words)")
      XCTAssertEqual(result.out, "", "\(words)")
      // The forms of a verb's command line are below.
      let rest = result.err.split(separator: "\n").dropFirst()
      XCTAssertEqual(rest.isEmpty, message.hasPrefix("tracking: "), "\(words) \(rest)")
      XCTAssertTrue(rest.first?.hasPrefix("usage: tracking \(words[0])") ?? true, "\(words) \(rest)")
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

  func testVerbsOptionsAndValuesAreCompleted() {
    for (words, candidates) in [
      ("re", "record replay report"), ("c", "check compare coverage"), ("help c", "check compare coverage"),
      ("help e", "environment exit-codes"), ("help wa", "wait waits"), ("help waits e", ""),
      ("serve --acc", "--accept"), ("serve --accept s", "segment snowplow statsig"),
      ("serve --accept=se", "segment"),
      ("serve --accept amplitude,op", "amplitude,openpanel amplitude,opentelemetry"),
      ("check --p", "--personal-data --plan"),
      ("check --limits f", "firebase"), ("check plan.json --limits f", "firebase"), ("sdks seg", "segment"),
      ("check pl", ""), ("serve --plan pl", ""), ("nothing a", ""),
    ] {
      let result = output(["--complete"] + words.split(separator: " ").map(String.init))
      XCTAssertEqual(result.out.split(separator: "\n").joined(separator: " "), candidates, words)
    }
    XCTAssertTrue(output(["--complete", ""]).out.hasPrefix("check\ncompare\n"))
  }

  /// Writes the completions of a shell, and runs a program of it with the command in its `PATH`.
  private func complete(in shell: String, _ words: [String]) throws -> String {
    let program = try Self.program(shell)
    XCTAssertEqual(try run("--completions", shell), 0)
    try FileManager.default.copyItem(atPath: path("out"), toPath: path("completions"))
    let folder = TestApp("tracking").executable.deletingLastPathComponent().path
    let process = try launch(
      program, words + [path("completions")],
      ["PATH": folder + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "")])
    finish(process)
    XCTAssertEqual(try text("err"), "")
    return try text("out")
  }

  func testBashRunsTheCommandForCompletions() throws {
    let script = """
      source "$0"
      function=$(complete -p tracking); function=${function##*-F }; function=${function%% *}
      complete() {
        COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
        $function tracking "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
        echo "${COMPREPLY[*]}"
      }
      complete tracking re
      complete tracking serve --accept op
      complete tracking check ""
      """
    let completed = try complete(in: "bash", ["-c", script])
    XCTAssertEqual(completed, "record replay report\nopenpanel opentelemetry\n\n")
  }

  func testZshRunsTheCommandForCompletions() throws {
    let script = """
      compdef() { :; }; compadd() { shift; echo "$*"; }; _files() { echo files; }
      source "$0"
      complete() { words=("$@"); CURRENT=$#; _tracking; }
      complete tracking re
      complete tracking serve --accept op
      complete tracking check ""
      """
    let completed = try complete(in: "zsh", ["-c", script])
    XCTAssertEqual(completed, "record replay report\nopenpanel opentelemetry\nfiles\n")
  }

  func testFishRunsTheCommandForCompletions() throws {
    let script = """
      source $argv[1]
      complete -C "tracking re"
      complete -C "tracking serve --accept op"
      complete -C "tracking check Package.sw"
      """
    let completed = try complete(in: "fish", ["-c", script])
    XCTAssertEqual(completed, "record\nreplay\nreport\nopenpanel\nopentelemetry\nPackage.swift\n")
  }
}
