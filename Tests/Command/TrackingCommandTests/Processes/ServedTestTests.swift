import TestSupport
@testable import TrackingCommand
import TrackingJSON
import TrackingPlan

/// Tests that share a server: which entries and failures are whose, in its session and as JUnit.
final class ServedTestTests: ToolTestCase {
  private var events = ""
  private var server = Process()

  private func serve() throws {
    server = try tracking(
      ["serve", "--json", "--save", path("session.json"), "--write-env", path("serve.env")])
    events = try XCTUnwrap(started().environment?["TRACKING_URL"])
  }

  private func track(_ name: String) async throws { _ = try await post(#"{"name": "\#(name)"}"#, to: events) }

  /// Runs a verb on the server, and returns its status.
  @discardableResult
  private func call(_ words: String...) throws -> Int32 {
    let process = try tracking(words + ["--env", path("serve.env")])
    finish(process)
    return process.terminationStatus
  }

  /// The tests of the session, with their events and `!` for a failure.
  private func tests() throws -> [String: [String]] {
    let observations = try ObservationFolder.Contents(in: [path("session.json")], allRuns: false).observations
    return Dictionary(
      observations.map {
        ($0.isRestOfSession ? "" : $0.test, $0.events.keys.map(\.text).sorted() + ($0.hasFailed ? ["!"] : []))
      }, uniquingKeysWith: +)
  }

  func testAnEntryBelongsToTheTestInWhichItArrived() async throws {
    try serve()
    try await track("launched")
    try call("mark", "--as-default", "--test", "cart")
    try await track("opened")
    try call("finish")
    try await track("late")
    try call("mark", "--as-default")
    try await track("unnamed")
    XCTAssertEqual(try call("wait", "never", "--timeout", "0"), 1)
    try call("finish")
    try await track("bought")
    try call("finish", "--test", "checkout")
    try await track("after")
    XCTAssertEqual(stop(server), 0)
    XCTAssertEqual(
      try tests(),
      ["": ["after", "late", "launched", "unnamed", "!"], "cart": ["opened"], "checkout": ["bought"]])
    XCTAssertEqual(
      try SessionFile(contentsOf: path("session.json")).tests.map { [$0.name, "\($0.from)", "\($0.until ?? 0)"] },
      [["cart", "2", "3"], ["", "4", "5"], ["checkout", "5", "6"]])
  }

  /// An attempt, its retry, and one of another name that begins with the same words.
  func testAFailedAttemptCountsOnceInSessionsReportsAndJUnit() async throws {
    try serve()
    for (number, name) in ["pay", "pay", "pay, twice", "left", "left"].enumerated() {
      try call("mark", "--as-default", "--test", name)
      try await track("paid")
      XCTAssertEqual(try call("wait", number % 2 == 0 ? "never" : "paid", "--timeout", "0"), number % 2 == 0 ? 1 : 0)
      XCTAssertEqual(try call("finish"), 0)
    }
    // A finish that is sent again, for the file.
    try call("finish", "--junit", path("results.xml"))
    XCTAssertEqual(
      try text("results.xml").replacing(/time="[0-9]+\.[0-9]{3}"/, with: "time").replacing(
        /localhost:\d+/, with: "localhost"
      )
      .replacing(/message="[^"]+">[^<]+</, with: "message>text<").replacing(/\n\n[^<]+</, with: "\n\ntext<"),
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites>
        <testsuite name="tracking serve at localhost" tests="4" failures="2" errors="0" skipped="0" time>
          <testcase classname="tracking serve" name="pay" time>
            <system-out>Failed before, and was repeated:

      text</system-out>
          </testcase>
          <testcase classname="tracking serve" name="pay, twice" time>
            <failure type="tooFew" message>text</failure>
          </testcase>
          <testcase classname="tracking serve" name="left" time/>
          <testcase classname="tracking serve" name="left" time>
            <failure type="tooFew" message>text</failure>
          </testcase>
        </testsuite>
      </testsuites>

      """)
    XCTAssertEqual(stop(server), 0)
    XCTAssertEqual(try tests(), ["pay": ["paid"], "pay, twice": ["paid", "!"], "left": ["paid", "paid", "!"]])
    let report = try result("report", path("session.json"), "--markdown").out
    XCTAssertTrue(
      report.contains(
        """
        | Name | Result | Events |
        |---|---|---:|
        | `pay` | passed; 1 earlier attempt failed | 1 |
        | `pay, twice` | failed | 1 |
        | `left` | passed | 1 |
        | `left` | failed | 1 |
        """), report)
  }

  func testAFinishAfterMoreEventsIsOfAnotherTest() async throws {
    try serve()
    for name in ["", "", "again", "again"] {
      try await track("tapped")
      for _ in 0..<2 { if name.isEmpty { try call("finish") } else { try call("finish", "--test", name) } }
    }
    XCTAssertEqual(stop(server), 0)
    XCTAssertEqual(
      try SessionFile(contentsOf: path("session.json")).tests.map { [$0.name, "\($0.from)", "\($0.until ?? 0)"] },
      [["", "1", "2"], ["", "2", "3"], ["again", "3", "4"], ["again", "4", "5"]])
  }

  func testAFileThatCannotBeWrittenDoesNotTakeTheFailuresWithIt() async throws {
    try serve()
    XCTAssertEqual(try call("finish", "--junit", "-", "--json"), 2)
    XCTAssertEqual(
      try text("err").split(separator: "\n").first,
      "tracking finish: --json and --junit - can't both go to standard output; name a file for one of them")
    _ = try await get(events.replacing("[::1]", with: "localhost") + "/books")
    XCTAssertEqual(try call("finish", "--junit", path("serve.env/results.xml")), 2)
    let lines = try text("err").replacing(folder.path + "/", with: "").split(separator: "\n")
    XCTAssertEqual(lines.first, "1 request matched no stub: GET /books")
    XCTAssertEqual(lines.last, "tracking finish: serve.env/results.xml can't be written: Not a directory")
    XCTAssertEqual(stop(server), 0)
  }
}

final class JUnitFileTests: ToolTestCase {
  /// U+FFFE and U+FFFF are not characters of XML, however they are written.
  func testEachTextMakesAFileThatAParserReads() throws {
    let names = ["a\u{FFFE}b", "\u{FFFF}", "\u{0}\u{1B}", "<&>\"'", "two\nlines\t", "]]>", "\u{10FFFF}", "e\u{301}"]
    let tests = names.map { name in
      TrackingValue.object([
        "name": .string(name), "seconds": 0.1,
        "failures": [["kind": "tooFew", "message": .string("\(name): first\n\(name)")]],
      ])
    }
    let text = JUnitFile(JSONTree(of: ["server": "s", "tests": .array(tests)] as TrackingValue)).text
    // XML 1.0, 2.2.
    let characters: [ClosedRange<UInt32>] = [9...10, 13...13, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF]
    XCTAssertEqual(text.unicodeScalars.filter { scalar in !characters.contains { $0 ~= scalar.value } }, [])
    try write(text, to: "results.xml")
    let program = "import sys, xml.etree.ElementTree as x; print(len(list(x.parse(sys.argv[1]).iter('failure'))))"
    let python = try launch(
      try Tool.python().executable, Tool.pythonArguments + ["-c", program, path("results.xml")])
    finish(python)
    let error = try self.text("err")
    XCTAssertEqual(try self.text("out"), "8\n", error)
    XCTAssertTrue(text.contains(#"name="a\u{fffe}b""#), text)
    XCTAssertTrue(text.contains(#"name="two&#10;lines&#9;""#), text)
  }

  func testATimeHasThreeDigits() {
    let seconds: [TrackingValue] = [0.1, 0.183, 0, 12]
    let tests = seconds.map { TrackingValue.object(["name": "t", "seconds": $0, "failures": []]) }
    let text = JUnitFile(JSONTree(of: ["server": "s", "tests": .array(tests)] as TrackingValue)).text
    XCTAssertEqual(
      text.matches(of: /time="([^"]*)"/).map { "\($0.1)" }, ["12.283", "0.100", "0.183", "0.000", "12.000"])
  }
}
