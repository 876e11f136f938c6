import TestSupport
import TestAppLauncher

/// The command as a process: what it prints, writes and returns.
final class ServeTests: ToolTestCase {
  func testAnAppsEventsAreHeldAgainstThePlanPrintedAndSaved() async throws {
    try Data(#"{"events":{"tapped":{"params":{"count":{"type":"integer"}}}}}"#.utf8).write(
      to: folder.appendingPathComponent("plan.json"))
    let process = try tracking([
      "serve", "--accept", "segment,posthog", "--plan", path("plan.json"), "--json", "--save", path("session.json"),
    ])
    defer { end(process) }
    let started = try started()
    let url = try XCTUnwrap(started.environment?["TRACKING_URL"])
    XCTAssertEqual(started.urls?.keys.sorted(), ["posthog", "segment"])
    XCTAssertEqual(started.urls?["segment"], url)
    XCTAssertTrue(
      try XCTUnwrap(started.inspector).hasPrefix(
        "\(url.replacing("[::1]", with: "localhost"))/-tracking/#token="))

    let native = try await post(#"{"name":"tapped","params":{"count":1}}"#, to: url)
    XCTAssertEqual(native, 204)
    let batch =
      #"{"batch":[{"type":"track","event":"tapped","messageId":"1","userId":"u","properties":{"count":"1"}}]}"#
    let segment = try await post(batch, to: "\(url)/v1/batch")
    XCTAssertEqual(segment, 200)
    XCTAssertEqual(
      try line(in: "out", after: #"{"findings":[],"kind":"event","name":"tapped","number":1,"#),
      #""params":{"count":1}}"#)
    let finding =
      #"{"event":"tapped","file":"\#(path("plan.json"))","isFailure":true,"line":1,"number":2,"param":"count","#
      + #""reason":"\"1\" is a string, expected an integer","rule":"type","value":"1"}"#
    XCTAssertEqual(
      try line(in: "out", after: #"{"findings":[\#(finding)],"#),
      #""kind":"event","name":"tapped","number":2,"params":{"count":"1"}}"#)
    let rejected = try await post(#"{"nam":"tapped"}"#, to: url)
    XCTAssertEqual(rejected, 400)
    _ = try line(in: "out", after: #"{"kind":"rejection","number":4,"#)

    kill(process.processIdentifier, SIGINT)
    finish(process)
    XCTAssertEqual(process.terminationStatus, 1)
    _ = try line(
      in: "out",
      after:
        #"{"events":2,"kind":"ended","rejections":1,"requests":0,"session":"\#(path("session.json"))","unmatched":0,"unplanned":1}"#
    )

    XCTAssertEqual(try run("report", path("session.json"), "--output", path("report.html"), "--json"), 0)
    XCTAssertEqual(
      try text("out"),
      """
      {
        "digest": "36bd5a4a9df0181b",
        "entries": 4,
        "events": 2,
        "failures": 0,
        "findings": 2,
        "plan": "plan",
        "title": "tracking serve at localhost:\(URL(string: url.replacing("[::1]", with: "localhost"))?.port ?? 0)",
        "report": "\(path("report.html"))"
      }

      """)
    let report = try text("report.html")
    XCTAssertTrue(report.hasPrefix("<!DOCTYPE html>"))
    XCTAssertTrue(report.contains("tapped"))
    // The report marks deviations from the plan.
    XCTAssertTrue(report.contains(#""findings":[{"message":"#))

    let check = try result("check", path("session.json"), "--plan", path("plan.json"))
    XCTAssertEqual(
      check.out,
      "session.json: #2 tapped: count: \"1\" is a string, expected an integer (type; plan.json:1)\n")
    XCTAssertEqual(
      check.err,
      """
      session.json: 1 rejected submission: not checked; `report` lists them
      tracking check: session.json: 1 finding in 1 of 2 events

      """)
    XCTAssertEqual(check.status, 1)
  }

  func testAFindingNamesTheLineOfTheApp() async throws {
    try write(#"{"events":{"tapped":{}}}"#, to: "plan.json")
    let process = try tracking(["serve", "--plan", path("plan.json")])
    defer { end(process) }
    let url = try line(in: "err", after: "  TRACKING_URL=")
    for (name, line) in [("tapped", 40), ("taped", 41)] {
      _ = try await post(#"{"name":"\#(name)","at":"Shop/Home.swift:\#(line)"}"#, to: url)
    }
    XCTAssertEqual(try line(in: "out", after: "#1  "), "tapped()")
    XCTAssertTrue(
      try line(in: "out", after: "    the plan has no event with this name").hasSuffix(", tracked at Home.swift:41"))
  }

  func testScreensAndIdentitiesAreKept() async throws {
    let process = try tracking(["serve", "--accept", "segment", "--keep", "screen,identify", "--json"])
    defer { end(process) }
    let batch =
      #"{"batch":[{"type":"screen","name":"Home"},{"type":"identify","userId":"u"},{"type":"group","groupId":"g"}]}"#
    _ = try await post(batch, to: "\(XCTUnwrap(started().urls?["segment"]))/v1/batch")
    XCTAssertTrue(
      try line(in: "out", after: #"{"findings":[],"kind":"event","#).hasPrefix(#""name":"Home","number":1"#))
    _ = try line(in: "out", after: #"{"findings":[],"kind":"event","name":"identify","number":2"#)
    XCTAssertEqual(stop(process), 0)
    XCTAssertFalse(try text("out").contains("group"))
    for (words, reason) in [
      (["--keep", "screen"], "--keep needs --accept"),
      (["--accept", "segment", "--keep", "screens"], #"--keep: "screens" is unknown; the nearest is screen"#),
    ] {
      let process = try tracking(["serve"] + words)
      finish(process)
      XCTAssertEqual(process.terminationStatus, 2)
      let error = try text("err")
      XCTAssertTrue(error.hasPrefix("tracking serve: \(reason)\n"), error)
    }
  }

  func testAnAppsOwnBodiesAreReadByAFormatInAFile() async throws {
    try write(
      #"""
      {"request": "POST /track", "events": "items[]", "where": {"kind": "event"}, "name": "n", "params": "p.all",
       "status": 202, "json": {"ok": true}}
      """#, to: "shop.json")
    try write(#"{"request": "POST /log", "name": "event", "at": "from"}"#, to: "log.json")
    let process = try tracking(["serve", "--accept", "\(path("shop.json")),\(path("log.json")),posthog", "--json"])
    defer { end(process) }
    let urls = try XCTUnwrap(started().urls)
    XCTAssertEqual(urls.keys.sorted(), ["log", "posthog", "shop"])
    let items = #"{"items":[{"kind":"event","n":"buy","p":{"all":{"total":1}}},{"kind":"debug","n":"x"}]}"#
    let status = try await post(items, to: try XCTUnwrap(urls["shop"]))
    XCTAssertEqual(status, 202)
    _ = try line(in: "out", after: #"{"findings":[],"kind":"event","name":"buy","number":1,"params":{"total":1}}"#)
    let log = try await post(#"{"event":"seen","page":"home"}"#, to: try XCTUnwrap(urls["log"]))
    XCTAssertEqual(log, 200)
    _ = try line(in: "out", after: #"{"findings":[],"kind":"event","name":"seen","number":2,"params":{"page":"home"}}"#)
    _ = try await post(#"{"event":"left","from":"home.py:3"}"#, to: try XCTUnwrap(urls["log"]))
    _ = try line(
      in: "out", after: #"{"at":"home.py:3","findings":[],"kind":"event","name":"left","number":3,"params":{}}"#)
    let malformed = try await post(#"{"page":"home"}"#, to: try XCTUnwrap(urls["log"]))
    XCTAssertEqual(malformed, 400)
  }

  func testAMistakeInAFormatsFileIsNamedWithItsPlace() throws {
    let mistakes = [
      (#"{"request": "POST /a"}"#, #":1: error: the member "name" is missing"#),
      (#"{"name": "n"}"#, #":1: error: the member "request" is missing"#),
      (
        "{\n\"request\": \"a\", \"name\": \"n\"}",
        #":2: error: request: expected a method and a path such as "POST /orders", found "a""#
      ),
      (#"{"request": "/a", "name": "n", "evens": ""}"#, #":1: error: "evens" is unknown here; the nearest is events"#),
      (#"{"request": "/a?b=1", "name": "n"}"#, ":1: error: request: a format is known by its method and path alone"),
      (#"{"request": "/a", "name": null}"#, ":1: error: name: leave the member out instead of null"),
      (
        #"{"request": "/a", "events": "items[", "name": "n"}"#,
        #":1: error: events: "items[" isn't a path: only "[]" at the end of a name means the elements of an array"#
      ),
      (#"{"request": "/a", "events": "items[0]", "name": "n"}"#, #":1: error: events: "items[0]" isn't a path: "#),
      (#"{"request": "/a", "name": "n]"}"#, #":1: error: name: "n]" isn't a path: "#),
      (#"{"request": "/a", "name": "n", "params": "[]p"}"#, #":1: error: params: "[]p" isn't a path: "#),
      (#"{"request": "/a", "name": "n", "where": {"k[": "v"}}"#, #":1: error: where.k[: "k[" isn't a path: "#),
      (
        #"{"request": "/a", "name": "n",\n"headers": {"X Y": "a"}}"#.replacing("\\n", with: "\n"),
        ":2: error: headers: the header X Y: a can't be sent"
      ),
      (
        #"{"request": "/a", "name": "n", "headers": {"Content-Length": "1"}}"#,
        ":1: error: headers: the header Content-Length: 1 can't be sent"
      ),
      ("[", ":1: error: "),
    ]
    let calls = try mistakes.enumerated().map { number, mistake in
      try write(mistake.0, to: "\(number).json")
      return ["serve", "--accept", path("\(number).json")]
    }
    for (number, (status, _, error)) in try results(of: calls).enumerated() {
      let (text, reason) = mistakes[number]
      XCTAssertEqual(status, 2, text)
      XCTAssertTrue(error.hasPrefix("\(number).json\(reason)"), error)
    }
    let (status, _, error) = try result("serve", "--accept", path("none.json"))
    XCTAssertEqual(status, 2)
    XCTAssertTrue(error.hasPrefix("error: none.json: can't be read: "), error)
  }

  func testAShellReadsTheAddressesFromAFileThatIsRemoved() async throws {
    let process = try tracking(["serve", "--write-env", path("serve.env"), "--json"])
    defer { end(process) }
    let url = try XCTUnwrap(started().environment?["TRACKING_URL"])
    let attributes = try FileManager.default.attributesOfItem(atPath: path("serve.env"))
    XCTAssertEqual(attributes[.posixPermissions] as? Int, 0o600)
    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    // The second shell has what the first one exports.
    let names = ["URL", "SESSION", "SERVE", "SERVE_URL", "SERVE_TOKEN"].map { "TRACKING_\($0)" }
    let prints = names.map { "echo \($0)=$\($0)" }.joined(separator: "; ")
    shell.arguments = ["-c", ". \(path("serve.env")); /bin/sh -c '\(prints)'"]
    shell.environment = [:]
    let output = Pipe()
    shell.standardOutput = output
    try shell.run()
    let lines = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self).split(
      separator: "\n")
    finish(shell)
    let values = lines.map { String($0[$0.index(after: $0.firstIndex(of: "=") ?? $0.startIndex)...]) }
    XCTAssertEqual(values.count, 5)
    XCTAssertEqual(values.first, url)
    XCTAssertEqual(values.dropFirst(2).first, "\(values.dropFirst(3).first ?? "")#token=\(values.last ?? "")")
    XCTAssertFalse(values.contains(""), "\(lines)")
    // One that can't start leaves no addresses of an earlier one.
    let stale = try text("serve.env")
    try write(stale, to: "stale.env")
    let port = try XCTUnwrap(url.split(separator: ":").last)
    XCTAssertEqual(try run("serve", "--port", "\(port)", "--write-env", path("stale.env")), 2)
    XCTAssertFalse(FileManager.default.fileExists(atPath: path("stale.env")))
    XCTAssertEqual(stop(process), 0)
    XCTAssertFalse(FileManager.default.fileExists(atPath: path("serve.env")))
    // Another file isn't removed.
    try write("alias a=b", to: "profile")
    let (status, _, error) = try result("serve", "--write-env", path("profile"))
    XCTAssertEqual(status, 2)
    XCTAssertEqual(
      error, "tracking serve: --write-env profile: there is another file, which `tracking serve` hasn't written\n")
    XCTAssertEqual(try text("profile"), "alias a=b")
    let folder = try result("serve", "--write-env", path("none/serve.env"))
    XCTAssertEqual(folder.status, 2)
    XCTAssertEqual(
      folder.err, "tracking serve: --write-env none/serve.env can't be written: No such file or directory\n")
  }

  /// A rejected submission is one line, and a refused page is told the option.
  func testLinesHaveTheWordsOfTheCommand() async throws {
    let process = try tracking(["serve"])
    defer { end(process) }
    let url = try line(in: "err", after: "  TRACKING_URL=").replacing("[::1]", with: "localhost")
    let rejected = try await post("{", to: url)
    XCTAssertEqual(rejected, 400)
    let vendor = try await post(#"{"batch":[{"type":"track","event":"a","messageId":"1"}]}"#, to: "\(url)/v1/b")
    XCTAssertEqual(vendor, 404)
    _ = try line(in: "out", after: "    it looks like events of Segment, which are read after --accept segment")
    _ = try line(in: "err", after: "rejected (400): ")
    var form = URLRequest(url: try XCTUnwrap(URL(string: url)))
    form.httpMethod = "POST"
    form.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
    _ = try await URLSession.shared.upload(for: form, from: Data("a=b".utf8))
    XCTAssertTrue(try line(in: "err", after: "rejected (415): ").hasSuffix("; --accept takes other formats"))
    XCTAssertEqual(stop(process), 1)
    let (out, error) = (try text("out"), try text("err"))
    XCTAssertFalse(out.contains("400 POST"), out)
    XCTAssertTrue(error.contains("2 rejected\n1 request, 1 unmatched\n"), error)
  }

  /// As Detox, Maestro, Appium and a shell pass them on.
  func testAnAppReadsWhatIsPrintedFromItsLaunchArguments() throws {
    let process = try tracking(["serve"])
    defer { end(process) }
    let session = try line(in: "err", after: "  TRACKING_SESSION=")
    let url = try line(in: "err", after: "  TRACKING_URL=")
    let forms = [
      ["TRACKING_URL=\(url)", "TRACKING_SESSION=\(session)"], ["-TRACKING_URL", url, "-TRACKING_SESSION", session],
      ["--TRACKING_URL", url, "--TRACKING_SESSION", session],
    ]
    for (index, arguments) in forms.enumerated() {
      let app = Process()
      app.executableURL = try XCTUnwrap(TestApp("AppProbe").executable)
      app.arguments = arguments
      app.environment = [:]
      let input = Pipe()
      app.standardInput = input
      try app.run()
      input.fileHandleForWriting.write(Data("track \(index) \(index)\n".utf8))
      try input.fileHandleForWriting.close()
      finish(app)
      XCTAssertEqual(app.terminationStatus, 0, "\(arguments)")
      XCTAssertEqual(try line(in: "out", after: "#\(index + 1)  "), "counted(number: \(index))", "\(arguments)")
    }
  }

  func testAScenarioRespondsToTheApp() async throws {
    try Data("cover".utf8).write(to: folder.appendingPathComponent("cover.txt"))
    try Data(
      #"""
      [
        {"request": "GET /books/:id", "json": {"id": 42}, "headers": {"X-Edition": "2"}},
        {"request": "/cover", "file": "cover.txt"},
        {"request": "POST /orders", "body": {}, "status": 201, "text": "ordered", "times": 1},
        {"request": "PUT /orders", "responses": [{"status": 503}, {"status": 204}]}
      ]
      """#.utf8
    ).write(to: folder.appendingPathComponent("scenario.json"))
    let process = try tracking(["serve", "--scenario", path("scenario.json"), "--json"])
    defer { end(process) }
    let url = try XCTUnwrap(try started().environment?["TRACKING_URL"]).replacingOccurrences(
      of: "[::1]", with: "localhost")
    let (book, response) = try await URLSession.shared.data(from: XCTUnwrap(URL(string: "\(url)/books/42")))
    XCTAssertEqual(String(decoding: book, as: UTF8.self), #"{"id":42}"#)
    XCTAssertEqual((response as? HTTPURLResponse)?.value(forHTTPHeaderField: "X-Edition"), "2")
    let (cover, _) = try await URLSession.shared.data(from: XCTUnwrap(URL(string: "\(url)/cover")))
    XCTAssertEqual(String(decoding: cover, as: UTF8.self), "cover")
    let first = try await post("{}", to: "\(url)/orders")
    let second = try await post("{}", to: "\(url)/orders")
    XCTAssertEqual([first, second], [201, 404])
    var put = URLRequest(url: try XCTUnwrap(URL(string: "\(url)/orders")))
    put.httpMethod = "PUT"
    for status in [503, 204, 204] {
      let response = try await URLSession.shared.data(for: put).1
      XCTAssertEqual((response as? HTTPURLResponse)?.statusCode, status)
    }
    XCTAssertEqual(
      try line(in: "out", after: #"{"isMatched":true,"kind":"request","method":"GET","number":1,"status":200,"#),
      #""target":"/books/42"}"#)
    let unmatched = try line(in: "out", after: #"{"isMatched":false,"kind":"request","method":"POST","#)
    XCTAssertTrue(unmatched.contains(#""nearest":"POST /orders"#), unmatched)
  }

  func testAScenarioThatIsWrongSaysWhere() throws {
    for (json, reason) in [
      ("[{\"request\":\"/a\"},\n{\"status\":200}]", #"scenario.json:2: error: [1]: the member "request" is missing"#),
      (
        #"[{"request":"/a","stauts":200}]"#,
        #"scenario.json:1: error: [0]: "stauts" is unknown here; the nearest is status"#
      ),
      (
        #"[{"request":"/a","json":{},"text":""}]"#,
        "scenario.json:1: error: [0].text: is there besides json; a response has one body"
      ),
      (#"[{"method":"GET","path":"/a"}]"#, #"[0].method: is unknown here; write "request": "GET /books/:id""#),
      (#"[{"request":"/a","file":"none.txt"}]"#, "none.txt"),
      (#"{"request":"/a"}"#, "expected an array, found an object"),
      (
        "[{\"request\": \"/b\"},\n{\"request\": \"/a\", \"times\": 1},\n{\"request\": \"/a\"}]",
        "scenario.json:2: error: [1]: never responds, because [2] matches the same requests and comes first"
      ),
      ("[\n{\"path\" \"/a\"}]", "scenario.json:2: error: [0]: expected \":\" after the key"),
    ] {
      try Data(json.utf8).write(to: folder.appendingPathComponent("scenario.json"))
      XCTAssertEqual(try run("serve", "--scenario", path("scenario.json")), 2, json)
      let error = try text("err")
      XCTAssertTrue(error.contains(reason), "\(json): \(error)")
    }
  }

  private let session = #"""
    {"format": "tracking-session", "version": 1, "title": "CartTests.testBuying",
     "failures": [{"message": "No event purchase() arrived within 5 s\n``` <b>&", "location": "CartTests.swift:31"}],
     "lost": [{"launch": "a.1", "count": 2, "tracked": 5, "numbers": [[2, 3]]}],
     "entries": [
      {"kind": "note", "number": 0, "milliseconds": 0, "text": "Pays"},
      {"kind": "event", "number": 1, "milliseconds": 0, "name": "a|b", "params": {}, "findings": [{"message": "no \"x\"", "path": "p"}]},
      {"kind": "event", "number": 2, "milliseconds": 1, "name": "tapped", "params": {}},
      {"kind": "request", "number": 3, "milliseconds": 2, "method": "GET", "target": "/x", "hasResponse": true, "isUnmatched": true},
      {"kind": "rejection", "number": 4, "milliseconds": 3, "status": 400, "path": "params.price", "reason": "no \u0007JSON"}
     ]}
    """#

  func testALineBreakInAnEventsNameBeginsNoLineOfTheOutput() async throws {
    let process = try tracking(["serve"])
    defer { end(process) }
    let url = try line(in: "err", after: "  TRACKING_URL=")
    _ = try await post(##"{"name":"a\n::error::b"}"##, to: url)
    _ = try await post(##"{"name":"c","d\n::error::e":1}"##, to: url)
    XCTAssertEqual(try line(in: "out", after: "#1  "), #"a\u{a}::error::b()"#)
    _ = try line(in: "err", after: "rejected (400): ")
    XCTAssertEqual(stop(process), 1)
    let lines = try (text("out") + text("err")).split(separator: "\n")
    XCTAssertFalse(lines.contains { $0.hasPrefix("::") }, "\(lines)")
  }

  func testAMarkdownReportOfVeryManyProblemsFitsASummary() throws {
    let path = String(repeating: "/long", count: 40)
    let entries = (1...4_000).map {
      #"{"kind":"request","number":\#($0),"method":"GET","target":"\#(path)/\#($0)","isUnmatched":true}"#
    }
    try write(
      #"{"format":"tracking-session","version":1,"entries":[\#(entries.joined(separator: ","))]}"#, to: "session.json")
    let report = try result("report", self.path("session.json"), "--markdown").out
    XCTAssertLessThan(report.utf8.count, 1_048_576)
    let shown = report.split(separator: "\n").count { $0.contains("no stub matches it") }
    XCTAssertGreaterThan(shown, 2_000)
    XCTAssertTrue(
      report.hasSuffix("\n\(4_000 - shown) more left out\n"),
      "\(report.suffix(200))")
  }

  func testADashIsStandardOutput() throws {
    try Data(session.utf8).write(to: folder.appendingPathComponent("session.json"))
    let report = try result("report", path("session.json"), "-o", "-")
    XCTAssertEqual(report.status, 0)
    XCTAssertTrue(report.out.hasPrefix("<!DOCTYPE html>"), String(report.out.prefix(200)))
    XCTAssertEqual(report.err, "")
    XCTAssertEqual(try run("report", path("session.json"), "-o", "-", "--json"), 2)
  }

  func testAReportNamesThePlanOfItsSession() throws {
    let plan = #""plan":{"name":"Shop","digest":"0123456789abcdef","events":[]}"#
    try write(
      #"{"format":"tracking-session","version":1,"title":"A.b","entries":[],\#(plan)}"#, to: "session.json")
    XCTAssertTrue(
      try result("report", path("session.json"), "--markdown").out
        .contains(#"The events were checked against the plan "Shop" (0123456789abcdef)."#))
  }

  func testAReportAsMarkdown() throws {
    try Data(session.utf8).write(to: folder.appendingPathComponent("session.json"))
    XCTAssertEqual(try run("report", path("session.json"), "--markdown", "-o", path("report.md")), 0)
    XCTAssertEqual(
      try text("report.md"),
      """
      # CartTests.testBuying

      2 events, 4 problems

      The events were not checked against a plan.

      **Failures**

      `CartTests.swift:31`

      ````text
      No event purchase() arrived within 5 s
      ``` <b>&
      ````

      **Problems**

      | Entry | Problem |
      |---|---|
      | `#1 a\\|b` | p: no "x" |
      | `#3 GET /x` | no stub matches it |
      | `#4 rejection` | rejected (400): params.price: no \\\\u\\{7\\}JSON |
      | `launch a.1` | 2 tracked events never arrived |

      **Events**

      | Name | Number |
      |---|---:|
      | `a\\|b` | 1 |
      | `tapped` | 1 |

      """)
  }

  func testBadInputIsStatusTwoWithItsReason() throws {
    XCTAssertEqual(try run("serve", "--plan", path("none.json")), 2)
    XCTAssertEqual(try text("err"), "error: \(path("none.json")): no such file or folder\n")
    try Data("{}".utf8).write(to: folder.appendingPathComponent("session.json"))
    XCTAssertEqual(try run("report", path("session.json")), 2)
    XCTAssertEqual(
      try text("err"),
      "\(path("session.json")):1: error: is not a session: it has no member \"format\" with the value \"tracking-session\"\n"
    )
    try write(#"{"format":"tracking-session","version":2,"entries":[]}"#, to: "newer.json")
    try write(#"{"format":"tracking-session","version":1,"entries":["#, to: "torn.json")
    try write(#"{"format":"tracking-session","version":1,"entries":[{"kind":"note"},{"name":"a"}]}"#, to: "kind.json")
    let findings = #"{"kind":"note","findings":[{"path":"a"}]}"#
    try write(#"{"format":"tracking-session","version":1,"entries":[\#(findings)]}"#, to: "findings.json")
    let mistakes = [
      (["report", path("newer.json")], "is a session of version 2, and this tool reads version 1; update the tool"),
      (["report", path("torn.json")], "torn.json:1: error: entries[0]: expected a value, found the end of the text"),
      (["report", path("kind.json")], "kind.json:1: error: entries[1]: the member \"kind\" is missing"),
      (
        ["report", path("findings.json")],
        "findings.json:1: error: entries[0].findings[0]: the member \"message\" is missing"
      ),
      (["report", folder.path], "is a folder; name a session, such as findings.json"),
      (["report", path("none.json")], "can't be read: No such file or directory"),
      (["report", ""], "tracking: an argument is empty; is a variable not set?"),
      (["serve", "--save", path("none/session.json")], "there is no folder none"),
      (["serve", "--save", folder.path], "is a folder; name a file in it"),
      (["serve", "--source", "iOS"], "--source needs --plan"),
      (["serve", "--not-secret", "token"], "--not-secret needs --record"),
      (["serve", "--record", "nowhere"], "tracking serve: nowhere isn't the URL of a backend"),
    ]
    for ((words, reason), (status, _, error)) in zip(mistakes, try results(of: mistakes.map(\.0))) {
      XCTAssertEqual(status, 2, "\(words)")
      XCTAssertTrue(error.contains(reason), "\(words): \(error)")
    }
    XCTAssertEqual(try run("serve", "--accept", "segmnt"), 2)
    XCTAssertEqual(try run("report"), 2)
    XCTAssertEqual(try run("nonsense"), 2)
  }

  func testSDKsAreListedWithTheirURLs() throws {
    XCTAssertEqual(try run("sdks"), 0)
    XCTAssertTrue(try text("out").contains("matomo           http://localhost:8080/matomo.php\n"))
    XCTAssertEqual(try run("sdks", "segment", "--json"), 0)
    XCTAssertTrue(try text("out").contains("\"POST /v1/b\""))
  }
}
